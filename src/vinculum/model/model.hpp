// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What the user wrote, checked and resolved: names are indices, masses and inertias are numbers, copies are spelled
// out. SI units, angles in radians, vectors in world axes unless a field says otherwise.
#pragma once

#include "vinculum/algebra/types.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/model/lagrangian.hpp"
#include "vinculum/model/multibody.hpp"
#include "vinculum/shapes/shape.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace vinculum::model {

using algebra::Mat3;
using algebra::Pose;
using algebra::Quat;
using algebra::Vec3;

constexpr int world = -1;  // body index of everything that does not move

/// A free rigid body, or a particle (no shape extent, no rotation: inertia = 0); or a frame that the Lagrangian part
/// carries, whose placement follows from its coordinates. A frame has no mass of its own: T knows it; mass and inertia
/// are 1 here and nobody's.
struct Body {
  std::string name;
  base::Place place;            // of its table in the file
  Pose X_WB;                    // body frame in the world
  Vec3 v_WB = Vec3::Zero();     // velocity of the centre of mass
  Vec3 w_WB = Vec3::Zero();     // angular velocity, world axes
  double mass = 0;              // kg, > 0
  Vec3 com = Vec3::Zero();      // centre of mass in the body frame
  Mat3 inertia = Mat3::Zero();  // about the centre of mass, body axes; SPD, of links semidefinite, zero of particles
  bool particle = false;
  std::vector<Formula> frame;       // position and, of a frame that turns, the angle about `frame_axis`
  Vec3 frame_axis = Vec3::UnitZ();  // unit, world axes
  bool carried() const { return !frame.empty(); }
};

struct Shape {
  std::string name;
  base::Place place;
  int body = world;
  Pose X_BS;  // shape frame in the body frame (in the world frame for body = world)
  shapes::Shape geometry;
  int material = 0;
  // Two shapes are tested if a.contype & b.conaffinity or b.contype & a.conaffinity; see ContactFilter.
  std::uint32_t contype = 1, conaffinity = 1;
};

struct Material {
  std::string name;
};

/// Law of contact between two materials (a <= b).
struct Pair {
  int a = 0, b = 0;
  double mu = 0;   // friction coefficient, >= 0
  double e_N = 0;  // Newton restitution, in [0, 1]
  double e_T = 0;  // tangential restitution, in [0, 1]
};

/// Law of contact between two shapes (a < b), whatever their materials and masks say.
struct ShapePair {
  base::Place place;
  int a = 0, b = 0;
  double mu = 0, e_N = 0, e_T = 0;
};

/// A constant force and torque on a body while from <= t < to.
struct Force {
  std::string name;
  base::Place place;
  int body = 0;
  Vec3 force = Vec3::Zero();   // N
  Vec3 torque = Vec3::Zero();  // N m
  Vec3 point = Vec3::Zero();   // point of action in the body frame, m; defaults to the centre of mass
  bool body_axes = false;      // force and torque turn with the body
  double from = 0;
  double to = std::numeric_limits<double>::infinity();
};

/// A massless rigid rod between two points: constant distance.
struct Rod {
  std::string name;
  base::Place place;
  int a = world, b = world;     // bodies
  Vec3 point_a = Vec3::Zero();  // in the frame of body a (world frame when a is the world)
  Vec3 point_b = Vec3::Zero();
  double length = 0;  // m, > 0; from the initial positions unless given
};

/// A spring and damper between two points at distance l: f = −stiffness (l − rest) − damping l̇ pushes them apart.
struct Spring {
  std::string name;
  base::Place place;
  int a = world, b = world;     // bodies
  Vec3 point_a = Vec3::Zero();  // in the frame of body a (world frame when a is the world)
  Vec3 point_b = Vec3::Zero();
  double stiffness = 0;  // N/m, >= 0
  double damping = 0;    // N s/m, >= 0; one of the two is positive
  double rest = 0;       // m, >= 0; from the initial positions unless given
};

struct Run {
  double dt = 1e-3;   // s
  double until = 1;   // s
  double tol = 1e-8;  // of every law, relative to the step's own scale
  std::string integrator = "moreau";
  std::string solver = "auto";
  base::Place integrator_place;  // of the two names in the file (line 0: not given), for whoever looks them up
  base::Place solver_place;
  int threads = 0;       // 0 = all
  int record_every = 1;  // steps from one recorded step to the next
};

struct Model {
  std::string file;  // as given on the command line
  std::string text;  // the whole scene file
  std::string name;
  std::string description;
  Vec3 gravity{0, 0, -9.81};
  bool allow_penetration = false;  // explicit permission to start with overlapping shapes
  std::vector<Body> bodies;
  std::vector<Shape> shapes;
  std::vector<Material> materials;  // at least one: "default"
  std::vector<Pair> pairs;          // for every pair of materials a <= b, row by row of the upper triangle
  std::vector<ShapePair> shape_pairs;
  std::vector<Force> forces;
  std::vector<Rod> rods;
  std::vector<Spring> springs;
  std::optional<Lagrangian> lagrangian;
  std::vector<ForceLaw> laws;                  // on its coordinates
  std::vector<std::array<int, 2>> no_contact;  // body pairs (a < b) that pass through each other
  bool joint_contact = false;  // bodies joined by a joint touch each other (never filtered: joints on the world)
  std::vector<Joint> joints;   // of the trees
  std::vector<Joint> loops;    // cut joints: laws between bodies that other joints already place
  std::vector<Connect> connects;
  std::vector<Weld> welds;
  std::vector<Coupling> couplings;
  std::vector<Tendon> tendons;
  std::vector<Actuator> actuators;
  std::vector<Keyframe> keyframes;
  std::optional<Control> control;
  std::vector<Notice> notices;  // what an imported file says and this model does not
  Run run;

  const Pair& pair(int a, int b) const;  // either order
};

/// Formulas of the frames, in the order of the bodies; empty: there are none.
std::vector<std::vector<Formula>> frame_formulas(const Model& model);

/// Reads and checks a scene. `file` is used in messages. Throws base::InputError.
Model read_scene(const std::string& file);
Model parse_scene(const std::string& text, const std::string& file);

}  // namespace vinculum::model
