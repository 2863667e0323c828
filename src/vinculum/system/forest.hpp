// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// All trees of a scene as one part, with what acts along their coordinates.
//
//   M(q) v̇ = h(q, v) + τ(t, q, v) + W λ
//   τ = −damping v − stiffness (q − rest) + actuators + tendons + PD control
//
// Limits, dry friction, loops and couplings are laws, not forces: they become blocks of the contact problem. There the
// coordinates of one tree are cut into nodes of six, behind the nodes of the free bodies.
#pragma once

#include "vinculum/model/model.hpp"
#include "vinculum/parts/lagrangian.hpp"
#include "vinculum/parts/tree.hpp"

#include <memory>
#include <vector>

namespace vinculum::system {

using algebra::Pose;
using algebra::Vec3;

/// One addend of a linear function of coordinates: x = Σ coefficient q, ẋ = Σ coefficient v.
struct Term {
  int q = 0, v = 0;
  double coefficient = 1;
};
using Row = std::vector<Term>;

/// lower ≤ x ≤ upper, Newton restitution e_N.
struct Limit {
  Row row;
  double lower = 0, upper = 0, e_N = 0;
};

/// Angle of the rotation of a ball ≤ upper.
struct BallLimit {
  int q = 0, v = 0;  // its quaternion, its angular velocity
  double upper = 0, e_N = 0;
};

/// |force| ≤ friction along the row.
struct RowFriction {
  Row row;
  double friction = 0;
};

/// f = clamp((gain₀ + gain₁ x + gain₂ ẋ) clamp(ctrl) + bias₀ + bias₁ x + bias₂ ẋ) along the row.
struct Actuator {
  Row row;
  std::array<double, 3> gain{1, 0, 0}, bias{0, 0, 0};
  double ctrl_lower = 0, ctrl_upper = 0, force_lower = 0, force_upper = 0;
  double ctrl = 0;
};

/// A spring with slack and a damper along a tendon: f = −stiffness (x − [rest_lower, rest_upper]) − damping ẋ.
struct TendonForce {
  Row row;
  double stiffness = 0, damping = 0, rest_lower = 0, rest_upper = 0;
};

/// x_a = Σ c_k x_b^k; without b, x_a = c_0.
struct Coupling {
  Row a, b;
  std::vector<double> coefficients;
};

/// A joint that closes a loop, as what it leaves free (table in forest.cpp): how the point of b may slide against that
/// of a, and how b may turn against a. Axes are fixed in a, unless said otherwise.
///   sliding   none      3 rows   the points coincide
///             thread    3 rows   along the axis, by pitch per radian of turning
///             line      2 rows   along the axis
///             plane     1 row    normal to the axis
///   turning   none      3 rows
///             axis      2 rows   about the axis
///             two_axes  1 row    about the axis in a, then about axis_2 in b: their angle is kept
///             free      0 rows
struct Closure {
  enum class Sliding : std::uint8_t { none, thread, line, plane };
  enum class Turning : std::uint8_t { none, axis, two_axes, free };
  int a = -1, b = -1;
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();  // in the centre-of-mass frames
  Sliding sliding = Sliding::none;
  Turning turning = Turning::free;
  algebra::Quat R_AB = algebra::Quat::Identity();     // b's axes in a's, kept up to the turning that is free
  Vec3 axis = Vec3::UnitZ(), axis_2 = Vec3::UnitX();  // in b's axes
  double pitch = 0;                                   // m/rad
};

/// lower ≤ x ≤ upper of the way that a cut joint leaves free: x the angle of b against a about its axis in (−π, π], or
/// the displacement along it.
struct CutLimit {
  int closure = 0;
  bool turns = false;
  double lower = 0, upper = 0, e_N = 0;
};
/// |force| ≤ friction along x.
struct CutFriction {
  int closure = 0;
  bool turns = false;
  double friction = 0;
};

/// Between two points at distance l: f = −stiffness (l − rest) − damping l̇.
struct Spring {
  int a = -1, b = -1;
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();  // in the centre-of-mass frames
  double stiffness = 0, damping = 0, rest = 0;
};

struct Forest {
  /// `part`: the Lagrangian part where it carries frames, which then belongs here; null otherwise.
  Forest(const model::Model& model, std::shared_ptr<const parts::Lagrangian> part);

  /// Coordinates: those of the trees, then those of the Lagrangian part.
  int nq() const { return tree.nq() + part_size(); }
  int nv() const { return tree.nv() + part_size(); }
  int part_size() const { return part ? static_cast<int>(part->size()) : 0; }
  /// q ⊕ v: constant velocities for unit time.
  void integrate(const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& out) const;

  std::shared_ptr<const parts::Lagrangian> part;
  std::vector<int> frame_of_body;  // −1: none
  std::vector<int> body_of_frame;
  std::vector<Vec3> frame_axis;

  parts::Tree tree;
  std::vector<int> link_of_body;  // −1: a free body
  std::vector<int> body_of_link;
  std::vector<int> node_of_body;  // free bodies: their node in contact problems; −1: linked
  int free_bodies = 0;
  std::vector<Vec3> com;                     // of each link, in its frame
  std::vector<int> slot;                     // of a velocity coordinate: 6 · node + place, nodes counted from zero
  std::vector<std::vector<int>> tree_nodes;  // by link: the nodes of its tree, ascending
  int nodes = 0;

  // Along single velocity coordinates.
  std::vector<int> q_of_v;  // the coordinate whose rate it is; −1 for turns by quaternion and twists
  std::vector<double> damping, stiffness, rest;
  std::vector<double> effort;          // bound on the sum of the actuators' forces
  std::vector<double> kp, kd, target;  // PD control

  std::vector<Limit> limits;
  std::vector<BallLimit> ball_limits;
  std::vector<RowFriction> frictions;
  std::vector<Spring> springs;
  std::vector<Actuator> actuators;
  std::vector<std::string> actuator_names;
  std::vector<TendonForce> tendons;
  std::vector<Coupling> couplings;
  std::vector<Closure> closures;
  std::vector<CutLimit> cut_limits;
  std::vector<CutFriction> cut_frictions;
  model::Control control;  // without times: ctrl is constant

  Eigen::VectorXd q_start, v_start;
  std::vector<std::string> q_names, v_names;  // knee; root[0], root[1], ... where a joint has several

 private:
  void add_links(const model::Model& model);
  void cut_into_nodes();
  void add_coordinates(const model::Model& model);
  void add_forces(const model::Model& model);
  void add_laws(const model::Model& model);
  void add_closures(const model::Model& model);
  void add_cut_laws(const model::Joint& loop, int closure);
  Row row_of(const model::Model& model, const model::Quantity& quantity) const;

  std::vector<int> iq_, iv_;  // of each joint of the model, in the tree
};

/// A point of the body frame, seen from the centre of mass; world points stay as they are.
Vec3 from_com(const model::Model& model, int body, const Vec3& point);

/// The value of a row and its rate.
double value(const Row& row, const Eigen::VectorXd& q);
double rate(const Row& row, const Eigen::VectorXd& v);

}  // namespace vinculum::system
