// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// How near bodies must be at q_m for the search to report them. A contact can close in the second half of the step only
// if its gap at q_m is below dt/2 times the speeds. A slow body may be struck: it has a margin of its size, of which
// one in some hundreds needs more in a heap that moves. The search looks around those again, as far as the fastest
// comes, up to a quarter of the size. Where that is not enough, or shows contacts that close, all is repeated with
// wider margins.
#pragma once

#include "vinculum/integrators/places.hpp"

namespace vinculum::integrators {

class Margins {
 public:
  Margins(const system::System& system, double dt) : system_(system), dt_(dt) {}

  /// For the speeds at the node and after the forces.
  void set(const Places& at);
  /// True if the solve made a body faster than its margin allows for.
  bool are_exceeded(const motion::Velocity& after);
  /// Widens the margins of those bodies, `grown`, to what they need and half of it more. False if one has not the room.
  bool grow(const motion::Velocity& after);
  /// To the margin of the fastest: so that a blow through a heap costs one more search, not one per layer.
  void widen(int body);
  /// How far from where the search looked the bodies have come: within their margins, within their room, or beyond.
  /// `left`: those that are not within their margins.
  enum class Way : std::uint8_t { within, near, beyond };
  Way way(const system::Configuration& searched, const system::Configuration& q, std::vector<std::uint8_t>& left) const;

  const std::vector<double>& of_bodies() const { return margin_; }
  const std::vector<double>& room() const { return room_; }
  const std::vector<std::uint8_t>& grown() const { return grown_; }

 private:
  const system::System& system_;
  double dt_;
  std::vector<double> margin_, room_;  // of each body
  std::vector<std::uint8_t> grown_;
  double needed_ = 0;  // by the fastest after the solve
};

}  // namespace vinculum::integrators
