// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The sections of a scene, each read by one function; scene.cpp calls them in the order in which names are resolved.
#pragma once

#include "vinculum/model/model.hpp"
#include "vinculum/model/names.hpp"
#include "vinculum/model/toml_reader.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace vinculum::model {

/// What the table of a body says about its motion; a joint may take the say.
struct GivenMotion {
  std::optional<reader::Value> pose;      // the first of position, quaternion, rotation
  std::optional<reader::Value> velocity;  // the first of velocity, angular_velocity
};

/// A Model under construction, with the names that later sections refer to.
struct Scene {
  Model model;
  Names bodies{"body"};
  Names materials{"material"};
  Names shapes{"shape"};
  Names joints{"joint"};
  Names loops{"joint"};
  Names tendons{"tendon"};
  Names actuators{"actuator"};
  Names keyframes{"keyframe"};
  std::vector<GivenMotion> given;                       // of the bodies
  std::vector<std::optional<double>> densities;         // of the materials, kg/m³
  std::vector<std::pair<int, reader::Value>> singular;  // bodies with a singular inertia
};

/// The elements of an array of tables such as `[[body]]`; none when the key is absent.
std::vector<reader::Value> array_of_tables(reader::Table& root, std::string_view key);

/// `position` and `quaternion` or `rotation`.
Pose read_pose(reader::Table& table);

/// A quaternion of norm 1 within 1e-6, normalised unless it is unit to round-off: what was written with 17 digits is
/// read back to the last bit.
Quat read_unit(const reader::Value& where, const Quat& quaternion);

/// A string, or a number written without quotes. The place is that of the first character.
Formula read_formula(const reader::Value& value);

/// The given name, or the path of the table; fails if it is taken.
std::string read_name(reader::Table& table, Names& names, int index);

/// A body, or the world when the key is absent or says "world".
int read_body_or_world(const std::optional<reader::Value>& value, const Scene& scene);

/// Displacements of the copies that a `copies = {...}` asks for.
std::vector<Vec3> read_copies(const reader::Value& value);

/// A solid piece of a body.
struct Piece {
  std::string path;  // of its table
  const shapes::Shape* geometry = nullptr;
  Pose X_BS;
  std::optional<double> density;  // kg/m³
};

/// `mass`, `inertia`, `com` of a body table, completed from its pieces. Returns an inertia that is singular, which only
/// a link of a tree may have.
std::optional<reader::Value> read_mass(reader::Table& table, std::span<const Piece> pieces, Body& body);
[[noreturn]] void fail_singular(const reader::Value& inertia, const Body& body);

/// Puts the meshes that the scene reads from files into its text.
/// Puts `by` in the place of the first `old` in a line, counted from 1; false: the line does not hold it.
bool replace_in_line(int line, const std::string& old, const std::string& by, std::string& text);
void embed_mesh_files(const reader::Node& tree, const std::string& file, std::string& text);

void read_materials(reader::Table& root, Scene& scene);    // [[material]]
void read_contacts(reader::Table& root, Scene& scene);     // [[contact]]
void read_bodies(reader::Table& root, Scene& scene);       // [[body]] and [[shape]]
void read_shape_pairs(reader::Table& root, Scene& scene);  // [[contact]] between shapes
void read_joints(reader::Table& root, Scene& scene);       // [[joint]]; moves the bodies to their start
void read_tendons(reader::Table& root, Scene& scene);
void read_closures(reader::Table& root, Scene& scene);  // [[connect]], [[weld]], [[coupling]]
void read_actuators(reader::Table& root, Scene& scene);
void read_keyframes(reader::Table& root, Scene& scene);
void read_start(reader::Table& root, Scene& scene);    // scene.start; moves the bodies there
void read_control(reader::Table& root, Scene& scene);  // [control]
void read_forces(reader::Table& root, Scene& scene);
void read_rods(reader::Table& root, Scene& scene);
void read_springs(reader::Table& root, Scene& scene);
void read_no_contact(reader::Table& root, Scene& scene);
void read_lagrangian(reader::Table& root, Scene& scene);  // [lagrangian]
void place_frames(Scene& scene);                          // [[frame]]: where its coordinates put them at the start
void read_laws(reader::Table& root, Scene& scene);        // [[law]]

}  // namespace vinculum::model
