// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A dead load F along x (gravity, an applied force).
//   V = −F x;   −f = −F.
#include "vinculum/potentials/compose.hpp"
#include "vinculum/potentials/registry.hpp"

namespace vinculum::potentials {

LawFactory constant_force_factory() {
  static const Parameter parameters[] = {
      {.name = "force", .unit = "N", .text = "force along the coordinate"},
  };
  return {Level::displacement, parameters, [](const Values& v) -> LawPtr {
            const double F = v.at("force");
            return make_smooth(
                Level::displacement, 1, [F](const Vec& x) { return -F * x[0]; },
                [F](const Vec&) { return convex::vec(-F); }, true);
          }};
}

}  // namespace vinculum::potentials
