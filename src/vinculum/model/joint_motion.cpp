// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Forward product over the joints, as multibody.hpp writes it down. Velocities of the child's frame against the
// parent's, joint by joint, in the child's axes:
//   (w, v) ← R_Jᵀ (w, v + w × p_J) + (w_J, v_J),    (w_J, v_J) the joint's own, v of the child's origin
#include "vinculum/joints/joint.hpp"
#include "vinculum/model/model.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::model {

namespace {

/// What the registry of joints says of each type; JointType has its order. (How joints move bodies is written out here
/// once more, for those who check what the trees do.)
const std::vector<JointForm>& forms() {
  static const std::vector<JointForm> table = [] {
    std::vector<JointForm> made;
    for (const joints::JointType& type : joints::joint_types()) {
      const auto index = made.size();
      const joints::Joint joint(static_cast<joints::Kind>(index), {});
      made.push_back(
          {static_cast<JointType>(index), type.name, joint.nq(), joint.nv(), type.uses_axis, type.uses_axis_2});
    }
    VINCULUM_DEMAND(made.size() == static_cast<std::size_t>(JointType::six_dof) + 1);
    return made;
  }();
  return table;
}

Quat turn(const Vec3& axis, double angle) {
  const double s = std::sin(angle / 2);
  return {std::cos(angle / 2), s * axis.x(), s * axis.y(), s * axis.z()};
}

Vec3 first_in_plane(const Joint& joint) {
  return (joint.axis_2 - joint.axis.dot(joint.axis_2) * joint.axis).normalized();
}

// E(q): the motion of the type about the origin.
Pose motion_about_origin(const Joint& joint, std::span<const double> q) {
  const Vec3& a = joint.axis;
  switch (joint.type) {
    case JointType::fixed:
      return {};
    case JointType::revolute:
    case JointType::continuous:
      return {Vec3::Zero(), turn(a, q[0])};
    case JointType::prismatic:
      return {q[0] * a, Quat::Identity()};
    case JointType::screw:
      return {joint.pitch * q[0] * a, turn(a, q[0])};
    case JointType::cylindrical:
      return {q[0] * a, turn(a, q[1])};
    case JointType::universal:
      return {Vec3::Zero(), turn(a, q[0]) * turn(joint.axis_2, q[1])};
    case JointType::spherical:
      return {Vec3::Zero(), Quat(q[0], q[1], q[2], q[3])};
    case JointType::planar: {
      const Vec3 e_1 = first_in_plane(joint);
      return {q[0] * e_1 + q[1] * a.cross(e_1), turn(a, q[2])};
    }
    case JointType::free:
      return {Vec3(q[0], q[1], q[2]), Quat(q[3], q[4], q[5], q[6])};
    case JointType::six_dof:
      return {Vec3(q[0], q[1], q[2]),
              turn(Vec3::UnitX(), q[3]) * turn(Vec3::UnitY(), q[4]) * turn(Vec3::UnitZ(), q[5])};
  }
  return {};
}

// Velocity of the frame that E moves, in its own axes: w, and that of its origin.
JointVelocity velocity_about_origin(const Joint& joint, std::span<const double> q, std::span<const double> v) {
  const Vec3& a = joint.axis;
  switch (joint.type) {
    case JointType::fixed:
      return {};
    case JointType::revolute:
    case JointType::continuous:
      return {v[0] * a, Vec3::Zero()};
    case JointType::prismatic:
      return {Vec3::Zero(), v[0] * a};
    case JointType::screw:
      return {v[0] * a, joint.pitch * v[0] * a};
    case JointType::cylindrical:
      return {v[1] * a, v[0] * a};
    case JointType::universal:
      return {turn(joint.axis_2, -q[1]) * (v[0] * a) + v[1] * joint.axis_2, Vec3::Zero()};
    case JointType::spherical:
      return {Vec3(v[0], v[1], v[2]), Vec3::Zero()};
    case JointType::planar: {
      const Vec3 e_1 = first_in_plane(joint);
      return {v[2] * a, turn(a, -q[2]) * (v[0] * e_1 + v[1] * a.cross(e_1))};
    }
    case JointType::free:
      return {Vec3(v[3], v[4], v[5]), Quat(q[3], q[4], q[5], q[6]).conjugate() * Vec3(v[0], v[1], v[2])};
    case JointType::six_dof: {
      const Quat y = turn(Vec3::UnitY(), -q[4]), z = turn(Vec3::UnitZ(), -q[5]);
      const Vec3 w = z * (y * Vec3(v[3], 0, 0) + Vec3(0, v[4], 0)) + Vec3(0, 0, v[5]);
      return {w, z * (y * (turn(Vec3::UnitX(), -q[3]) * Vec3(v[0], v[1], v[2])))};
    }
  }
  return {};
}

struct Motion {
  Pose X;                  // child in parent
  JointVelocity velocity;  // child's axes
};

Motion product(const Model& model, std::span<const int> joints) {
  Motion motion{model.joints[static_cast<std::size_t>(joints.front())].X_PC, {}};
  for (const int j : joints) {
    const Joint& joint = model.joints[static_cast<std::size_t>(j)];
    const Pose J = joint_motion(joint, joint.q);
    const JointVelocity own = joint_velocity(joint, joint.q, joint.v);
    const Vec3 w = motion.velocity.w, v = motion.velocity.v;
    motion.velocity = {J.R.conjugate() * w + own.w, J.R.conjugate() * (v + w.cross(J.p)) + own.v};
    motion.X = motion.X * J;
  }
  motion.X.R.normalize();
  return motion;
}

}  // namespace

