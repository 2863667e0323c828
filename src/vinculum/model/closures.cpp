// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What ties bodies and coordinates beside the joints of the tree: [[connect]], [[weld]], [[coupling]], [[tendon]].
// What is not said about a connection follows from the placement at the start.
#include "vinculum/model/keys.hpp"
#include "vinculum/model/sections.hpp"

#include <fmt/core.h>

namespace vinculum::model {

using reader::Bound;
using reader::Table;
using reader::Value;

namespace {

Pose pose_of(const Model& model, int body) {
  return body == world ? Pose{} : model.bodies[static_cast<std::size_t>(body)].X_WB;
}

void read_two_bodies(Table& table, const Scene& scene, int& a, int& b) {
  a = read_body_or_world(table.find("a"), scene);
  b = read_body_or_world(table.find("b"), scene);
  if (a == world && b == world) table.fail_missing("a", "the name of a body; world and world are connected anyway");
  if (a == b) table.find("b")->fail("another body than a");
}

Connect read_connect(const Value& value, const Scene& scene, Names& names) {
  Table table(value, "[[connect]]", connect_keys());
  Connect connect;
  connect.name = read_name(table, names, 0);
  connect.place = value.place();
  read_two_bodies(table, scene, connect.a, connect.b);
  connect.point_a = table.vector("point_a", "m").value_or(Vec3::Zero());
  const Vec3 x = pose_of(scene.model, connect.a) * connect.point_a;
  connect.point_b = table.vector("point_b", "m").value_or(pose_of(scene.model, connect.b).inverse() * x);
  return connect;
}

Weld read_weld(const Value& value, const Scene& scene, Names& names) {
  Table table(value, "[[weld]]", weld_keys());
  Weld weld;
  weld.name = read_name(table, names, 0);
  weld.place = value.place();
  read_two_bodies(table, scene, weld.a, weld.b);
  const bool given = table.has("position") || table.has("quaternion") || table.has("rotation");
  weld.X_AB = given ? read_pose(table) : pose_of(scene.model, weld.a).inverse() * pose_of(scene.model, weld.b);
  return weld;
}

// Index of a coordinate that a formula may use: those of spherical and free joints' rotations are no numbers of a line.
int read_coordinate(const std::optional<Value>& value, const Value& joint_name, const Joint& joint) {
  const int nv = form_of(joint.type).nv;
  if (joint.type == JointType::spherical || joint.type == JointType::free || nv == 0)
    joint_name.fail(fmt::format("a {} joint", form_of(joint.type).name), "a joint with coordinates on a line");
  return value ? static_cast<int>(value->integer(0, nv - 1)) : 0;
}

std::optional<Quantity> read_quantity(Table& table, const Scene& scene, std::string_view suffix) {
  const std::string joint_key = fmt::format("joint{}", suffix), tendon_key = fmt::format("tendon{}", suffix);
  Quantity quantity;
  if (const std::optional<Value> tendon = table.find(tendon_key)) {
    quantity.tendon = scene.tendons.find(*tendon);
    if (table.has(joint_key)) tendon->fail("a joint as well", "one of " + joint_key + " and " + tendon_key);
    return quantity;
  }
  const std::optional<Value> joint = table.find(joint_key);
  if (!joint) return std::nullopt;
  quantity.joint = scene.joints.find(*joint);
  quantity.coordinate = read_coordinate(table.find(fmt::format("coordinate{}", suffix)), *joint,
                                        scene.model.joints[static_cast<std::size_t>(quantity.joint)]);
  return quantity;
}

Coupling read_coupling(const Value& value, const Scene& scene, Names& names) {
  Table table(value, "[[coupling]]", coupling_keys());
  Coupling coupling;
  coupling.name = read_name(table, names, 0);
  coupling.place = value.place();
  const std::optional<Quantity> a = read_quantity(table, scene, "_a");
  if (!a) table.fail_missing("joint_a", "the name of a joint, or tendon_a");
  coupling.a = *a;
  coupling.b = read_quantity(table, scene, "_b");
  const std::string_view expected = "an array of numbers c_0, c_1, ... of a = c_0 + c_1 b + ...";
  const Value coefficients = table.need("coefficients", expected);
  const std::size_t count = coefficients.size(expected);
  if (count == 0) coefficients.fail(expected);
  if (!coupling.b && count != 1) coefficients.fail("one number, the value of a, as there is no b");
  coupling.coefficients = coefficients.numbers(count, Bound::finite, "");
  table.finish("here");
  return coupling;
}

void read_rest(Table& table, Tendon& tendon) {
  const std::optional<Value> rest = table.find("rest");
  if (!rest) return;
  if (rest->node().kind != reader::Node::Kind::array) {
    tendon.rest_lower = tendon.rest_upper = rest->number(Bound::finite, "");
    return;
  }
  const std::vector<double> x = rest->numbers(2, Bound::finite, "");
  if (x[0] > x[1]) rest->fail(fmt::format("{} above {}", x[0], x[1]), "the lower length first");
  tendon.rest_lower = x[0], tendon.rest_upper = x[1];
}

Tendon read_tendon(const Value& value, Scene& scene) {
  Table table(value, "[[tendon]]", tendon_keys());
  Tendon tendon;
  tendon.name = read_name(table, scene.tendons, static_cast<int>(scene.model.tendons.size()));
  tendon.place = value.place();
  const Value joints = table.need("joints", "an array of names of joints");
  const std::size_t count = joints.size("an array of names of joints");
  if (count == 0) joints.fail("at least one joint");
  const std::vector<double> coefficients =
      table.need("coefficients", "one number for each joint").numbers(count, Bound::finite, "");
  const std::optional<Value> coordinates = table.find("coordinates");
  if (coordinates && coordinates->size("an array of integers") != count)
    coordinates->fail(fmt::format("an array of {} integers", count));
  for (std::size_t i = 0; i < count; ++i) {
    const Value name = joints.item(i);
    const int joint = scene.joints.find(name);
    const std::optional<Value> coordinate = coordinates ? std::optional(coordinates->item(i)) : std::nullopt;
    tendon.terms.push_back({joint,
                            read_coordinate(coordinate, name, scene.model.joints[static_cast<std::size_t>(joint)]),
                            coefficients[i]});
  }
  tendon.lower = table.number("lower", Bound::finite, "").value_or(-unbounded);
  tendon.upper = table.number("upper", Bound::finite, "").value_or(unbounded);
  if (tendon.lower > tendon.upper)
    table.find("lower")->fail(fmt::format("{} above upper = {}", tendon.lower, tendon.upper), "lower <= upper");
  tendon.stiffness = table.number("stiffness", Bound::nonnegative, "").value_or(0);
  tendon.damping = table.number("damping", Bound::nonnegative, "").value_or(0);
  tendon.friction = table.number("friction", Bound::nonnegative, "").value_or(0);
  read_rest(table, tendon);
  return tendon;
}

}  // namespace

void read_tendons(Table& root, Scene& scene) {
  for (const Value& value : array_of_tables(root, "tendon")) scene.model.tendons.push_back(read_tendon(value, scene));
}

void read_closures(Table& root, Scene& scene) {
  Names connects("connect"), welds("weld"), couplings("coupling");
  for (const Value& value : array_of_tables(root, "connect"))
    scene.model.connects.push_back(read_connect(value, scene, connects));
  for (const Value& value : array_of_tables(root, "weld")) scene.model.welds.push_back(read_weld(value, scene, welds));
  for (const Value& value : array_of_tables(root, "coupling"))
    scene.model.couplings.push_back(read_coupling(value, scene, couplings));
}

}  // namespace vinculum::model
