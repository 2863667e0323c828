// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// v = M(q)⁻¹ p for all bodies: the twist at the centre of mass, world axes.
#pragma once

#include "vinculum/system/system.hpp"

namespace vinculum::motion {

struct Velocity {
  std::vector<algebra::Vec3> v;  // of the centre of mass
  std::vector<algebra::Vec3> w;  // angular
};

void velocity(const system::System& system, const system::Configuration& q, const std::vector<algebra::Vec3>& p,
              const std::vector<algebra::Vec3>& l, Velocity& out);

/// Bound on the speed of any point of body b.
inline double speed_bound(const system::System& system, const Velocity& velocity, std::size_t b) {
  return velocity.v[b].norm() + velocity.w[b].norm() * system.bodies.size[b];
}

}  // namespace vinculum::motion
