// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Orthotropic dry friction under given loads.
//   Φ(u) = √(F_1² u_1² + F_2² u_2²);   ∂Φ(0) = ellipse of radii F_i = μ_i N. The force is not against the motion, but
//   dissipates most.
#include "vinculum/potentials/registry.hpp"

namespace vinculum::potentials {

LawFactory ellipse_friction_factory() {
  static const Parameter parameters[] = {
      {.name = "load_1",
       .unit = "N",
       .text = "friction coefficient of the first direction times normal force",
       .low = 0},
      {.name = "load_2", .unit = "N", .text = "the same of the second direction", .low = 0},
  };
  return {Level::velocity, parameters, [](const Values& v) -> LawPtr {
            return std::make_shared<SupportLaw>(
                convex::make_ellipsoid(Vec::Zero(2), convex::vec(v.at("load_1"), v.at("load_2"))));
          }};
}

}  // namespace vinculum::potentials
