// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside a disc.                                                              theory/glocker-1998.md, tests 15 and 17
//   V = I_C, C = { |x| ≤ R };   −f = λ x/|x|, λ ≥ 0, on the rim.
#include "vinculum/potentials/compose.hpp"
#include "vinculum/potentials/registry.hpp"

namespace vinculum::potentials {

LawFactory disc_container_factory() {
  static const Parameter parameters[] = {
      {.name = "radius", .unit = "m", .text = "radius of the container", .low = 0, .open = true},
  };
  return {Level::displacement, parameters, [](const Values& v) -> LawPtr {
            return make_indicator(Level::displacement,
                                  convex::make_ball_region(convex::Vector::Zero(2), v.at("radius")), true);
          }};
}

}  // namespace vinculum::potentials
