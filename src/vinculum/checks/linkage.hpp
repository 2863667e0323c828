// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Jointed bodies seen by the auditor: the forward product of the model's own joint definitions (model/multibody.hpp),
// and nothing of parts/tree or motion/tree.
//
// Every velocity coordinate i has one screw s_i(q): angular velocity w_i and velocity v_i of the point of the body that
// is at the world's origin, for unit velocity of the coordinate and all others at rest. Then for a body b at x_b
//   w_b = Σ w_i v_i,   ẋ_b = Σ (v_i + w_i × x_b) v_i,   i over the joints between b and the world.
//
// Coordinates are the trace's: those of the model, but for a free joint, whose velocity is in the child's axes.
#pragma once

#include "vinculum/checks/solids.hpp"
#include "vinculum/model/model.hpp"
#include "vinculum/parts/lagrangian.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace vinculum::checks {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Centres of mass, orientations and screws at one configuration.
struct Posture {
  std::vector<Vec3> x;
  std::vector<Mat3> R;
  std::vector<Vec3> screw_v, screw_w;  // by velocity coordinate
  VectorXd part;                       // coordinates of a Lagrangian part that carries frames
  MatrixXd frames;                     // ∂(x, y, z, angle of each frame)/∂q, transposed
};

/// Velocities of all bodies: of the centre of mass, and angular.
struct Speeds {
  std::vector<Vec3> v, w;
};

class Linkage {
 public:
  /// `q_names`, `v_names`: how the trace calls its columns. InputError where they are not those of the scene's joints.
  Linkage(const model::Model& model, std::span<const std::string> q_names, std::span<const std::string> v_names);

  struct Place {
    int q = -1, v = -1;  // first coordinates of a joint in the trace; −1: its body is free
  };
  const model::Model& model;
  std::vector<Place> of_joint;
  std::vector<char> linked;                 // by body; frames of a Lagrangian part, too
  std::vector<int> frame;                   // by body: which frame; −1: none
  std::shared_ptr<parts::Lagrangian> part;  // where it carries frames: its coordinates come last
  std::vector<std::vector<int>> chain;      // by body: the coordinates that move it
  std::vector<std::string> v_names;
  std::vector<int> tree_of;             // by coordinate
  std::vector<std::vector<int>> trees;  // coordinates of each, ascending
  VectorXd armature;
  int nq() const { return nq_; }
  int nv() const { return static_cast<int>(v_names.size()); }
  Eigen::Index part_size() const { return part ? part->size() : 0; }
  /// Coordinates of trees and part, one after the other.
  VectorXd join(const VectorXd& tree, const VectorXd& lagrangian) const;

  /// x, R of linked bodies and all screws.
  void place(const VectorXd& q, Posture& out) const;
  /// Velocities of linked bodies.
  void move(const Posture& at, const VectorXd& v, Speeds& out) const;
  /// q ⊕ u: constant velocities u for unit time.
  VectorXd shift(const VectorXd& q, const VectorXd& u) const;
  /// The u with shift(q_0, u) = q_1.
  VectorXd difference(const VectorXd& q_0, const VectorXd& q_1) const;
  /// out += Jᵀ (F, m), F acting at x.
  void pull(const Posture& at, int body, const Vec3& x, const Vec3& F, const Vec3& m, VectorXd& out) const;
  /// out += the sizes of the numbers that `pull` sums.
  void pull_sizes(const Posture& at, int body, const Vec3& x, const Vec3& F, const Vec3& m, VectorXd& out) const;

 private:
  int nq_ = 0;
  std::vector<int> order_;  // linked bodies, parents first
  std::vector<std::vector<int>> joints_;
};

/// M = Σ_b Jᵀ Θ_b J + armature, tree by tree, with Cholesky factors.
class TreeMass {
 public:
  /// `added`: to the diagonal; empty: nothing.
  void set(const Linkage& linkage, const Posture& at, const VectorXd& added = {});
  VectorXd times(const VectorXd& v) const;
  VectorXd solve(const VectorXd& x) const;
  /// xᵀ M⁻¹ x of an x that is zero outside of these trees.
  double inverse_square(const VectorXd& x, std::span<const int> trees) const;
  /// √ of the diagonal.
  const VectorXd& root() const { return root_; }

 private:
  const Linkage* linkage_ = nullptr;
  std::vector<MatrixXd> M_;
  std::vector<Eigen::LLT<MatrixXd>> factor_;
  VectorXd root_;
};

/// exp and log of rotations, by Rodrigues.
Mat3 turned(const Vec3& a);
Vec3 turn_of(const Mat3& R);

}  // namespace vinculum::checks
