// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// [[joint]]. Where the child is when q = 0 is said once: by the placement of the joint (child in parent), or by the
// placement of the body in the world, from which X_PC = X_WP⁻¹ X_WC follows with both bodies at q = 0.
#include "vinculum/base/nearest.hpp"
#include "vinculum/model/keys.hpp"
#include "vinculum/model/sections.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace vinculum::model {

using reader::Bound;
using reader::join;
using reader::quote;
using reader::Table;
using reader::Value;

namespace {

struct Draft {
  Joint joint;
  Table table;
  bool loop = false;
  bool placed = false;  // the table says where the child is in the parent
};

const JointForm& read_form(Table& table) {
  std::vector<std::string_view> names;
  for (const JointForm& form : joint_forms()) names.push_back(form.name);
  const Value type = table.need("type", "one of " + join(names));
  const std::string name = type.string();
  for (const JointForm& form : joint_forms()) {
    if (form.name == name) return form;
  }
  const std::string guess = base::nearest(name, names);
  type.fail("one of " + join(names) + (guess.empty() ? "" : fmt::format("; did you mean {}?", quote(guess))));
}

// A direction of any length, made unit; kept to the last bit if it is unit to round-off.
Vec3 read_direction(const Value& value) {
  const Vec3 axis = value.vector("");
  const double norm = axis.stableNorm();
  if (!(norm > 0)) value.fail("a zero axis", "a direction");
  return std::abs(norm - 1) <= 1e-15 ? axis : axis.stableNormalized();
}

void read_axes(Table& table, const JointForm& form, Joint& joint) {
  if (form.axis) {
    if (const std::optional<Value> axis = table.find("axis")) joint.axis = read_direction(*axis);
  }
  if (!form.axis_2) return;
  const std::optional<Value> axis_2 = table.find("axis_2");
  joint.axis_2 = axis_2 ? read_direction(*axis_2) : algebra::orthogonal_to(joint.axis);
  const double sine = joint.axis.cross(joint.axis_2).norm();
  if (!(sine > 1e-6)) axis_2->fail("the direction of axis", "another direction");
}

// One number for all coordinates of the joint, or one for each.
template <class Set>
void read_each(Table& table, std::string_view key, Bound bound, Joint& joint, Set set) {
  if (joint.axes.empty()) return;  // a fixed joint: Table::finish refuses the key
  const std::optional<Value> value = table.find(key);
  if (!value) return;
  const std::size_t count = joint.axes.size();
  const bool array = value->node().kind == reader::Node::Kind::array;
  const std::vector<double> x =
      array ? value->numbers(count, bound, "") : std::vector<double>(count, value->number(bound, ""));
  for (std::size_t i = 0; i < count; ++i) set(joint.axes[i], x[i]);
}

// Limits, where -inf below and inf above say that there is none on that side.
void read_bounds(Table& table, std::string_view key, double none, double JointAxis::*bound, Joint& joint) {
  if (joint.axes.empty()) return;
  const std::optional<Value> value = table.find(key);
  if (!value) return;
  const auto read = [&](const Value& x) {
    const bool open = x.node().kind == reader::Node::Kind::number && x.node().number == none;
    return open ? none : x.number(Bound::finite, "");
  };
  if (value->node().kind != reader::Node::Kind::array) {
    for (JointAxis& axis : joint.axes) axis.*bound = read(*value);
    return;
  }
  const std::string expected = fmt::format("an array of {} numbers", joint.axes.size());
  if (value->size(expected) != joint.axes.size()) value->fail(expected);
  for (std::size_t i = 0; i < joint.axes.size(); ++i) joint.axes[i].*bound = read(value->item(i));
}

void read_limits(Table& table, Joint& joint) {
  if (joint.type == JointType::continuous) return;
  if (joint.type == JointType::spherical) {  // one angle of rotation
    if (const auto upper = table.number("upper", Bound::positive, "rad")) joint.axes[0].upper = *upper;
  } else if (joint.type != JointType::free) {
    read_bounds(table, "lower", -unbounded, &JointAxis::lower, joint);
    read_bounds(table, "upper", unbounded, &JointAxis::upper, joint);
    for (const JointAxis& axis : joint.axes) {
      if (axis.lower > axis.upper)
        table.find("lower")->fail(fmt::format("{} above upper = {}", axis.lower, axis.upper), "lower <= upper");
    }
  }
  if (table.has("lower") || table.has("upper"))
    read_each(table, "e_N", Bound::fraction, joint, [](JointAxis& a, double x) { a.e_N = x; });
}

void read_forces_of(Table& table, Joint& joint) {
  read_each(table, "friction", Bound::nonnegative, joint, [](JointAxis& a, double x) { a.friction = x; });
  read_each(table, "damping", Bound::nonnegative, joint, [](JointAxis& a, double x) { a.damping = x; });
  read_each(table, "armature", Bound::nonnegative, joint, [](JointAxis& a, double x) { a.armature = x; });
  read_each(table, "stiffness", Bound::nonnegative, joint, [](JointAxis& a, double x) { a.stiffness = x; });
  if (joint.type != JointType::spherical && joint.type != JointType::free)
    read_each(table, "rest", Bound::finite, joint, [](JointAxis& a, double x) { a.rest = x; });
  read_each(table, "effort", Bound::positive, joint, [](JointAxis& a, double x) { a.effort = x; });
}

// A cut joint has no coordinates; where the way of one body against the other is one angle or length, or both, it may
// be limited and rub. An angle is known up to whole turns.
void read_cut_laws(Table& table, Joint& joint) {
  using enum JointType;
  if (joint.type != revolute && joint.type != continuous && joint.type != prismatic && joint.type != cylindrical)
    return;
  read_limits(table, joint);
  read_each(table, "friction", Bound::nonnegative, joint, [](JointAxis& a, double x) { a.friction = x; });
  for (std::size_t k = joint.type == prismatic ? 1 : joint.axes.size() - 1; k < joint.axes.size(); ++k) {
    for (const auto& [key, bound] : {std::pair("lower", joint.axes[k].lower), {"upper", joint.axes[k].upper}}) {
      if (std::isfinite(bound) && std::abs(bound) >= std::numbers::pi)
        table.find(key)->fail(fmt::format("{} rad on a cut joint", bound), "an angle between -pi and pi");
    }
  }
}

// A single coordinate may stand without brackets.
std::vector<double> read_coordinates(const Value& value, std::size_t count) {
  if (count == 1 && value.node().kind != reader::Node::Kind::array) return {value.number(Bound::finite, "")};
  return value.numbers(count, Bound::finite, "");
}

void read_state(Table& table, const JointForm& form, Joint& joint) {
  joint.q.assign(static_cast<std::size_t>(form.nq), 0);
  joint.v.assign(static_cast<std::size_t>(form.nv), 0);
  const std::size_t w = form.type == JointType::free ? 3 : 0;  // where a quaternion begins
  const bool quaternion = form.type == JointType::free || form.type == JointType::spherical;
  if (quaternion) joint.q[w] = 1;
  if (form.nq == 0) return;
  if (const std::optional<Value> q = table.find("q")) {
    joint.q = read_coordinates(*q, joint.q.size());
    if (quaternion) {
      const Quat R = read_unit(*q, Quat(joint.q[w], joint.q[w + 1], joint.q[w + 2], joint.q[w + 3]));
      joint.q[w] = R.w(), joint.q[w + 1] = R.x(), joint.q[w + 2] = R.y(), joint.q[w + 3] = R.z();
    }
  }
  if (const std::optional<Value> v = table.find("v")) joint.v = read_coordinates(*v, joint.v.size());
}

Draft read_joint(const Value& value, Scene& scene) {
  Draft draft{{}, Table(value, "[[joint]]", joint_keys())};
  Table& table = draft.table;
  Joint& joint = draft.joint;
  draft.loop = table.boolean("loop", false);
  const int index = static_cast<int>(scene.model.joints.size());
  joint.name = read_name(table, draft.loop ? scene.loops : scene.joints, index);
  joint.place = value.place();
  joint.path = value.path();
  const JointForm& form = read_form(table);
  joint.type = form.type;
  joint.parent = read_body_or_world(table.find("parent"), scene);
  const Value child = table.need("child", "the name of a body");
  joint.child = scene.bodies.find(child);
  if (joint.parent == joint.child) child.fail("another body than the parent");
  for (const int b : {joint.parent, joint.child}) {
    if (draft.loop || b == world || !scene.model.bodies[static_cast<std::size_t>(b)].carried()) continue;
    child.fail(fmt::format("a frame, {}", quote(scene.model.bodies[static_cast<std::size_t>(b)].name)),
               "bodies (a [[connect]] or [[weld]] ties them to a frame)");
  }
  if (scene.model.bodies[static_cast<std::size_t>(joint.child)].particle) child.fail("a body that turns, no particle");
  joint.axes.resize(static_cast<std::size_t>(form.nv));
  draft.placed = table.has("position") || table.has("quaternion") || table.has("rotation");
  joint.X_PC = read_pose(table);
  if (form.nv > 0 && form.type != JointType::free) joint.point = table.vector("point", "m").value_or(Vec3::Zero());
  read_axes(table, form, joint);
  if (form.type == JointType::screw)
    joint.pitch = table.need("pitch", "a number (m/rad)").number(Bound::finite, "m/rad");
  if (draft.loop) {
    read_cut_laws(table, joint);
  } else {
    read_limits(table, joint);
    read_forces_of(table, joint);
    read_state(table, form, joint);
  }
  table.finish(fmt::format("on a {}joint of type {}", draft.loop ? "loop " : "", form.name));
  return draft;
}

// A child has one parent and one place.
void check_siblings(const Draft& draft, const Model& model, std::span<const int> earlier) {
  if (earlier.empty()) return;
  const Joint& first = model.joints[static_cast<std::size_t>(earlier.front())];
  Table table = draft.table;
  const std::string& child = model.bodies[static_cast<std::size_t>(draft.joint.child)].name;
  if (first.parent != draft.joint.parent) {
    table.find("child")->fail(
        fmt::format("{} with another parent", quote(child)),
        fmt::format("the parent of its first joint (line {}), or loop = true for a joint that closes a loop",
                    first.place.line));
  }
  if (draft.placed)
    table.self().fail(fmt::format("a second placement of {}", quote(child)),
                      fmt::format("it on the first joint of the child only (line {})", first.place.line));
}

void check_cycle(const Draft& draft, const Model& model, const std::vector<std::vector<int>>& joints) {
  for (int b = draft.joint.parent; b != world;) {
    if (b == draft.joint.child) {
      Table table = draft.table;
      table.find("parent")->fail(fmt::format("{}, which hangs on the child itself",
                                             quote(model.bodies[static_cast<std::size_t>(draft.joint.parent)].name)),
                                 "a tree; loop = true for a joint that closes a loop");
    }
    const std::vector<int>& own = joints[static_cast<std::size_t>(b)];
    b = own.empty() ? world : model.joints[static_cast<std::size_t>(own.front())].parent;
  }
}

// X_PC of joints that do not say it, from the placement of the bodies at q = 0.
void settle_placements(std::vector<Draft>& drafts, Scene& scene) {
  Model& model = scene.model;
  const std::vector<std::vector<int>> joints = joints_of_bodies(model);
  std::vector<char> done(model.bodies.size(), 0);
  const auto settle = [&](const auto& self, int b) -> void {
    if (b == world || done[static_cast<std::size_t>(b)]) return;
    done[static_cast<std::size_t>(b)] = 1;
    const std::vector<int>& own = joints[static_cast<std::size_t>(b)];
    if (own.empty()) return;
    Draft& draft = drafts[static_cast<std::size_t>(own.front())];
    Joint& joint = model.joints[static_cast<std::size_t>(own.front())];
    self(self, joint.parent);
    Body& body = model.bodies[static_cast<std::size_t>(b)];
    const GivenMotion& given = scene.given[static_cast<std::size_t>(b)];
    if (given.velocity)
      given.velocity->fail("a velocity of a body that joints move",
                           fmt::format("v of its joint {}", quote(joint.name)));
    if (draft.placed && given.pose) {
      given.pose->fail("a placement of a body that its joint places as well",
                       fmt::format("one of the two (joint {})", quote(joint.name)));
    }
    const Pose X_WP = joint.parent == world ? Pose{} : model.bodies[static_cast<std::size_t>(joint.parent)].X_WB;
    if (draft.placed || !given.pose) {
      body.X_WB = joint.parent == world ? joint.X_PC : X_WP * joint.X_PC;
    } else {
      joint.X_PC = joint.parent == world ? body.X_WB : X_WP.inverse() * body.X_WB;
      joint.X_PC.R.normalize();
    }
  };
  for (int b = 0; b < std::ssize(model.bodies); ++b) settle(settle, b);
}

Pose pose_of(const Model& model, int body) {
  return body == world ? Pose{} : model.bodies[static_cast<std::size_t>(body)].X_WB;
}

}  // namespace

