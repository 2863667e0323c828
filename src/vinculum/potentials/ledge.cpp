// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A re-entrant corner.                                                        theory/glocker-1998.md, tests 18 and 19
//   V = I_C, C = { x_1 ≥ 0 or x_2 ≥ 0 }.  At 0: K = C, T = first quadrant, N = third quadrant; not regular, so that A,
//   J and G part: a body may slide off with u ∈ K outside T.
#include "vinculum/potentials/compose.hpp"
#include "vinculum/potentials/registry.hpp"

namespace vinculum::potentials {

LawFactory ledge_factory() {
  return {Level::displacement, {}, [](const Values&) -> LawPtr {
            const auto half = [](const Eigen::Vector2d& n) {
              return convex::make_polyhedron(convex::Matrix(-n), convex::Vector::Zero(1));
            };
            return make_indicator(Level::displacement, convex::make_union({half({1, 0}), half({0, 1})}), false);
          }};
}

}  // namespace vinculum::potentials
