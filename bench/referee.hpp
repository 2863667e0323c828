// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The same questions to everybody, from positions and velocities alone.
#pragma once

#include "scene_peers.hpp"

#include "vinculum/collide/search.hpp"

namespace vinculum::bench {

struct Figures {
  double overlap = 0;  // deepest, m
  double speed = 0;    // largest bound on the speed of a body point, m/s
  double creep = 0;    // largest displacement of a centre of mass from the start, m
  double energy = 0;   // kinetic + potential, J
  bool finite = true;  // every number is one
};

class Referee {
 public:
  explicit Referee(const model::Model& model);
  Figures judge(const Motion& motion);
  /// Kinetic and of gravity, J.
  double energy(const Motion& motion) const;
  /// Σ overlap² over all contacts, m².
  double squared_overlaps(const Motion& motion);

 private:
  system::System system_;
  system::Configuration start_;
  collide::Search search_;
  std::vector<double> margin_;
  collide::ContactSet found_;
};

}  // namespace vinculum::bench
