// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// One-sided clutch (freewheel), on velocity level.
//   Φ = I_{u ≥ 0};   −f ∈ (−∞, 0] at u = 0, {0} at u > 0.
#include "vinculum/potentials/compose.hpp"
#include "vinculum/potentials/registry.hpp"

#include <limits>

namespace vinculum::potentials {

LawFactory clutch_factory() {
  return {Level::velocity, {}, [](const Values&) -> LawPtr {
            constexpr double inf = std::numeric_limits<double>::infinity();
            return make_box_indicator(Level::velocity, convex::vec(0), convex::vec(inf));
          }};
}

}  // namespace vinculum::potentials
