// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What is written is read back to the same bits. Two routes: fields compared one by one for a scene that uses
// everything, and the text of the second writing for all scenes.
#include "vinculum/model/write.hpp"
#include "model/support.hpp"

#include <cmath>
#include <filesystem>

namespace vinculum::model {
namespace {

const std::string everything = R"(
[scene]
name = "every \"thing\""
gravity = [0.1, 0.2, -3]
joint_contact = true
[run]
dt = 0.0003
[[material]]
name = "steel"
[[contact]]
materials = ["steel", "default"]
mu = 0.3
e_N = 0.1
[[body]]
name = "base"
mass = 3
rotation = { axis = [1, 2, 3], degrees = 33 }
velocity = [1, 2, 3]
shape = { type = "hull", points = [[0, 0, 0], [1, 0, -0.0], [0, 1, 0], [0, 0, 1]], contype = 3, conaffinity = 0 }
[[body]]
name = "arm"
position = [0.1, 0.7, 0.3]
rotation = { axis = [3, -2, 1], radians = 0.4 }
mass = 1
inertia = [0.3, 0.4, 0.5, 0.01, 0.02, 0.03]
material = "steel"
shape = { type = "cylinder", radius = 0.1, length = 0.3, position = [0.1, 0.2, 0.3] }
[[body]]
name = "rod"
mass = 1
inertia = [0.3, 0.4, 0.5]
[[body]]
name = "pin"
mass = 1
inertia = [0.3, 0.4, 0.5]
[[shape]]
name = "floor"
type = "plane"
[[contact]]
shapes = ["floor", "arm"]
mu = 0.77
[[joint]]
name = "shoulder"
type = "universal"
parent = "base"
child = "arm"
axis = [1, 1, 0]
axis_2 = [0, 0.3, 1]
q = [0.3, 0.2]
v = [1, -1]
lower = [-1, -inf]
upper = [1, 2]
e_N = 0.2
damping = [0.1, 0.2]
[[joint]]
name = "slide"
type = "screw"
parent = "base"
child = "arm"
pitch = 0.01
q = 0.7
stiffness = 4
rest = 0.1
friction = 0.3
armature = 0.02
effort = 9
[[joint]]
name = "ball"
type = "spherical"
parent = "arm"
child = "rod"
q = [0.6, 0, 0.8, 0]
upper = 1.3
[[joint]]
name = "turn"
type = "revolute"
parent = "rod"
child = "pin"
[[joint]]
name = "cut"
type = "cylindrical"
loop = true
parent = "base"
child = "rod"
[[connect]]
a = "rod"
point_a = [0.1, 0, 0]
[[weld]]
a = "base"
b = "rod"
[[tendon]]
name = "string"
joints = ["shoulder", "slide"]
coordinates = [1, 0]
coefficients = [1, -0.5]
upper = 3
stiffness = 2
rest = [0.1, 0.2]
[[coupling]]
joint_a = "slide"
tendon_b = "string"
coefficients = [0.1, 2, 0.3]
[[actuator]]
name = "servo"
type = "position"
joint = "slide"
kp = 30
kd = 2
gear = 0.5
ctrl_range = [-1, 2]
[[actuator]]
name = "pull"
type = "general"
tendon = "string"
gain = [3, 0.5, -1]
bias = [1, 2, 3]
force_range = [-4, 4]
ctrl = 0.5
[[actuator]]
name = "wheel"
type = "velocity"
kd = 3
joint = "turn"
[[keyframe]]
name = "home"
q = [0.1, 0.2, 0.3, 1, 0, 0, 0, 0.4]
ctrl = [1, 2, 3]
[control]
key = "home"
kp = 10
kd = 1
table = [[0, 1, 2, 3], [1, 4, 5, 6]]
[[force]]
body = "base"
force = [1, 2, 3]
to = 2
[[spring]]
name = "tie"
a = "base"
b = "rod"
point_b = [0.1, 0.2, 1.3]
stiffness = 12.5
damping = 0.3
[[no_contact]]
bodies = ["rod", "world"]
)";

void expect_same(const Pose& a, const Pose& b, const std::string& what) {
  EXPECT_EQ(a.p, b.p) << what;
  EXPECT_EQ(a.R.coeffs(), b.R.coeffs()) << what;
}

void expect_same(const Joint& a, const Joint& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.type, b.type);
  EXPECT_EQ(a.parent, b.parent);
  EXPECT_EQ(a.child, b.child);
  expect_same(a.X_PC, b.X_PC, a.name);
  EXPECT_EQ(a.point, b.point);
  EXPECT_EQ(a.axis, b.axis);
  EXPECT_EQ(a.axis_2, b.axis_2);
  EXPECT_EQ(a.pitch, b.pitch);
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.v, b.v);
  ASSERT_EQ(a.axes.size(), b.axes.size());
  for (std::size_t i = 0; i < a.axes.size(); ++i) {
    const JointAxis &x = a.axes[i], &y = b.axes[i];
    for (double JointAxis::*m :
         {&JointAxis::lower, &JointAxis::upper, &JointAxis::e_N, &JointAxis::friction, &JointAxis::damping,
          &JointAxis::armature, &JointAxis::stiffness, &JointAxis::rest, &JointAxis::effort}) {
      EXPECT_EQ(x.*m, y.*m) << a.name;
    }
  }
}

