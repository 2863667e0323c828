// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames carried by a Lagrangian part, at one configuration:
//
//   X(q) = (x(q), R(axis, φ(q))),    v = x_q u,   w = axis φ_q u          v of the point y: v + w × (y − x)
//   M(q) (u⁺ − u) = dt (h + f)(t_m, q_m, ū) + Σ Jᵀ F,    J = x_q − (y − x)^ axis φ_q   of a force F at y
//
// so that the part is one more tree of the forest, with a dense factor M = L̃ L̃ᵀ: in the notation of trees L = L̃ᵀ.
// Energies and placements do not depend on time; applied forces may.
#pragma once

#include "vinculum/motion/velocity.hpp"
#include "vinculum/system/system.hpp"

#include <Eigen/Cholesky>

namespace vinculum::motion {

using algebra::Vec3;

class CarriedFrames {
 public:
  explicit CarriedFrames(const system::Forest& forest);

  /// All that follows is at q, the last coordinates of a forest's.
  void place(const Eigen::VectorXd& q);
  void write_poses(system::Configuration& q) const;
  void velocity(const Eigen::VectorXd& v, Velocity& out) const;
  void factor(double t);

  /// On the last entries of vectors over the coordinates of the forest: M u, dt (h + f)(t, ū), M⁻¹ x, L⁻¹ x, L⁻ᵀ x, L
  /// x.
  void multiply(const Eigen::VectorXd& v, Eigen::VectorXd& Mv) const;
  void add_forces(double t, double dt, const Eigen::VectorXd& mean, Eigen::VectorXd& out);
  void solve(Eigen::VectorXd& x) const;
  void unwhiten(Eigen::VectorXd& x) const;
  void whiten(Eigen::VectorXd& x) const;
  void weigh(Eigen::VectorXd& x) const;

  /// Jᵀ F of a force at y, and of a couple.
  void add_impulse(int body, const Vec3& y, const Vec3& F, Eigen::VectorXd& tau) const;
  void add_couple(int body, const Vec3& m, Eigen::VectorXd& tau) const;
  /// A row F·v(y) or m·w in whitened coordinates: L⁻ᵀ Jᵀ F.
  const Eigen::VectorXd& row(int body, const Vec3& y, const Vec3& F, const Vec3& m);

  double kinetic(const Eigen::VectorXd& v);
  double potential() const;
  /// Of the applied forces.
  double work(double t, double dt, const Eigen::VectorXd& mean);

 private:
  Eigen::Index frame(int body) const { return 4 * forest_.frame_of_body[static_cast<std::size_t>(body)]; }
  void set(double t, const Eigen::VectorXd& v);

  const system::Forest& forest_;
  const parts::Lagrangian& part_;
  Eigen::Index n_;
  parts::Point point_;
  Eigen::VectorXd q_, u_, x_, forces_, row_;
  Eigen::MatrixXd W_, M_;  // n × 4 frames: x, y, z, φ
  Eigen::LLT<Eigen::MatrixXd> factor_;
};

}  // namespace vinculum::motion
