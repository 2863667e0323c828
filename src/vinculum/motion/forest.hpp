// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The trees of a system at one configuration: poses and velocities of their bodies, smooth forces, and the effective
// mass of a step of length dt. With v̄ = (v + v⁺)/2 and, for simple coordinates, q̄ = q + dt/2 v̄, the implicit midpoint
//   M(q_m) (v⁺ − v) = dt f(v̄) + W Λ,    f = h(q_m, v̄) + τ(t_m, q̄, v̄)
// is solved by  M̂ v⁺ ← M v + dt f(v̄) + dt/2 A v⁺ + W Λ,   M̂ = M + dt/2 A,
// where A ≥ 0, diagonal, is −∂τ/∂v̄: dampers, springs, PD and actuators on single coordinates; of tendons, whose −∂τ/∂v̄
// is not diagonal, something not below its half, with which the repetition contracts. What remains outside A
// (gyroscopic forces, saturation) converges by repetition, at a rate of dt times its derivative.
//
// Equal trees are moved side by side (herd.hpp), the others one by one; the bits are the same. What others read of the
// former, places of nodes, subspaces and the factor, is written to the workspace by `factor`.
//
// A Lagrangian part that carries frames is one more tree, whose coordinates come last (carried.hpp).
#pragma once

#include "vinculum/motion/carried.hpp"
#include "vinculum/motion/herd.hpp"
#include "vinculum/motion/joint_forces.hpp"
#include "vinculum/motion/tree.hpp"
#include "vinculum/motion/velocity.hpp"

#include <optional>
#include <span>
#include <vector>

namespace vinculum::motion {

/// Kinetic and potential energy of the trees.
struct ForestEnergy {
  double kinetic = 0, potential = 0;
};

class ForestMotion {
 public:
  explicit ForestMotion(const system::System& system);

  const system::Forest& forest() const { return forest_; }
  /// ctrl of each actuator, for all that follows.
  void set_controls(std::span<const double> ctrl) { joint_forces_.set_controls(ctrl); }
  const TreeWorkspace& workspace() const { return ws_; }
  CarriedFrames& part() const { return *part_; }

  /// All that follows is at this configuration. Nothing is computed where it is the one of the last call.
  void settle(const Eigen::VectorXd& q);
  /// The same, and writes the poses of the linked bodies.
  void place(system::Configuration& q);
  /// Adds the velocities of the linked bodies.
  void velocity(const Eigen::VectorXd& v, Velocity& out);

  /// M, and A and the factor of M̂ for the step from (q_k, v); dt = 0 gives M alone.
  void factor(double t, double dt, const Eigen::VectorXd& q_k, const Eigen::VectorXd& v);
  /// v⁺ of the step without impulses, from the estimate v1 of v⁺, as z = L v⁺.
  void free_velocity(double t, double dt, const system::Configuration& q_k, const Eigen::VectorXd& v,
                     const Eigen::VectorXd& v1, Eigen::VectorXd& z);
  /// Sizes of the numbers that `free_velocity` sums besides those of the motion, over the pivots of L: weights beyond
  /// each joint times their arms, τ by its terms. They may cancel, their roundings do not. After `free_velocity`.
  void sizes(double dt, const Eigen::VectorXd& q_k, Eigen::VectorXd& out);
  /// L v of the step that was factored last.
  const Eigen::VectorXd& weighed() const { return Lv_; }
  /// x ← M̂⁻¹ x.
  void solve(Eigen::VectorXd& x) const {
    whiten(x);
    unwhiten(x);
  }

  /// x ← L⁻ᵀ x, M̂ = LᵀL.
  void whiten(Eigen::VectorXd& x) const {
    solve_Lt(forest_.tree, ws_, x.data());
    for (Herd& herd : herds_) herd.solve_Lt(x.data());
    if (part_) part_->whiten(x);
  }
  /// x ← L⁻¹ x.
  void unwhiten(Eigen::VectorXd& x) const {
    solve_L(forest_.tree, ws_, x.data());
    for (Herd& herd : herds_) herd.solve_L(x.data());
    if (part_) part_->unwhiten(x);
  }
  /// x ← L x.
  void weigh(Eigen::VectorXd& x) const {
    multiply_L(forest_.tree, ws_, x.data());
    for (Herd& herd : herds_) herd.multiply_L(x.data());
    if (part_) part_->weigh(x);
  }

  /// τ += Wᵀ of an impulse F (world) at the point x of a linked body, and of a couple.
  void add_impulse(int body, const Vec3& x, const Vec3& F, Eigen::VectorXd& tau) const;
  void add_couple(int body, const Vec3& m, Eigen::VectorXd& tau) const;

  /// Kinetic and potential energy; q is the configuration at hand.
  ForestEnergy energy(const Eigen::VectorXd& q, const Eigen::VectorXd& v);

  /// Work of τ without the springs, and of the forces on bodies, in a step with mean velocity v̄.
  double work(double t, double dt, const Eigen::VectorXd& q_k, const Eigen::VectorXd& v_mean);

 private:
  const system::System& system_;
  const system::Forest& forest_;
  TreeWorkspace ws_;
  void move(const Eigen::VectorXd& v);
  void advance(const Eigen::VectorXd& q, double dt, const Eigen::VectorXd& v);

  mutable std::vector<Herd> herds_;            // equal trees; ws_ moves the others
  mutable std::optional<CarriedFrames> part_;  // rows of J use its scratch memory
  Eigen::VectorXd placed_;                     // the configuration at hand
  Eigen::VectorXd moved_;                      // the velocities of the twists at hand
  bool moves_ = false;                         // there are twists at hand
  std::vector<Vec3> com_;                      // per link: its centre of mass in its node
  std::vector<std::size_t> alone_;             // links that no herd moves
  std::vector<Vec3> x_;                        // per link, there: its centre of mass
  std::vector<algebra::Quat> R_;               // and its axes
  std::vector<Vec3> reach_;                    // per link: from the origin of its node to its centre of mass
  std::vector<Wrench> external_;               // per link, at its origin
  std::vector<double> own_;                    // by node: energies
  JointForces joint_forces_;
  Eigen::VectorXd A_, mean_, q_mean_, tau_, h_, Lv_;
};

/// Where no ForestMotion is at hand.
ForestEnergy forest_energy(const system::System& system, const Eigen::VectorXd& q, const Eigen::VectorXd& v);

}  // namespace vinculum::motion
