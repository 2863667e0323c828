// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The jointed part of a recorded step, rebuilt from (q, v) of the joints, Λ and the scene:
//
//   q_m = q_k ⊕ dt/2 v,  q_e = q_m ⊕ dt/2 v,  q* = q_m ⊕ dt/2 v⁺,  v̄ = (v + v⁺)/2,  q̄ = q_k ⊕ dt/2 v̄
//   for every velocity coordinate, with J_b, Θ_b of body b at q_m (Newton and Euler, body by body):
//     Σ_b J_bᵀ [Θ_b J_b (v⁺ − v) + dt (Θ_b J̇_b v̄ + (0, w̄ × I w̄)) − dt F_b − impulses] + armature (v⁺ − v)
//       = dt τ(t_m, q̄, v̄) + impulses of the laws along joints
//
// J̇ v̄ is the derivative of the body velocities along q_m ⊕ s v̄ with v̄ kept, by four central differences. With ε v̄ of
// size 1e-3 (rad, or parts of the length scale) the error is (1e-3)⁴/30 by truncation and 1e-16/1e-3 by rounding,
// relative to J̇ v̄; in the balance it is multiplied by dt |J̇ v̄| / |J v̄|, the angle of a step: below 1e-13.
#pragma once

#include "vinculum/checks/joint_laws.hpp"
#include "vinculum/trace/trace.hpp"

#include <Eigen/Core>

namespace vinculum::checks {

using integrators::ContactRecord;
using integrators::Mode;

/// A law along joints that took part in the step.
struct JointLawView {
  const JointLaw* law = nullptr;
  const ContactRecord* record = nullptr;
  JointLawState node, mid;
  Vec3 gamma_node = Vec3::Zero(), gamma_minus = Vec3::Zero(), gamma_plus = Vec3::Zero(), beta = Vec3::Zero();
  Vec3 xi = Vec3::Zero(), c = Vec3::Zero();
  double weight = 1;
  bool mode_agrees = true;
  /// Natural map in unit-free variables, and its parts.
  Vec3 defect(double dt) const;
  Vec3 Lambda() const { return record->Lambda / weight; }
};

/// Impulses of redundant bonds that change no motion: directions, loops that have a part in them, joints of the tree
/// that carry them.
struct Undetermined {
  int directions = 0;
  std::vector<std::string> loops, joints;
};

struct Trees {
  Trees(const model::Model& model, const trace::Header& header);

  Linkage linkage;
  std::vector<JointLaw> laws;
  VectorXd q_k, q_m, q_e, q_star, q_1, v_k, v_1, v_mean;
  Posture at_k, at_m, at_e, at_star, at_1;
  TreeMass mass, mass_1;  // at q_m, at q_{k+1}
  VectorXd v_free;        // v⁺ − M⁻¹ W Λ
  std::vector<JointLawView> views;
  std::string amiss;           // a law that must act and was not recorded, or twice, or does not exist
  double drift = 0, slip = 0;  // rows of linked bodies against their joints: placement, velocity; relative
  std::string drift_where, slip_where;
  VectorXd push;      // dt (τ + gravity + forces − gyroscopic terms)
  VectorXd summed;    // sizes of all numbers that were summed to it: forces may cancel, their roundings do not
  double work = 0;    // of τ without springs
  double worked = 0;  // likewise, summed to it

  void set(const trace::Row& before, const trace::Row& after, double dt);
  /// The equation above without the impulses: M(v⁺ − v) − push.
  void set_push(std::span<const double> controls, double t_mid, double dt);
  void push_part(double t_mid, double dt);
  void add_force(int body, const Vec3& x, const Vec3& F, const Vec3& m, double dt);
  /// `redundant`: columns, such impulses over the rows of the bonds in `views`.
  Undetermined undetermined(const MatrixXd& redundant) const;
  double energy(const VectorXd& q, const VectorXd& v, const Posture& at, double& kinetic) const;
  bool linked(int body) const { return body >= 0 && linkage.linked[static_cast<std::size_t>(body)]; }

 private:
  void compare(const trace::Row& row, const Posture& at, const VectorXd& v);
};

}  // namespace vinculum::checks
