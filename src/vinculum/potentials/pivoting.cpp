// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Pivoting (drilling) resistance under a given load, one row: the angular rate about the normal.
//   Φ(ω) = τ|ω|.  A uniformly pressed disc has τ = (2/3) R μN.
#include "vinculum/potentials/registry.hpp"

namespace vinculum::potentials {

LawFactory pivoting_factory() {
  static const Parameter parameters[] = {
      {.name = "torque", .unit = "N m", .text = "resisting torque about the normal", .low = 0},
  };
  return {Level::velocity, parameters, [](const Values& v) -> LawPtr {
            const double torque = v.at("torque");
            return std::make_shared<SupportLaw>(convex::make_interval(-torque, torque));
          }};
}

}  // namespace vinculum::potentials
