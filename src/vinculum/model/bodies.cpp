// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// [[body]] and [[shape]]. A body is first a draft that collects its shapes, then gets its mass, then is copied. Shapes
// stand in the model body by body (all copies in order), the inline shape first; those of the world come last.
#include "vinculum/base/nearest.hpp"
#include "vinculum/model/keys.hpp"
#include "vinculum/model/sections.hpp"

#include "vinculum/shapes/mesh.hpp"

#include <fmt/core.h>
#include <filesystem>
#include <unordered_map>

namespace vinculum::model {

using reader::Bound;
using reader::join;
using reader::quote;
using reader::Table;
using reader::Value;

namespace {

struct ShapeDraft {
  Shape shape;
  Value where;  // its name if it has one, otherwise its table
  Value type;
  Table table;
  std::optional<double> density;  // its own or that of its material
  bool own_material = false;
};

struct BodyDraft {
  Body body;
  Value name;
  Table table;
  std::vector<ShapeDraft> shapes;
  std::optional<Value> copies;
  GivenMotion given;
  std::optional<Value> singular = {};  // inertia
};

// The first of the keys that the table has.
std::optional<Value> first_of(Table& table, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (table.has(key)) return table.find(key);
  }
  return std::nullopt;
}

const shapes::ShapeType& read_type(const Value& value) {
  std::vector<std::string_view> names;
  for (const shapes::ShapeType& type : shapes::shape_types()) names.push_back(type.name);
  // The keys of the table depend on the type, so that it is looked up before the table is opened.
  if (value.node().kind != reader::Node::Kind::table) value.fail("a table that describes a shape");
  const auto& keys = value.node().keys;
  const auto key = std::find_if(keys.begin(), keys.end(), [](const reader::Key& k) { return k.name == "type"; });
  if (key == keys.end()) {
    throw base::InputError(value.place(), value.path() + ".type", "nothing", "one of " + join(names));
  }
  const Value type(value.node().items[static_cast<std::size_t>(key - keys.begin())], value.file(),
                   value.path() + ".type");
  const shapes::ShapeType* found = shapes::find_shape_type(type.string());
  if (found) return *found;
  const std::string guess = base::nearest(type.string(), names);
  type.fail("one of " + join(names) + (guess.empty() ? "" : fmt::format("; did you mean {}?", quote(guess))));
}

// Names of mesh files are relative to the scene.
std::string read_file_name(const Value& value) {
  const std::string name = value.name();
  if (shapes::is_mesh_text(name)) return name;
  return (std::filesystem::path(value.file()).parent_path() / name).string();
}

shapes::Shape read_geometry(const shapes::ShapeType& type, Table& table) {
  shapes::ShapeValues values;
  for (const shapes::ShapeKey& key : type.keys) {
    if (key.optional && !table.has(key.name)) continue;
    const Value value = table.need(key.name, key.text);
    switch (key.type) {
      case shapes::ShapeKey::Type::length:
        values.lengths.push_back(value.number(Bound::positive, "m"));
        break;
      case shapes::ShapeKey::Type::vector:
        values.vectors.push_back(value.vector("m", Bound::positive));
        break;
      case shapes::ShapeKey::Type::points: {
        const std::size_t count = value.size("an array of points (m)");
        for (std::size_t i = 0; i < count; ++i) values.points.push_back(value.item(i).vector("m"));
        break;
      }
      case shapes::ShapeKey::Type::rectangle: {
        const std::vector<double> sides = value.numbers(2, Bound::positive, "m");
        values.vectors.emplace_back(sides[0], sides[1], 0);
        break;
      }
      case shapes::ShapeKey::Type::heights: {
        const std::size_t rows = value.size("an array of rows of heights (m)");
        for (std::size_t i = 0; i < rows; ++i) {
          const std::size_t count = value.item(i).size("a row of heights (m)");
          values.heights.push_back(value.item(i).numbers(count, Bound::finite, "m"));
        }
        break;
      }
      case shapes::ShapeKey::Type::triangles: {
        const std::size_t count = value.size("an array of triples of vertices");
        for (std::size_t i = 0; i < count; ++i) {
          if (value.item(i).size("three vertices") != 3) value.item(i).fail("three vertices");
          std::array<int, 3> triangle;
          for (std::size_t k = 0; k < 3; ++k) triangle[k] = static_cast<int>(value.item(i).item(k).integer(0, 1 << 30));
          values.triangles.push_back(triangle);
        }
        break;
      }
      case shapes::ShapeKey::Type::file:
        values.file = read_file_name(value);
        break;
    }
  }
  try {
    return type.make(values);
  } catch (const base::InputError& error) {  // "found ..., expected ..."
    const Value at = type.keys.size() == 1 ? *table.find(type.keys[0].name) : table.self();
    throw base::InputError(fmt::format("{}: {}: {}", base::to_string(at.place()), at.path(), error.what()));
  }
}

std::uint32_t read_mask(Table& table, std::string_view key) {
  const std::optional<Value> value = table.find(key);
  return value ? static_cast<std::uint32_t>(value->integer(0, UINT32_MAX)) : 1u;
}

// Everything but the key `body`, which says whose shape it is.
ShapeDraft read_shape(const Value& value, const Scene& scene, bool inline_shape, const std::string& default_name) {
  const shapes::ShapeType& type = read_type(value);
  Table table(value, fmt::format("a shape of type {}", type.name), shape_keys(type, inline_shape));
  const std::optional<Value> name = table.find("name");
  ShapeDraft draft{{}, name.value_or(value), *table.find("type"), table, {}};
  draft.shape.name = name ? name->name() : default_name;
  draft.shape.place = value.place();
  draft.shape.geometry = read_geometry(type, draft.table);
  draft.shape.X_BS = read_pose(draft.table);
  draft.shape.contype = read_mask(draft.table, "contype");
  draft.shape.conaffinity = read_mask(draft.table, "conaffinity");
  if (const std::optional<Value> material = draft.table.find("material")) {
    draft.shape.material = scene.materials.find(*material);
    draft.own_material = true;
  }
  return draft;
}

BodyDraft read_body(const Value& value, const Scene& scene) {
  Table table(value, "[[body]]", body_keys());
  const Value name = table.need("name", "the name of the body");
  BodyDraft draft{{}, name, table, {}, {}, {}};
  Body& body = draft.body;
  body.name = name.name();
  body.place = value.place();
  body.X_WB = read_pose(draft.table);
  body.v_WB = draft.table.vector("velocity", "m/s").value_or(Vec3::Zero());
  body.particle = draft.table.boolean("particle", false);
  if (!body.particle) body.w_WB = draft.table.vector("angular_velocity", "rad/s").value_or(Vec3::Zero());
  draft.copies = draft.table.find("copies");
  draft.given.pose = first_of(draft.table, {"position", "quaternion", "rotation"});
  if (draft.table.has("velocity")) draft.given.velocity = draft.table.find("velocity");
  if (draft.table.has("angular_velocity") && !body.particle)
    draft.given.velocity = draft.table.find("angular_velocity");
  if (const std::optional<Value> shape = draft.table.find("shape")) {
    draft.shapes.push_back(read_shape(*shape, scene, true, body.name));
  }
  return draft;
}

// A frame of the Lagrangian part. Its shapes have no mass.
BodyDraft read_frame(const Value& value) {
  Table table(value, "[[frame]]", frame_keys());
  const Value name = table.need("name", "the name of the frame");
  BodyDraft draft{{}, name, table, {}, {}, {}};
  Body& body = draft.body;
  body.name = name.name();
  body.place = value.place();
  body.mass = 1;
  body.inertia = Mat3::Identity();
  const std::string_view expected = "an array of 3 expressions (m)";
  const Value position = draft.table.need("position", expected);
  if (position.size(expected) != 3) position.fail(expected);
  for (std::size_t k = 0; k < 3; ++k) body.frame.push_back(read_formula(position.item(k)));
  const std::optional<Value> angle = draft.table.find("angle");
  const std::optional<Value> axis = draft.table.find("axis");
  if (angle) body.frame.push_back(read_formula(*angle));
  if (axis && !angle) axis->fail("an axis without angle", "both or none");
  if (axis && axis->vector("").isZero(0)) axis->fail("a zero axis", "a direction");
  if (axis) body.frame_axis = axis->vector("").stableNormalized();
  draft.table.finish("here");
  return draft;
}

// The name of a shape's body, or nothing for the world.
std::optional<Value> read_owner(Table& table) {
  std::optional<Value> owner = table.find("body");
  if (owner && owner->string() == "world") return std::nullopt;
  return owner;
}

// Material and density pass from the body to its shapes, and the density from the material as well; the nearest wins.
void pass_on(BodyDraft& draft, const Scene& scene) {
  const std::optional<Value> material_value = draft.table.find("material");
  const int material = material_value ? scene.materials.find(*material_value) : 0;
  const std::optional<double> density = draft.table.number("density", Bound::positive, "kg/m^3");
  for (ShapeDraft& shape : draft.shapes) {
    if (!shape.own_material) shape.shape.material = material;
    shape.density = shape.table.number("density", Bound::positive, "kg/m^3");
    if (!shape.density) shape.density = density;
    if (!shape.density) shape.density = scene.densities[static_cast<std::size_t>(shape.shape.material)];
  }
}

void check_shapes(const BodyDraft& draft) {
  for (const ShapeDraft& shape : draft.shapes) {
    if (!shapes::type_of(shape.shape.geometry.kind).bounded) shape.type.fail("a bounded shape on a moving body");
    if (shape.shape.geometry.mesh && !shape.shape.geometry.mesh->closed) {
      shape.type.fail("a mesh with a border", "a closed mesh on a moving body");
    }
    if (draft.body.particle && shape.shape.geometry.kind != shapes::Kind::sphere) {
      shape.type.fail("\"sphere\", the only shape that a particle may have");
    }
  }
}

void complete(BodyDraft& draft, const Scene& scene) {
  if (draft.body.carried()) {
    for (ShapeDraft& shape : draft.shapes) shape.table.finish("on a frame");
    return check_shapes(draft);
  }
  pass_on(draft, scene);
  check_shapes(draft);
  std::vector<Piece> pieces;
  for (const ShapeDraft& shape : draft.shapes) {
    pieces.push_back({shape.table.self().path(), &shape.shape.geometry, shape.shape.X_BS, shape.density});
  }
  draft.singular = read_mass(draft.table, pieces, draft.body);
  draft.table.finish(draft.body.particle ? "on a particle" : "here");
}

// Puts the body, or its copies, into the model together with the shapes.
void place_copies(const BodyDraft& draft, Scene& scene) {
  Model& model = scene.model;
  const std::vector<Vec3> shifts = draft.copies ? read_copies(*draft.copies) : std::vector<Vec3>{Vec3::Zero()};
  if (draft.copies) scene.bodies.add_copied(draft.body.name, static_cast<int>(shifts.size()), draft.name);
  for (std::size_t i = 0; i < shifts.size(); ++i) {
    const std::string suffix = draft.copies ? fmt::format("[{}]", i) : std::string();
    const int index = static_cast<int>(model.bodies.size());
    Body body = draft.body;
    body.name += suffix;
    body.X_WB.p += shifts[i];
    if (!body.X_WB.p.allFinite()) draft.copies->fail("copies at infinity", "finite positions (m)");
    scene.bodies.add(body.name, index, draft.name);
    model.bodies.push_back(std::move(body));
    scene.given.push_back(draft.given);
    if (draft.singular) scene.singular.emplace_back(index, *draft.singular);
    for (const ShapeDraft& source : draft.shapes) {
      Shape shape = source.shape;
      shape.name += suffix;
      shape.body = index;
      scene.shapes.add(shape.name, static_cast<int>(model.shapes.size()), source.where);
      model.shapes.push_back(std::move(shape));
    }
  }
}

// [[shape]] tables go to the draft of their body, or are returned when they belong to the world.
std::vector<ShapeDraft> deal_out_shapes(Table& root, const Scene& scene, std::vector<BodyDraft>& drafts) {
  Names owners("body");
  for (std::size_t i = 0; i < drafts.size(); ++i) owners.add(drafts[i].body.name, static_cast<int>(i), drafts[i].name);
  std::vector<ShapeDraft> fixed;
  for (const Value& value : array_of_tables(root, "shape")) {
    ShapeDraft draft = read_shape(value, scene, false, value.path());
    const std::optional<Value> owner = read_owner(draft.table);
    auto& list = owner ? drafts[static_cast<std::size_t>(owners.find(*owner))].shapes : fixed;
    list.push_back(std::move(draft));
  }
  return fixed;
}

}  // namespace

void read_bodies(Table& root, Scene& scene) {
  std::vector<BodyDraft> drafts;
  for (const Value& value : array_of_tables(root, "body")) drafts.push_back(read_body(value, scene));
  for (const Value& value : array_of_tables(root, "frame")) drafts.push_back(read_frame(value));
  const std::vector<ShapeDraft> fixed = deal_out_shapes(root, scene, drafts);
  if (drafts.empty() && !root.has("lagrangian")) root.fail_missing("body", "at least one [[body]]");
  for (BodyDraft& draft : drafts) {
    complete(draft, scene);
    place_copies(draft, scene);
  }
  for (const ShapeDraft& draft : fixed) {
    draft.table.finish("on a fixed shape");
    scene.shapes.add(draft.shape.name, static_cast<int>(scene.model.shapes.size()), draft.where);
    scene.model.shapes.push_back(draft.shape);
  }
}

}  // namespace vinculum::model
