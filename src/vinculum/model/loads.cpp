// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What acts on bodies or between them: [[force]], [[rod]], [[spring]], [[no_contact]].
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
  if (body.carried()) table.find("body")->fail("a frame", "a body (forces on frames are `forces` of [lagrangian])");
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

// What a rod or a spring says of its ends; returns their distance at the start.
template <class Link>
double read_ends(Table& table, const Value& value, const Scene& scene, Names& names, std::string_view kind,
                 Link& link) {
  link.name = read_name(table, names, 0);
  link.place = value.place();
  link.a = read_body_or_world(table.find("a"), scene);
  link.b = read_body_or_world(table.find("b"), scene);
  if (link.a == world && link.b == world)
    table.fail_missing("a", fmt::format("the name of a body; a {} from world to world does nothing", kind));
  if (link.a == link.b) table.find("b")->fail("another body than a");
  link.point_a = table.vector("point_a", "m").value_or(Vec3::Zero());
  link.point_b = table.vector("point_b", "m").value_or(Vec3::Zero());
  const double distance =
      (world_point(scene.model, link.a, link.point_a) - world_point(scene.model, link.b, link.point_b)).stableNorm();
  if (!(distance > 0) || !std::isfinite(distance)) {
    value.fail(fmt::format("ends at distance {}", distance), "ends apart from each other (m)");
  }
  return distance;
}

Rod read_rod(const Value& value, const Scene& scene, Names& names) {
  Table table(value, "[[rod]]", rod_keys());
  Rod rod;
  const double distance = read_ends(table, value, scene, names, "rod", rod);
  rod.length = table.number("length", Bound::positive, "m").value_or(distance);
  return rod;
}

Spring read_spring(const Value& value, const Scene& scene, Names& names) {
  Table table(value, "[[spring]]", spring_keys());
  Spring spring;
  const double distance = read_ends(table, value, scene, names, "spring", spring);
  spring.stiffness = table.number("stiffness", Bound::nonnegative, "N/m").value_or(0);
  spring.damping = table.number("damping", Bound::nonnegative, "N s/m").value_or(0);
  if (spring.stiffness == 0 && spring.damping == 0)
    table.fail_missing("stiffness", "a positive stiffness (N/m) or damping (N s/m)");
  spring.rest = table.number("rest", Bound::nonnegative, "m").value_or(distance);
  return spring;
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

void read_springs(Table& root, Scene& scene) {
  Names names("spring");
  for (const Value& value : array_of_tables(root, "spring"))
    scene.model.springs.push_back(read_spring(value, scene, names));
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