std::span<const JointForm> joint_forms() { return forms(); }
const JointForm& form_of(JointType type) { return forms()[static_cast<std::size_t>(type)]; }

int nq(const Model& model) {
  int n = 0;
  for (const Joint& joint : model.joints) n += form_of(joint.type).nq;
  return n;
}

int nv(const Model& model) {
  int n = 0;
  for (const Joint& joint : model.joints) n += form_of(joint.type).nv;
  return n;
}

Pose joint_motion(const Joint& joint, std::span<const double> q) {
  const Pose E = motion_about_origin(joint, q);
  return {joint.point + E.p - E.R * joint.point, E.R};
}

JointVelocity joint_velocity(const Joint& joint, std::span<const double> q, std::span<const double> v) {
  const JointVelocity at_point = velocity_about_origin(joint, q, v);
  return {at_point.w, at_point.v - at_point.w.cross(joint.point)};
}

std::vector<std::vector<int>> joints_of_bodies(const Model& model) {
  std::vector<std::vector<int>> joints(model.bodies.size());
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    joints[static_cast<std::size_t>(model.joints[j].child)].push_back(static_cast<int>(j));
  }
  return joints;
}

void place_bodies(Model& model) {
  const std::vector<std::vector<int>> joints = joints_of_bodies(model);
  std::vector<Vec3> origin_velocity(model.bodies.size());
  std::vector<char> done(model.bodies.size(), 0);
  std::vector<int> path;
  const auto set = [&](int b) {
    Body& body = model.bodies[static_cast<std::size_t>(b)];
    const std::vector<int>& own = joints[static_cast<std::size_t>(b)];
    Vec3& v_origin = origin_velocity[static_cast<std::size_t>(b)];
    if (own.empty()) {
      v_origin = body.v_WB - body.w_WB.cross(body.X_WB.R * body.com);
      return;
    }
    const Motion motion = product(model, own);
    const int p = model.joints[static_cast<std::size_t>(own.front())].parent;
    const Pose X_WP = p == world ? Pose{} : model.bodies[static_cast<std::size_t>(p)].X_WB;
    const Vec3 w_P = p == world ? Vec3(Vec3::Zero()) : model.bodies[static_cast<std::size_t>(p)].w_WB;
    const Vec3 v_P = p == world ? Vec3(Vec3::Zero()) : origin_velocity[static_cast<std::size_t>(p)];
    body.X_WB = p == world ? motion.X : X_WP * motion.X;
    body.X_WB.R.normalize();
    body.w_WB = w_P + body.X_WB.R * motion.velocity.w;
    v_origin = v_P + w_P.cross(X_WP.R * motion.X.p) + body.X_WB.R * motion.velocity.v;
    body.v_WB = v_origin + body.w_WB.cross(body.X_WB.R * body.com);
  };
  for (int b = 0; b < std::ssize(model.bodies); ++b) {
    // Ancestors first; chains may be long, so that this is a loop and no recursion.
    for (int x = b; x != world && !done[static_cast<std::size_t>(x)];) {
      path.push_back(x);
      const std::vector<int>& own = joints[static_cast<std::size_t>(x)];
      x = own.empty() ? world : model.joints[static_cast<std::size_t>(own.front())].parent;
    }
    for (; !path.empty(); path.pop_back()) {
      set(path.back());
      done[static_cast<std::size_t>(path.back())] = 1;
    }
  }
}

void start_at(Model& model, int keyframe) {
  const Keyframe& key = model.keyframes[static_cast<std::size_t>(keyframe)];
  auto q = key.q.begin();
  auto v = key.v.begin();
  for (Joint& joint : model.joints) {
    for (double& x : joint.q) x = *q++;
    for (double& x : joint.v) x = *v++;
  }
  for (std::size_t i = 0; i < model.actuators.size(); ++i) model.actuators[i].ctrl = key.ctrl[i];
  place_bodies(model);
}

bool only_free_bodies(const Model& model) {
  if (!model.loops.empty() || !model.connects.empty() || !model.welds.empty() || !model.couplings.empty() ||
      !model.tendons.empty() || !model.actuators.empty() || !model.springs.empty() || model.control) {
    return false;
  }
  std::vector<int> count(model.bodies.size(), 0);
  for (const Joint& joint : model.joints) {
    if (joint.type != JointType::free || joint.parent != world) return false;
    if (++count[static_cast<std::size_t>(joint.child)] > 1) return false;
    const bool bare = std::all_of(joint.axes.begin(), joint.axes.end(), [](const JointAxis& a) {
      return a.lower == -unbounded && a.upper == unbounded && a.friction == 0 && a.damping == 0 && a.armature == 0 &&
             a.stiffness == 0;
    });
    if (!bare) return false;
  }
  return true;
}

}  // namespace vinculum::model
