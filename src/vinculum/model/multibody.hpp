// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Joints and what goes with them, as the user wrote them: trees, loops, couplings, tendons, actuators, keyframes.
//
// Placement of the child of a joint in its parent, for joints 1, 2, ... that share the child (file order):
//   X_PC(q) = X_PC · J_1(q_1) · J_2(q_2) ···,     J(q) = T(c) E(q) T(−c)
// with c the `point` and E(q) the motion of the type about the origin, both in the child's frame. With a = axis,
// b = axis_2, e_3 = a, e_1 = b made orthogonal to a, e_2 = e_3 × e_1:
//   fixed         1
//   revolute      R(a, q)                                            continuous: the same without limits
//   prismatic     T(a q)
//   screw         R(a, q) T(a h q)                                   h = pitch (m/rad)
//   cylindrical   T(a q_0) R(a, q_1)
//   universal     R(a, q_0) R(b, q_1)
//   spherical     R(q)                                               q = (w, x, y, z); v = ω in the child's axes
//   planar        T(e_1 q_0 + e_2 q_1) R(a, q_2)
//   six_dof       T(q_0, q_1, q_2) R(x, q_3) R(y, q_4) R(z, q_5)     v = q̇, as in all types not said otherwise
//   free          T(q_0, q_1, q_2) R(q_3 .. q_6)                     v = (ṗ, ω): ω in the child's axes
// q and v of the whole model are those of the joints one after the other, in the order of Model::joints.
#pragma once

#include "vinculum/algebra/types.hpp"
#include "vinculum/base/error.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vinculum::model {

constexpr double unbounded = std::numeric_limits<double>::infinity();

enum class JointType : std::uint8_t {
  fixed,
  revolute,
  continuous,
  prismatic,
  screw,
  cylindrical,
  universal,
  spherical,
  planar,
  free,
  six_dof
};

/// What the reader has to know about a type; what it does to a body is above and in joint_motion.hpp.
struct JointForm {
  JointType type;
  std::string_view name;
  int nq, nv;
  bool axis, axis_2;  // whether it has them
};
std::span<const JointForm> joint_forms();  // index = JointType
const JointForm& form_of(JointType type);

/// What acts along one velocity coordinate of a joint. N m, N m s/rad, ... for angles; N, N s/m, ... for lengths.
struct JointAxis {
  double lower = -unbounded, upper = unbounded;  // of q; spherical: `upper` of the first is the largest angle, rad
  double e_N = 0;                                // restitution at the limits
  double friction = 0;                           // dry: |force| ≤ friction
  double damping = 0;
  double armature = 0;   // kg m² or kg
  double stiffness = 0;  // force = −stiffness (q − rest); spherical, free: towards the rest rotation 1, rest place 0
  double rest = 0;
  double effort = unbounded;  // |sum of the actuators' forces| ≤ effort
};

struct Joint {
  std::string name;
  base::Place place;
  std::string path;  // joint[2]
  JointType type = JointType::revolute;
  int parent = -1, child = 0;                     // bodies; parent −1 is the world
  algebra::Pose X_PC;                             // first joint of a child: its frame in the parent's at q = 0
  algebra::Vec3 point = algebra::Vec3::Zero();    // in the child's frame, m
  algebra::Vec3 axis = algebra::Vec3::UnitZ();    // unit, child's frame
  algebra::Vec3 axis_2 = algebra::Vec3::UnitX();  // unit, child's frame
  double pitch = 0;                               // m/rad
  std::vector<double> q, v;                       // start; form_of(type).nq, nv
  std::vector<JointAxis> axes;                    // nv
};

/// Ball joint that closes a loop: two points coincide.
struct Connect {
  std::string name;
  base::Place place;
  int a = -1, b = -1;
  algebra::Vec3 point_a = algebra::Vec3::Zero(), point_b = algebra::Vec3::Zero();  // in the frames of a and b
};

/// Two bodies move as one: b's frame stays at X_AB in a's.
struct Weld {
  std::string name;
  base::Place place;
  int a = -1, b = -1;
  algebra::Pose X_AB;
};

/// A joint coordinate, or the length of a tendon.
struct Quantity {
  int joint = -1;      // −1: a tendon
  int coordinate = 0;  // of the joint
  int tendon = -1;
};

/// a = Σ c_k b^k: mimic, gear, joint equality. Without b the quantity a keeps the value c_0.
struct Coupling {
  std::string name;
  base::Place place;
  Quantity a;
  std::optional<Quantity> b;
  std::vector<double> coefficients;  // c_0, c_1, ...
};

