// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/motion/turn.hpp"

namespace vinculum::motion {

Turns::Turns(const system::System& system) : seen_(system.body_count(), 0) {
  for (const system::Collider& shape : system.shapes) {
    if (shape.body == system::world) continue;
    const bool round = shape.geometry.kind == shapes::Kind::sphere && shape.X_BS.p.isZero(0);
    if (!round) seen_[static_cast<std::size_t>(shape.body)] = 1;
  }
}

Turn Turns::largest(const Velocity& velocity, double dt) const {
  Turn turn;
  for (std::size_t b = 0; b < seen_.size(); ++b) {
    if (!seen_[b]) continue;
    const double angle = dt * velocity.w[b].norm();
    if (angle > turn.angle) turn = {angle, static_cast<int>(b)};
  }
  return turn;
}

}  // namespace vinculum::motion
