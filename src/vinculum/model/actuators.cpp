// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// [[actuator]], [[keyframe]], [control], and the keyframe to start from.
#include "vinculum/base/nearest.hpp"
#include "vinculum/model/control_table.hpp"
#include "vinculum/model/keys.hpp"
#include "vinculum/model/sections.hpp"

#include <fmt/core.h>
#include <algorithm>

namespace vinculum::model {

using reader::Bound;
using reader::quote;
using reader::Table;
using reader::Value;

namespace {

using Kind = Actuator::Kind;

Kind read_kind(Table& table) {
  const Value type = table.need("type", "\"torque\", \"position\", \"velocity\" or \"general\"");
  const std::string text = type.string();
  if (text == "torque") return Kind::torque;
  if (text == "position") return Kind::position;
  if (text == "velocity") return Kind::velocity;
  if (text == "general") return Kind::general;
  type.fail("\"torque\", \"position\", \"velocity\" or \"general\"");
}

void read_range(Table& table, std::string_view key, double& lower, double& upper) {
  const std::optional<Value> value = table.find(key);
  if (!value) return;
  const std::vector<double> x = value->numbers(2, Bound::finite, "");
  if (x[0] > x[1]) value->fail(fmt::format("{} above {}", x[0], x[1]), "the lower end first");
  lower = x[0], upper = x[1];
}

/// c_0 + c_1 x + c_2 ẋ as three numbers; one is c_0.
void read_affine(Table& table, std::string_view key, std::array<double, 3>& c) {
  const std::optional<Value> value = table.find(key);
  if (!value) return;
  if (value->node().kind != reader::Node::Kind::array) {
    c = {value->number(Bound::finite, ""), 0, 0};
    return;
  }
  const std::vector<double> x = value->numbers(3, Bound::finite, "");
  c = {x[0], x[1], x[2]};
}

void read_force(Table& table, Actuator& actuator) {
  const auto gain = [&](std::string_view key) {
    return table.need(key, "a number >= 0").number(Bound::nonnegative, "");
  };
  switch (actuator.kind) {
    case Kind::torque:
      return;
    case Kind::position:
      actuator.gain[0] = gain("kp");
      actuator.bias = {0, -actuator.gain[0], -table.number("kd", Bound::nonnegative, "").value_or(0)};
      return;
    case Kind::velocity:
      actuator.gain[0] = gain("kd");
      actuator.bias = {0, 0, -actuator.gain[0]};
      return;
    case Kind::general:
      read_affine(table, "gain", actuator.gain);
      read_affine(table, "bias", actuator.bias);
      return;
  }
}

Actuator read_actuator(const Value& value, Scene& scene) {
  Table table(value, "[[actuator]]", actuator_keys());
  Actuator actuator;
  actuator.name = read_name(table, scene.actuators, static_cast<int>(scene.model.actuators.size()));
  actuator.place = value.place();
  actuator.kind = read_kind(table);
  const std::optional<Value> joint = table.find("joint"), tendon = table.find("tendon");
  if (!joint && !tendon) table.fail_missing("joint", "the name of a joint, or tendon");
  if (joint && tendon) tendon->fail("joint as well", "one of joint and tendon");
  std::size_t count = 1;
  if (tendon) actuator.tendon = scene.tendons.find(*tendon);
  if (joint) {
    actuator.joint = scene.joints.find(*joint);
    const JointForm& form = form_of(scene.model.joints[static_cast<std::size_t>(actuator.joint)].type);
    if (form.nv == 0) joint->fail("a fixed joint", "a joint that moves");
    count = static_cast<std::size_t>(form.nv);
  }
  actuator.gear.assign(count, 0);
  actuator.gear[0] = 1;
  if (const std::optional<Value> gear = table.find("gear")) {
    const bool array = gear->node().kind == reader::Node::Kind::array;
    if (array)
      actuator.gear = gear->numbers(count, Bound::finite, "");
    else
      actuator.gear[0] = gear->number(Bound::finite, "");
  }
  read_force(table, actuator);
  read_range(table, "ctrl_range", actuator.ctrl_lower, actuator.ctrl_upper);
  read_range(table, "force_range", actuator.force_lower, actuator.force_upper);
  actuator.ctrl = table.number("ctrl", Bound::finite, "").value_or(0);
  table.finish("on an actuator of this type");
  return actuator;
}

// Quaternions inside q have norm 1.
void check_quaternions(const Value& where, const Model& model, std::vector<double>& q) {
  std::size_t at = 0;
  for (const Joint& joint : model.joints) {
    const std::size_t w = at + (joint.type == JointType::free ? 3 : 0);
    if (joint.type == JointType::free || joint.type == JointType::spherical) {
      const Quat R = read_unit(where, Quat(q[w], q[w + 1], q[w + 2], q[w + 3]));
      q[w] = R.w(), q[w + 1] = R.x(), q[w + 2] = R.y(), q[w + 3] = R.z();
    }
    at += static_cast<std::size_t>(form_of(joint.type).nq);
  }
}

Keyframe read_keyframe(const Value& value, Scene& scene) {
  Table table(value, "[[keyframe]]", keyframe_keys());
  const Model& model = scene.model;
  Keyframe key;
  key.name = read_name(table, scene.keyframes, static_cast<int>(model.keyframes.size()));
  key.place = value.place();
  for (const Joint& joint : model.joints) {
    key.q.insert(key.q.end(), joint.q.begin(), joint.q.end());
    key.v.insert(key.v.end(), joint.v.begin(), joint.v.end());
  }
  for (const Actuator& actuator : model.actuators) key.ctrl.push_back(actuator.ctrl);
  if (const std::optional<Value> q = table.find("q")) {
    key.q = q->numbers(key.q.size(), Bound::finite, "coordinates of all joints");
    check_quaternions(*q, model, key.q);
  }
  if (const std::optional<Value> v = table.find("v")) key.v = v->numbers(key.v.size(), Bound::finite, "");
  if (const std::optional<Value> c = table.find("ctrl")) key.ctrl = c->numbers(key.ctrl.size(), Bound::finite, "");
  return key;
}

// Rows [t, ctrl_0, ctrl_1, ...].
void read_rows(const Value& table, std::size_t actuators, Control& control) {
  const std::size_t rows = table.size("an array of rows [t, ctrl of each actuator]");
  if (rows == 0) table.fail("at least one row");
  for (std::size_t i = 0; i < rows; ++i) {
    const std::vector<double> row = table.item(i).numbers(actuators + 1, Bound::finite, "t, ctrl of each actuator");
    if (i > 0 && !(row[0] > control.times.back()))
      table.item(i).fail(fmt::format("t = {} after t = {}", row[0], control.times.back()), "ascending times (s)");
    control.times.push_back(row[0]);
    control.values.emplace_back(row.begin() + 1, row.end());
  }
}

// A trace carries its own scene: the name of a file gives way to its rows, in one line.
void embed_rows(const Value& file, const Control& control, std::string& text) {
  std::string rows = "[";
  for (std::size_t i = 0; i < control.times.size(); ++i) {
    rows += fmt::format("{}[{}", i > 0 ? ", " : "", control.times[i]);
    for (const double x : control.values[i]) rows += fmt::format(", {}", x);
    rows += "]";
  }
  rows += "]";
  for (const char* mark : {"\"", "'"}) {
    if (replace_in_line(file.node().line, mark + file.string() + mark, rows, text)) return;
  }
}

}  // namespace

void read_actuators(Table& root, Scene& scene) {
  for (const Value& value : array_of_tables(root, "actuator"))
    scene.model.actuators.push_back(read_actuator(value, scene));
}

void read_keyframes(Table& root, Scene& scene) {
  for (const Value& value : array_of_tables(root, "keyframe"))
    scene.model.keyframes.push_back(read_keyframe(value, scene));
}

void read_start(Table& root, Scene& scene) {
  const std::optional<Value> value = root.find("scene");
  if (!value) return;
  Table table(*value, "[scene]", scene_keys());
  if (const std::optional<Value> start = table.find("start")) start_at(scene.model, scene.keyframes.find(*start));
}

void read_control(Table& root, Scene& scene) {
  const std::optional<Value> value = root.find("control");
  if (!value) return;
  Table table(*value, "[control]", control_keys());
  Control control;
  control.place = value->place();
  const std::optional<Value> rows = table.find("table"), key = table.find("key");
  if (!rows && !key) table.fail_missing("key", "the name of a keyframe, or a table");
  if (key) {
    control.key = scene.keyframes.find(*key);
    control.kp = table.number("kp", Bound::nonnegative, "").value_or(0);
    control.kd = table.number("kd", Bound::nonnegative, "").value_or(0);
  }
  if (rows && rows->node().kind == reader::Node::Kind::string) {
    read_control_file(rows->string(), *rows, scene.model, control);
    embed_rows(*rows, control, scene.model.text);
  } else if (rows) {
    read_rows(*rows, scene.model.actuators.size(), control);
  }
  table.finish("without key");
  scene.model.control = std::move(control);
}

}  // namespace vinculum::model