/// Fixed tendon: length l = Σ coefficient · q.
struct Tendon {
  struct Term {
    int joint = 0, coordinate = 0;
    double coefficient = 0;
  };
  std::string name;
  base::Place place;
  std::vector<Term> terms;
  double lower = -unbounded, upper = unbounded;
  double stiffness = 0, damping = 0, friction = 0;
  double rest_lower = 0, rest_upper = 0;  // free of spring force between the two
};

/// Force f on a joint coordinate or a tendon, x its length (gear · q summed over the joint's coordinates, or gear · l):
///   f = clamp((gain_0 + gain_1 x + gain_2 ẋ) clamp(ctrl) + bias_0 + bias_1 x + bias_2 ẋ),    generalised force = gear
///   f torque: gain_0 = 1;  position: gain_0 = kp, bias (0, −kp, −kd);  velocity: gain_0 = kd, bias (0, 0, −kd)
struct Actuator {
  enum class Kind : std::uint8_t { torque, position, velocity, general };
  std::string name;
  base::Place place;
  Kind kind = Kind::torque;
  int joint = -1, tendon = -1;  // one of them
  std::vector<double> gear;     // one per velocity coordinate of the joint; one for a tendon
  std::array<double, 3> gain{1, 0, 0}, bias{0, 0, 0};
  double ctrl_lower = -unbounded, ctrl_upper = unbounded;
  double force_lower = -unbounded, force_upper = unbounded;
  double ctrl = 0;  // at the start, and for good without [control]
};

/// A named state. Sizes: Σ nq, Σ nv, number of actuators.
struct Keyframe {
  std::string name;
  base::Place place;
  std::vector<double> q, v, ctrl;
};

/// Who moves the actuators.
///   key         ctrl of that keyframe; with kp or kd also τ = kp (q_key − q) − kd v on every coordinate of revolute,
///               continuous, prismatic and screw joints
///   table       ctrl at the times of the rows, linear in between, constant before and after
struct Control {
  base::Place place;
  int key = -1;
  double kp = 0, kd = 0;
  std::vector<double> times;                // ascending, s
  std::vector<std::vector<double>> values;  // per row: one per actuator
};

/// ctrl of actuator i at time t from the table: linear between rows, constant before and after.
double control_value(const Control& control, std::size_t i, double t);

/// Something of an imported file that has no effect here.
struct Notice {
  std::string what;    // element or attribute: geom.solref
  std::string reason;  // not used: contact is exact
  base::Place place;   // the first one
  int count = 1;
};

struct Model;

int nq(const Model& model);
int nv(const Model& model);

/// J(q) of one joint.
algebra::Pose joint_motion(const Joint& joint, std::span<const double> q);

/// Angular velocity and velocity of the child's origin relative to the parent, in the child's axes, for v at q.
struct JointVelocity {
  algebra::Vec3 w = algebra::Vec3::Zero(), v = algebra::Vec3::Zero();
};
JointVelocity joint_velocity(const Joint& joint, std::span<const double> q, std::span<const double> v);

/// Joints of each body, in file order.
std::vector<std::vector<int>> joints_of_bodies(const Model& model);

/// Sets X_WB, v_WB, w_WB of every jointed body from the joints' q and v.
void place_bodies(Model& model);

/// q, v of the joints and ctrl of the actuators from a keyframe; then place_bodies.
void start_at(Model& model, int keyframe);

/// Free bodies only: every joint is `free`, on the world, alone, and nothing hangs on it or refers to it. Such a model
/// needs no tree.
bool only_free_bodies(const Model& model);

/// Who may touch whom (docs/scene.md, [[shape]]).
class ContactFilter {
 public:
  explicit ContactFilter(const Model& model);
  bool may_touch(int shape_a, int shape_b) const;
  /// Bodies without relative motion share a group: those joined by `fixed` joints; −1 is the world's.
  int group(int body) const { return body < 0 ? -1 : groups_[static_cast<std::size_t>(body)]; }
  /// The group that the group of this number hangs on by a joint; −2: none.
  int above(int group) const { return parents_[static_cast<std::size_t>(group)]; }

 private:
  const Model* model_;
  std::vector<int> groups_;   // of the bodies
  std::vector<int> parents_;  // group that a group hangs on; −2: none
};

}  // namespace vinculum::model
