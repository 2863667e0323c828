// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Isotropic dry friction under a given load, two directions.                       theory/glocker-1998.md, Sec 2
//   Φ(u) = F|u|;   ∂Φ(0) = disc of radius F = μN,  ∂Φ(u) = {F u/|u|}.
#include "vinculum/potentials/registry.hpp"

namespace vinculum::potentials {

LawFactory disc_friction_factory() {
  static const Parameter parameters[] = {
      {.name = "load", .unit = "N", .text = "friction coefficient times normal force", .low = 0},
  };
  return {Level::velocity, parameters, [](const Values& v) -> LawPtr {
            return std::make_shared<SupportLaw>(convex::make_ball(Vec::Zero(2), v.at("load")));
          }};
}

}  // namespace vinculum::potentials
