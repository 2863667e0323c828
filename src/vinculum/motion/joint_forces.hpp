// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What acts along the coordinates of the trees, smoothly (equations in joint_forces.cpp). The forest is read once, and
// actuators whose force depends on their control alone once per step: forces are asked for several times in a step.
#pragma once

#include "vinculum/system/forest.hpp"

#include <Eigen/Core>
#include <array>
#include <span>
#include <vector>

namespace vinculum::motion {

class JointForces {
 public:
  explicit JointForces(const system::Forest& forest);

  /// ctrl of each actuator, for all that follows.
  void set_controls(std::span<const double> ctrl);
  /// τ(ctrl, q̄, v̄).
  void evaluate(const Eigen::VectorXd& q_mean, const Eigen::VectorXd& v_mean, bool with_springs,
                Eigen::VectorXd& tau) const;
  /// −∂τ/∂v̄ where it is diagonal, with q̄ = q + dt/2 v̄; of tendons a diagonal not below its half.
  void damping(double dt, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& A) const;
  /// Sizes of the numbers of which τ is the sum, at rest: kp x and kp x_0 of kp (x_0 − x).
  void sizes(const Eigen::VectorXd& q, Eigen::VectorXd& out) const;
  /// They ask for no position of a turn by quaternion or of a twist.
  bool are_simple() const { return simple_; }

 private:
  struct Along {  // one velocity coordinate
    int q;        // the coordinate whose rate it is; −1 for turns by quaternion and twists
    double damping, kp, target, stiffness, rest;
  };
  void add_actuators(const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& tau) const;

  const system::Forest& forest_;
  bool turned_;  // springs on turns by quaternion
  bool simple_;
  std::vector<Along> along_;
  std::vector<const system::TendonForce*> tendons_;  // that pull
  std::vector<std::array<double, 3>> affine_;  // of each actuator: its force c₀ + c₁ x + c₂ ẋ within its range
  std::vector<double> ctrl_;                   // whose that is
  bool constant_ = false;                      // c₁ = c₂ = 0 for all
  Eigen::VectorXd pushed_;                     // by them, then
};

/// ctrl of every actuator at time t as the scene has it: from its table, or constant.
void scene_controls(const system::Forest& forest, double t, std::vector<double>& ctrl);

/// Energy of the springs on coordinates and tendons.
double spring_energy(const system::Forest& forest, const Eigen::VectorXd& q);

}  // namespace vinculum::motion
