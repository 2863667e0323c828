// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Rolling resistance under a given load, two axes of rolling; rows are angular rates, forces are torques.
//   Φ(ω) = τ|ω|,  τ = arm · N (N m).
#include "vinculum/potentials/registry.hpp"

namespace vinculum::potentials {

LawFactory rolling_factory() {
  static const Parameter parameters[] = {
      {.name = "torque", .unit = "N m", .text = "arm of rolling resistance times normal force", .low = 0},
  };
  return {Level::velocity, parameters, [](const Values& v) -> LawPtr {
            return std::make_shared<SupportLaw>(convex::make_ball(Vec::Zero(2), v.at("torque")));
          }};
}

}  // namespace vinculum::potentials