TEST(Write, every_field_comes_back_to_the_last_bit) {
  const Model a = parse_scene(everything, "t.toml"), b = parse_scene(write_scene(a), "t.toml");
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.gravity, b.gravity);
  EXPECT_EQ(a.run.dt, b.run.dt);
  EXPECT_EQ(a.joint_contact, b.joint_contact);
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    const Body &x = a.bodies[i], &y = b.bodies[i];
    expect_same(x.X_WB, y.X_WB, x.name);
    EXPECT_EQ(x.v_WB, y.v_WB) << x.name;
    EXPECT_EQ(x.w_WB, y.w_WB) << x.name;
    EXPECT_EQ(x.mass, y.mass);
    EXPECT_EQ(x.com, y.com);
    EXPECT_EQ(x.inertia, y.inertia);
  }
  ASSERT_EQ(b.springs.size(), 1);
  EXPECT_EQ(a.springs[0].name, b.springs[0].name);
  EXPECT_EQ(a.springs[0].a, b.springs[0].a);
  EXPECT_EQ(a.springs[0].b, b.springs[0].b);
  EXPECT_EQ(a.springs[0].point_b, b.springs[0].point_b);
  EXPECT_EQ(a.springs[0].stiffness, b.springs[0].stiffness);
  EXPECT_EQ(a.springs[0].damping, b.springs[0].damping);
  EXPECT_EQ(a.springs[0].rest, b.springs[0].rest);
  ASSERT_EQ(a.shapes.size(), b.shapes.size());
  for (std::size_t i = 0; i < a.shapes.size(); ++i) {
    const Shape &x = a.shapes[i], &y = b.shapes[i];
    EXPECT_EQ(x.name, y.name);
    EXPECT_EQ(x.body, y.body);
    expect_same(x.X_BS, y.X_BS, x.name);
    EXPECT_EQ(x.geometry.radius, y.geometry.radius);
    EXPECT_EQ(x.geometry.half_length, y.geometry.half_length);
    EXPECT_EQ(x.material, y.material);
    EXPECT_EQ(x.contype, y.contype);
    EXPECT_EQ(x.conaffinity, y.conaffinity);
    if (x.geometry.polytope) {
      EXPECT_EQ(x.geometry.polytope->vertices, y.geometry.polytope->vertices);
    }
  }
  for (std::size_t i = 0; i < a.pairs.size(); ++i) EXPECT_EQ(a.pairs[i].mu, b.pairs[i].mu);
  ASSERT_EQ(b.shape_pairs.size(), 1u);
  EXPECT_EQ(a.shape_pairs[0].b, b.shape_pairs[0].b);
  ASSERT_EQ(a.joints.size(), b.joints.size());
  for (std::size_t i = 0; i < a.joints.size(); ++i) expect_same(a.joints[i], b.joints[i]);
  ASSERT_EQ(b.loops.size(), 1u);
  expect_same(a.loops[0], b.loops[0]);
  EXPECT_EQ(a.connects[0].point_b, b.connects.at(0).point_b);
  expect_same(a.welds[0].X_AB, b.welds.at(0).X_AB, "weld");
  EXPECT_EQ(a.couplings[0].coefficients, b.couplings.at(0).coefficients);
  EXPECT_EQ(b.couplings[0].b->tendon, 0);
  EXPECT_EQ(b.tendons.at(0).terms.at(0).coordinate, 1);
  EXPECT_EQ(b.tendons[0].rest_upper, 0.2);
  ASSERT_EQ(b.actuators.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(a.actuators[i].gain, b.actuators[i].gain);
    EXPECT_EQ(a.actuators[i].bias, b.actuators[i].bias);
    EXPECT_EQ(a.actuators[i].gear, b.actuators[i].gear);
    EXPECT_EQ(a.actuators[i].ctrl_upper, b.actuators[i].ctrl_upper);
    EXPECT_EQ(a.actuators[i].force_lower, b.actuators[i].force_lower);
    EXPECT_EQ(a.actuators[i].ctrl, b.actuators[i].ctrl);
  }
  EXPECT_EQ(a.keyframes[0].q, b.keyframes.at(0).q);
  EXPECT_EQ(a.keyframes[0].ctrl, b.keyframes[0].ctrl);
  EXPECT_EQ(b.control->kp, 10);
  EXPECT_EQ(a.control->values, b.control->values);
  EXPECT_EQ(b.forces.at(0).to, 2);
  EXPECT_EQ(a.no_contact, b.no_contact);
}

TEST(Write, a_second_writing_says_the_same) {
  const Model model = parse_scene(everything, "t.toml");
  const std::string text = write_scene(model);
  EXPECT_EQ(write_scene(parse_scene(text, "t.toml")), text);
}

TEST(Write, every_scene_of_bodies_survives_the_round) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(VINCULUM_SOURCE_DIR "/scenes")) {
    if (entry.path().extension() != ".toml" || entry.file_size() > 100'000) continue;
    const Model model = read_scene(entry.path());
    if (model.lagrangian || model.bodies.size() > 1000) continue;
    const std::string text = write_scene(model);
    const Model again = parse_scene(text, "t.toml");
    EXPECT_EQ(write_scene(again), text) << entry.path();
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
      EXPECT_EQ(model.bodies[i].X_WB.R.coeffs(), again.bodies[i].X_WB.R.coeffs()) << entry.path();
      EXPECT_EQ(model.bodies[i].inertia, again.bodies[i].inertia) << entry.path();
    }
    ++count;
  }
  EXPECT_GE(count, 8);
}

TEST(Write, a_lagrangian_scene_is_refused) {
  const Model model = parse_scene("[lagrangian]\ncoordinates = [\"x\"]\nT = \"x'^2/2\"\n", "t.toml");
  EXPECT_THROW(write_scene(model), base::InputError);
}

}  // namespace
}  // namespace vinculum::model
