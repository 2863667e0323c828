// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What tree_bench asks of an engine: the three kernels of forward and inverse dynamics, from q alone (kinematics
// included). Coordinates are ours: quaternions (w, x, y, z), twists in the axes of the child.
#pragma once

#include "vinculum/parts/tree.hpp"

#include <Eigen/Core>
#include <memory>
#include <string>

namespace vinculum::bench {

struct TreePeer {
  virtual ~TreePeer() = default;
  virtual std::string name() const = 0;
  /// Takes the states once, so that conversions stay out of the clock.
  virtual void set_states(const Eigen::MatrixXd& q, const Eigen::MatrixXd& v, const Eigen::MatrixXd& x) = 0;
  // State k: forces for the acceleration x, mass matrix, acceleration for the force x.
  virtual void rnea(int k, Eigen::VectorXd& tau) = 0;
  virtual void crba(int k) = 0;
  virtual void aba(int k, Eigen::VectorXd& vdot) = 0;
  virtual Eigen::MatrixXd mass_matrix() const = 0;  // of the last crba
};

/// Links with one free or revolute joint about a coordinate axis at the child's origin. `world`: which of its two
/// conventions for CRBA and ABA.
std::unique_ptr<TreePeer> make_pinocchio(const std::vector<parts::TreeLink>& links, bool world);

}  // namespace vinculum::bench
