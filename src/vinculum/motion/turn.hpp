// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// How far bodies turn in a step. Between two configurations a body is followed along an even rotation
// (docs/decisions/fast_bodies.md), which a turn by more than about one radian is not: a touch may be missed.
#pragma once

#include "vinculum/motion/velocity.hpp"

#include <cstdint>

namespace vinculum::motion {

inline constexpr double kFollowed = 1;  // rad

struct Turn {
  double angle = 0;  // rad
  int body = system::world;
};

class Turns {
 public:
  explicit Turns(const system::System& system);
  /// The largest |ω| dt of a body that looks different when it has turned.
  Turn largest(const Velocity& velocity, double dt) const;

 private:
  std::vector<std::uint8_t> seen_;  // has a shape, and not only spheres about its centre of mass
};

}  // namespace vinculum::motion
