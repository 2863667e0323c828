// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Linear spring.                                                                    theory/glocker-1998.md, Sec 7
//   V = k/2 (x − x_0)²;   −f = k (x − x_0).
#include "vinculum/potentials/compose.hpp"
#include "vinculum/potentials/registry.hpp"

namespace vinculum::potentials {

LawFactory spring_factory() {
  static const Parameter parameters[] = {
      {.name = "stiffness", .unit = "N/m", .text = "spring constant k", .low = 0},
      {.name = "rest", .unit = "m", .text = "x_0, where the spring is free", .fallback = 0},
  };
  return {Level::displacement, parameters, [](const Values& v) -> LawPtr {
            const double k = v.at("stiffness"), rest = v.at("rest");
            return make_smooth(
                Level::displacement, 1, [=](const Vec& x) { return k / 2 * (x[0] - rest) * (x[0] - rest); },
                [=](const Vec& x) { return convex::vec(k * (x[0] - rest)); }, true);
          }};
}

}  // namespace vinculum::potentials
