// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Coulomb–Contensou: a disc pressed uniformly slides and drills; rows (u_1, u_2, ω).          convex/contensou.cpp
//   Φ(u, ω) = F · mean of |u + ω × r| over the disc of radius R.
#include "vinculum/potentials/registry.hpp"

namespace vinculum::potentials {

LawFactory contensou_factory() {
  static const Parameter parameters[] = {
      {.name = "load", .unit = "N", .text = "friction coefficient times normal force", .low = 0},
      {.name = "radius", .unit = "m", .text = "radius of the contact patch", .low = 0, .open = true},
  };
  return {Level::velocity, parameters, [](const Values& v) -> LawPtr {
            return std::make_shared<SupportLaw>(convex::make_contensou(v.at("load"), v.at("radius")));
          }};
}

}  // namespace vinculum::potentials
