// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Dry friction under a given load, one direction.                                  theory/glocker-1998.md, Sec 2
//   Φ(u) = F|u|,  F = μN ≥ 0;   ∂Φ(0) = [−F, F],  ∂Φ(u) = {F sign u};   Ψ(a) = F|a| at rest.
#include "vinculum/potentials/registry.hpp"

namespace vinculum::potentials {

LawFactory dry_friction_factory() {
  static const Parameter parameters[] = {
      {.name = "load", .unit = "N", .text = "friction coefficient times normal force", .low = 0},
  };
  return {Level::velocity, parameters, [](const Values& v) -> LawPtr {
            const double load = v.at("load");
            return std::make_shared<SupportLaw>(convex::make_interval(-load, load));
          }};
}

}  // namespace vinculum::potentials