void read_joints(Table& root, Scene& scene) {
  Model& model = scene.model;
  std::vector<Draft> drafts, loops;
  std::vector<std::vector<int>> joints(model.bodies.size());
  for (const Value& value : array_of_tables(root, "joint")) {
    Draft draft = read_joint(value, scene);
    if (draft.loop) {
      loops.push_back(std::move(draft));
      continue;
    }
    std::vector<int>& siblings = joints[static_cast<std::size_t>(draft.joint.child)];
    check_siblings(draft, model, siblings);
    check_cycle(draft, model, joints);
    siblings.push_back(static_cast<int>(model.joints.size()));
    model.joints.push_back(draft.joint);
    drafts.push_back(std::move(draft));
  }
  for (const auto& [body, inertia] : scene.singular) {
    const std::vector<int>& own = joints[static_cast<std::size_t>(body)];
    if (own.empty() || model.joints[static_cast<std::size_t>(own[0])].type == JointType::free)
      fail_singular(inertia, model.bodies[static_cast<std::size_t>(body)]);
  }
  settle_placements(drafts, scene);
  place_bodies(model);
  for (const Draft& draft : loops) {
    Joint joint = draft.joint;
    if (!draft.placed) joint.X_PC = pose_of(model, joint.parent).inverse() * pose_of(model, joint.child);
    model.loops.push_back(std::move(joint));
  }
}

}  // namespace vinculum::model
