// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// From a scene file to a Model: text -> tree with places -> sections, in the order in which names are resolved.
#include "vinculum/model/keys.hpp"
#include "vinculum/model/sections.hpp"

#include <fmt/core.h>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace vinculum::model {

using reader::Bound;
using reader::Table;
using reader::Value;

std::vector<Value> array_of_tables(Table& root, std::string_view key) {
  const std::optional<Value> value = root.find(key);
  if (!value) return {};
  const std::size_t count = value->size(fmt::format("an array of tables [[{}]]", key));
  std::vector<Value> tables;
  tables.reserve(count);
  for (std::size_t i = 0; i < count; ++i) tables.push_back(value->item(i));
  return tables;
}

namespace {

void read_scene_table(Table& root, Model& model) {
  model.name = std::filesystem::path(model.file).stem().string();
  const std::optional<Value> value = root.find("scene");
  if (!value) return;
  Table table(*value, "[scene]", scene_keys());
  if (const std::optional<Value> name = table.find("name")) model.name = name->name();
  model.description = table.string("description").value_or("");
  model.gravity = table.vector("gravity", "m/s^2").value_or(model.gravity);
  model.allow_penetration = table.boolean("allow_penetration", false);
  model.joint_contact = table.boolean("joint_contact", false);
}

void read_run_table(Table& root, Run& run) {
  run.integrator_place = run.solver_place = {root.self().file()};
  const std::optional<Value> value = root.find("run");
  if (!value) return;
  Table table(*value, "[run]", run_keys());
  run.dt = table.number("dt", Bound::positive, "s").value_or(run.dt);
  run.until = table.number("until", Bound::nonnegative, "s").value_or(run.until);
  run.tol = table.number("tol", Bound::positive, "").value_or(run.tol);
  if (const std::optional<Value> integrator = table.find("integrator")) {
    run.integrator = integrator->name();
    run.integrator_place = integrator->place();
  }
  if (const std::optional<Value> solver = table.find("solver")) {
    run.solver = solver->name();
    run.solver_place = solver->place();
  }
  run.threads = table.integer("threads", run.threads, 0, 4096);
  run.record_every = table.integer("record_every", run.record_every, 1, 1'000'000'000);
}

}  // namespace

Model parse_scene(const std::string& text, const std::string& file) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw base::InputError({file}, "file", "an empty file", "a scene");
  }
  const reader::Node tree = reader::parse_toml(text, file);
  Table root(Value(tree, file, ""), "a scene", root_keys());
  Scene scene;
  scene.model.file = file;
  scene.model.text = text;
  read_scene_table(root, scene.model);
  read_run_table(root, scene.model.run);
  read_materials(root, scene);
  read_contacts(root, scene);
  read_bodies(root, scene);
  read_lagrangian(root, scene);
  place_frames(scene);
  embed_mesh_files(tree, file, scene.model.text);
  read_shape_pairs(root, scene);
  read_joints(root, scene);
  read_tendons(root, scene);
  read_actuators(root, scene);
  read_keyframes(root, scene);
  read_start(root, scene);
  read_closures(root, scene);
  read_control(root, scene);
  read_forces(root, scene);
  read_rods(root, scene);
  read_springs(root, scene);
  read_no_contact(root, scene);
  read_laws(root, scene);
  return std::move(scene.model);
}

Model read_scene(const std::string& file) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) throw base::InputError({file}, "file", "no such file", "a scene");
  if (fs::is_directory(status)) throw base::InputError({file}, "file", "a directory", "a scene");
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  if (stream) text << stream.rdbuf();
  if (!stream || stream.bad()) throw base::InputError({file}, "file", "a file that cannot be read", "a scene");
  return parse_scene(text.str(), file);
}

}  // namespace vinculum::model
