// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// How near bodies must be at q_m for the search to report them. A contact can close in the second half of the step only
// if its gap at q_m is below dt/2 times the speeds. A slow body may be struck: it gets the margin of the fastest, up to
// a quarter of its size. Where the solve makes a body faster than that, the search is repeated with wider margins.
#pragma once

#include "vinculum/integrators/places.hpp"

namespace vinculum::integrators {

class Margins {
 public:
  Margins(const system::System& system, double dt) : system_(system), dt_(dt) {}

  /// For the speeds at the node and after the forces.
  void set(const Places& at);
  /// True if the solve made a body faster than its margin allows for. Then all bodies that touch something must be
  /// widened to the margin of the fastest, so that a blow through a heap costs one more search, not one per layer.
  bool are_exceeded(const motion::Velocity& after);
  void widen(int body);
  /// True if from where the search looked to q a body has moved by more than its margin; `stayed`: those that have not.
  bool are_left(const system::Configuration& searched, const system::Configuration& q,
                std::vector<std::uint8_t>& stayed) const;

  const std::vector<double>& of_bodies() const { return margin_; }

 private:
  const system::System& system_;
  double dt_;
  std::vector<double> margin_;
  double needed_ = 0;  // by the fastest after the solve
};

}  // namespace vinculum::integrators
