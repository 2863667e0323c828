// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What acts along joints, from the scene: laws with impulses, and smooth forces τ(t, q, v).
//
//   limit      g = x − lower, or upper − x                 Λ ≥ 0, modes as for contacts
//   angle      g = upper − |turn_of(R)| of a ball          the same
//   friction   γ = ẋ                                       |Λ| ≤ dt friction
//   spring     Λ = −dt (k ḡ + c γ̄), g = l − rest            at the means of the step: ḡ = g_m + dt/4 (γ⁺ − γ⁻)
//   coupling   g = x_a − P(x_b)                            bond
//   points     g = x_B − x_A, world axes                   bond; γ is the relative velocity at the point between them
//   turning    g = turn of b against a in axes N of a      bond: two rows normal to a free axis, or three
// The last two follow from the type of the cut joint; connects are spherical, welds fixed. With the axis u and its
// normals n₁, n₂ fixed in the parent, d = x_B − x_A, γ at x_B:
//   points     prismatic, cylindrical n₁·d, n₂·d    planar u·d    screw n₁·d, n₂·d, u·d − pitch φ (mod 2π pitch)
//   turning    universal u·w − its value at zero coordinates, w the second axis in the child
//
// A record names a law by shape_a = −3 (lower limit), −4 (upper), −5 (friction), −6 (coupling), −7 (points), −8
// (turning), −9 (spring), −10 (angle) and by its number there: limits and frictions of joints in the order of the
// scene, then of tendons; balls; springs; couplings; connects, loops, welds.
#pragma once

#include "vinculum/checks/linkage.hpp"

namespace vinculum::checks {

/// Orientation matrices and centres of mass of all bodies at one instant.
struct Placement {
  std::vector<Vec3> x;
  std::vector<Mat3> R;
};

/// x = Σ coefficient q.
struct JointRow {
  struct Term {
    int q, v;
    double coefficient;
  };
  std::vector<Term> terms;
  double value(const VectorXd& q) const;
  double rate(const VectorXd& v) const;
};

struct JointLaw {
  enum class Kind {
    lower = -3,
    upper = -4,
    friction = -5,
    coupling = -6,
    points = -7,
    turning = -8,
    spring = -9,
    angle = -10,
    cut_lower = -11,
    cut_upper = -12,
    cut_friction = -13
  };
  Kind kind = Kind::lower;
  int index = 0, rows = 1;
  std::string name, owner;  // owner: the joint of a closure, without what it does there
  JointRow row, row_b;
  double bound = 0;                  // limit, angle: its value; friction: the force
  double e_N = 0;                    // limit
  std::vector<double> coefficients;  // coupling
  int a = model::world, b = model::world;
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();  // in the bodies' frames
  model::JointType type = model::JointType::spherical;  // points, turning: of the cut joint
  Mat3 R_AB = Mat3::Identity();                         // b's axes in a's at zero coordinates
  Vec3 axis = Vec3::Zero(), axis_2 = Vec3::Zero();      // in b's frame
  double pitch = 0;
  bool turns = false;                           // limits and friction of a cut joint: of its angle, not of its way
  double stiffness = 0, damping = 0, rest = 0;  // spring
  bool is_limit() const {
    return kind == Kind::lower || kind == Kind::upper || kind == Kind::angle || kind == Kind::cut_lower ||
           kind == Kind::cut_upper;
  }
  bool is_bond() const { return kind == Kind::coupling || kind == Kind::points || kind == Kind::turning; }
  /// Neither dry friction nor a spring.
  bool holds_gap() const { return is_limit() || is_bond(); }
};

/// A law at one instant. Between bodies: γ = Fᵀ (relative velocity at the point) + Nᵀ (w_b − w_a).
struct JointLawState {
  Vec3 gap = Vec3::Zero(), point = Vec3::Zero();
  Mat3 F = Mat3::Zero(), N = Mat3::Zero();
  Vec3 axis = Vec3::Zero();  // angle: of the rotation
  double slope = 0;
};

std::vector<JointLaw> make_joint_laws(const Linkage& linkage);
JointLawState look_at(const Linkage& linkage, const JointLaw& law, const VectorXd& q, const Placement& at);
Vec3 rate(const JointLaw& law, const JointLawState& state, const VectorXd& v, const Placement& at,
          const Speeds& speeds);

/// Impulses on the coordinates of trees and on free bodies. A contact pushes few of many: what is done
/// for each contact looks at these alone.
struct Pushes {
  VectorXd tau;
  std::vector<Vec3> p, l;
  std::vector<int> trees, bodies;  // that were pushed; all else is zero
  void clear(const Linkage& linkage);
  /// F at x and the couple m on a body.
  void add(const Linkage& linkage, const Posture& trees, const Placement& at, int body, const Vec3& x, const Vec3& F,
           const Vec3& m);
  void add(const Linkage& linkage, const Posture& trees, const Placement& at, const JointLaw& law,
           const JointLawState& state, const Vec3& Lambda);

 private:
  void add(const Linkage& linkage, const JointRow& row, double impulse);
  void touch_tree(int tree);
  void touch_body(int body);
  std::vector<char> tree_pushed_, body_pushed_;  // marks of those in the lists
};

/// Controls of the actuators as the scene has them at time t: of its table, its keyframe, or constant.
std::vector<double> scene_controls(const model::Model& model, double t);

/// A sum of forces on the coordinates, and the sizes of the numbers that were summed: kp x and kp x_0 of kp (x − x_0).
struct JointPush {
  VectorXd tau, terms;
  void add(int v, double force, double size) { tau[v] += force, terms[v] += std::abs(size); }
};

/// Dampers, springs, actuators, tendons, PD control.
JointPush joint_forces(const Linkage& linkage, std::span<const double> controls, const VectorXd& q, const VectorXd& v,
                       bool with_springs);
/// A of M̂ = M + dt/2 A, by which the run makes forces implicit, for the step from (q, v): −∂τ/∂v̄ with q̄ = q + dt/2 v̄
/// of what acts on single coordinates; of a row c with several entries k/2 |c_i| Σ|c_j|. Saturated actuators have none.
VectorXd implicit_part(const Linkage& linkage, std::span<const double> controls, double dt, const VectorXd& q,
                       const VectorXd& v);
double spring_energy(const Linkage& linkage, const VectorXd& q);
/// Of the springs between bodies.
double spring_energy(const Linkage& linkage, const Placement& at);

}  // namespace vinculum::checks
