// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What acts on bodies or between them: [[force]], [[rod]], [[no_contact]].
#include "vinculum/model/keys.hpp"
#include "vinculum/model/sections.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>

namespace vinculum::model {

using reader::Bound;
using reader::quote;
using reader::Table;
using reader::Value;

std::string read_name(Table& table, Names& names, int index) {
  const std::optional<Value> given = table.find("name");
  std::string name = given ? given->name() : table.self().path();
  names.add(name, index, given.value_or(table.self()));
  return name;
}

int read_body_or_world(const std::optional<Value>& value, const Scene& scene) {
  if (!value || value->string() == "world") return world;
  return scene.bodies.find(*value);
}

namespace {

bool read_axes(Table& table) {
  const std::optional<Value> axes = table.find("axes");
  if (!axes) return false;
  const std::string text = axes->string();
  if (text != "world" && text != "body") axes->fail("\"world\" or \"body\"");
  return text == "body";
}

Vec3 world_point(const Model& model, int body, const Vec3& point) {
  return body == world ? point : model.bodies[static_cast<std::size_t>(body)].X_WB * point;
}

Force read_force(const Value& value, const Scene& scene, Names& names) {
  Table table(value, "[[force]]", force_keys());
  Force force;
  force.name = read_name(table, names, 0);
  force.place = value.place();
  force.body = scene.bodies.find(table.need("body", "the name of a body"));
  const Body& body = scene.model.bodies[static_cast<std::size_t>(force.body)];
  if (!table.has("force") && !table.has("torque")) table.fail_missing("force", "a force (N) or a torque (N m)");
  force.force = table.vector("force", "N").value_or(Vec3::Zero());
  if (!body.particle) force.torque = table.vector("torque", "N m").value_or(Vec3::Zero());
  force.point = table.vector("point", "m").value_or(body.com);
  force.body_axes = read_axes(table);
  force.from = table.number("from", Bound::finite, "s").value_or(0);
  if (const std::optional<Value> to = table.find("to")) {
    force.to = to->number(Bound::finite, "s");
    if (!(force.to > force.from)) to->fail(fmt::format("a time after from = {} (s)", force.from));
  }
  table.finish("on a particle");
  return force;
}

Rod read_rod(const Value& value, const Scene& scene, Names& names) {
  Table table(value, "[[rod]]", rod_keys());
  Rod rod;
  rod.name = read_name(table, names, 0);
  rod.place = value.place();
  rod.a = read_body_or_world(table.find("a"), scene);
  rod.b = read_body_or_world(table.find("b"), scene);
  if (rod.a == world && rod.b == world)
    table.fail_missing("a", "the name of a body; a rod from world to world does nothing");
  if (rod.a == rod.b) table.find("b")->fail("another body than a");
  rod.point_a = table.vector("point_a", "m").value_or(Vec3::Zero());
  rod.point_b = table.vector("point_b", "m").value_or(Vec3::Zero());
  const double distance =
      (world_point(scene.model, rod.a, rod.point_a) - world_point(scene.model, rod.b, rod.point_b)).stableNorm();
  if (!(distance > 0) || !std::isfinite(distance)) {
    value.fail(fmt::format("ends at distance {}", distance), "ends apart from each other (m)");
  }
  rod.length = table.number("length", Bound::positive, "m").value_or(distance);
  return rod;
}

}  // namespace

void read_forces(Table& root, Scene& scene) {
  Names names("force");
  for (const Value& value : array_of_tables(root, "force"))
    scene.model.forces.push_back(read_force(value, scene, names));
}

void read_rods(Table& root, Scene& scene) {
  Names names("rod");
  for (const Value& value : array_of_tables(root, "rod")) scene.model.rods.push_back(read_rod(value, scene, names));
}

void read_no_contact(Table& root, Scene& scene) {
  auto& list = scene.model.no_contact;
  for (const Value& value : array_of_tables(root, "no_contact")) {
    Table table(value, "[[no_contact]]", no_contact_keys());
    const std::string_view expected = "an array of 2 names of bodies";
    const Value bodies = table.need("bodies", expected);
    if (bodies.size(expected) != 2) bodies.fail(expected);
    const int a = read_body_or_world(bodies.item(0), scene), b = read_body_or_world(bodies.item(1), scene);
    if (a == b) bodies.item(1).fail("another body than the first");
    list.push_back({std::min(a, b), std::max(a, b)});
  }
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace vinculum::model
