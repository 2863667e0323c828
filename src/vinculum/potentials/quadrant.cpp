// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Two hard walls.                                                                   theory/glocker-1998.md, test 6
//   V = I_C, C = { x_1 ≥ 0, x_2 ≥ 0 };   N_C(0) is the third quadrant.
#include "vinculum/potentials/compose.hpp"
#include "vinculum/potentials/registry.hpp"

#include <limits>

namespace vinculum::potentials {

LawFactory quadrant_factory() {
  return {Level::displacement, {}, [](const Values&) -> LawPtr {
            constexpr double inf = std::numeric_limits<double>::infinity();
            return make_box_indicator(Level::displacement, convex::vec(0, 0), convex::vec(inf, inf));
          }};
}

}  // namespace vinculum::potentials
