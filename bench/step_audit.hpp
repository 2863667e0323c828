// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// How well did a step of somebody else's engine obey Coulomb's law? Its own contacts, masses and impulses Λ and the
// velocities v⁺ it arrived at are put into the problem that our solvers are measured by,
//   ξ = J M⁻¹ Jᵀ Λ + c,   c := ξ⁺ − J M⁻¹ Jᵀ Λ,   ξ⁺ = J v⁺ + (b, 0, 0),
// and contact::measure gives the natural map. b is what the engine itself asks for: n·v⁺ + b ≥ 0, so that lifting
// overlaps or letting open contacts close is no error. What an engine does to v⁺ besides (gyroscopic terms, damping)
// enters c and is no error either.
#pragma once

#include "scene_peers.hpp"

namespace vinculum::bench {

/// What an engine did at one contact.
struct Touch {
  int a = system::world, b = system::world;  // bodies; the impulse acts on a, its opposite on b
  Vec3 p_a, p_b;                             // where on either of them, world
  Vec3 n;                                    // unit, towards a
  Vec3 impulse;                              // N s, world
  double mu = 0;
  double bias = 0;  // b, m/s
};

class StepAudit {
 public:
  explicit StepAudit(const system::System& system) : system_(system) {}

  /// `before` gives the places for which J and M are taken, `after` the velocities.
  StepErrors judge(const std::vector<Touch>& touches, const Motion& before, const Motion& after, double dt);

 private:
  void add_side(const Vec3 axes[3], double sign, int body, const Vec3& p, const Motion& before);
  double balance(const std::vector<Touch>& touches, const Motion& before, const Motion& after, double dt) const;

  const system::System& system_;
  contact::ContactProblem problem_;
  std::vector<algebra::Mat3> root_;  // L of I = L Lᵀ in world axes
  std::vector<Vec3> Lambda_, xi_, u_;
  std::vector<double> z_;
};

}  // namespace vinculum::bench
