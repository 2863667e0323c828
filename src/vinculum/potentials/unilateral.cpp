// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Hard contact.                                                                     theory/glocker-1998.md, Sec 8
//   V = I_{x ≥ 0};   −f ∈ (−∞, 0] at x = 0, {0} at x > 0: the force pushes.
#include "vinculum/potentials/compose.hpp"
#include "vinculum/potentials/registry.hpp"

#include <limits>

namespace vinculum::potentials {

LawFactory unilateral_factory() {
  return {Level::displacement, {}, [](const Values&) -> LawPtr {
            constexpr double inf = std::numeric_limits<double>::infinity();
            return make_box_indicator(Level::displacement, convex::vec(0), convex::vec(inf));
          }};
}

}  // namespace vinculum::potentials
