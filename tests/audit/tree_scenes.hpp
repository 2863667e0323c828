// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Scenes with joints for the tests of the auditor.
#pragma once

#include <fmt/format.h>
#include <string>

namespace vinculum::audit::tree_scenes {

inline const std::string double_pendulum = R"(
[scene]
name = "double pendulum"
[run]
dt = 1e-3
[[body]]
name = "upper"
mass = 1
inertia = [0.02, 0.03, 0.01]
com = [0, 0, -0.5]
[[body]]
name = "lower"
mass = 0.7
inertia = [0.03, 0.02, 0.02]
com = [0.1, 0, -0.4]
[[joint]]
name = "shoulder"
type = "revolute"
child = "upper"
axis = [0, 1, 0]
q = 1.2
v = 0.5
damping = 0.02
armature = 0.01
[[joint]]
name = "elbow"
type = "universal"
parent = "upper"
child = "lower"
position = [0, 0, -1]
axis = [0, 1, 0]
axis_2 = [1, 0, 0]
q = [-0.7, 0.3]
v = [1, -2]
stiffness = 0.4
rest = 0.1
)";

inline const std::string limited = R"(
[scene]
name = "pendulum between limits"
[run]
dt = 1e-3
[[body]]
name = "arm"
mass = 1
inertia = [0.02, 0.03, 0.01]
com = [0, 0, -0.5]
[[body]]
name = "hand"
mass = 0.3
inertia = [0.004, 0.004, 0.002]
com = [0, 0, -0.1]
[[joint]]
name = "shoulder"
type = "revolute"
child = "arm"
axis = [0, 1, 0]
q = 0.3
v = 1
lower = -0.05
upper = 0.31
e_N = 0.4
friction = 0.2
[[joint]]
name = "wrist"
type = "revolute"
parent = "arm"
child = "hand"
position = [0, 0, -1]
axis = [0, 1, 0]
upper = 0.02
lower = -0.5
v = 0.5
friction = 0.05
)";

inline const std::string striking = R"(
[scene]
name = "an arm strikes a block"
[run]
dt = 1e-3
[[material]]
name = "wood"
[[contact]]
materials = ["wood", "wood"]
mu = 0.3
e_N = 0.2
[[shape]]
name = "floor"
type = "plane"
material = "wood"
[[body]]
name = "arm"
position = [0, 0, 0.5]
mass = 2
inertia = [0.1, 0.1, 0.02]
com = [0, 0, -0.2]
[[shape]]
name = "fist"
body = "arm"
type = "sphere"
radius = 0.05
position = [0, 0, -0.4]
material = "wood"
[[body]]
name = "block"
position = [0.16, 0, 0.1]
shape = { type = "box", size = [0.2, 0.2, 0.2], material = "wood", density = 100 }
[[joint]]
name = "pivot"
type = "revolute"
child = "arm"
axis = [0, 1, 0]
v = -3
)";

inline const std::string four_bar = R"(
[scene]
name = "four-bar"
[run]
dt = 1e-3
[[body]]
name = "crank"
mass = 0.5
inertia = [0.01, 0.01, 0.01]
com = [0, 0, 0.1]
[[body]]
name = "coupler"
mass = 1
inertia = [0.03, 0.03, 0.03]
com = [0.25, 0, 0]
[[body]]
name = "rocker"
mass = 0.8
inertia = [0.02, 0.02, 0.02]
com = [0, 0, 0.1]
[[joint]]
name = "drive"
type = "revolute"
child = "crank"
axis = [0, 1, 0]
v = 4
[[joint]]
name = "pin"
type = "revolute"
parent = "crank"
child = "coupler"
position = [0, 0, 0.2]
axis = [0, 1, 0]
v = -4
[[joint]]
name = "pivot"
type = "revolute"
child = "rocker"
position = [0.5, 0, 0]
axis = [0, 1, 0]
v = 4
[[connect]]
name = "closure"
a = "coupler"
b = "rocker"
point_a = [0.5, 0, 0]
point_b = [0, 0, 0.2]
)";

inline const std::string floating = R"(
[scene]
name = "two links fall on a plane"
[run]
dt = 1e-3
[[material]]
name = "rubber"
[[contact]]
materials = ["rubber", "rubber"]
mu = 0.5
e_N = 0.1
[[shape]]
name = "floor"
type = "plane"
material = "rubber"
[[body]]
name = "trunk"
position = [0, 0, 0.16]
shape = { type = "box", size = [0.4, 0.2, 0.2], material = "rubber", density = 200 }
[[body]]
name = "leg"
shape = { type = "capsule", radius = 0.05, length = 0.3, material = "rubber", density = 300 }
[[joint]]
name = "root"
type = "free"
child = "trunk"
v = [0.3, 0.1, -1, 0.5, 1, -0.5]
[[joint]]
name = "hip"
type = "revolute"
parent = "trunk"
child = "leg"
position = [0.35, 0, 0.2]
rotation = { axis = [0, 1, 0], radians = 1.0 }
axis = [0, 1, 0]
v = 1
damping = 0.05
)";

// A ball joint, a cylindrical one with limits, a driven knee whose end is welded to a free body; a screw geared to a
// slide.
inline const std::string machine = R"(
[scene]
name = "machine"
[run]
dt = 1e-3
[[contact]]
mu = 0.4
e_N = 0.3
[[shape]]
name = "floor"
type = "plane"
[[body]]
name = "a"
position = [0, 0, 1]
shape = { type = "box", size = [0.1, 0.1, 0.3], density = 500 }
[[body]]
name = "b"
shape = { type = "capsule", radius = 0.05, length = 0.2, density = 500 }
[[body]]
name = "c"
shape = { type = "sphere", radius = 0.08, density = 500 }
[[body]]
name = "d"
position = [0, 0, 0.3]
shape = { type = "box", size = [0.1, 0.1, 0.1], density = 400 }
[[body]]
name = "e"
position = [2, 0, 0.5]
shape = { type = "sphere", radius = 0.08, density = 500 }
[[body]]
name = "f"
position = [2, 0.3, 0.5]
shape = { type = "sphere", radius = 0.08, density = 500 }
[[joint]]
name = "ball"
type = "spherical"
child = "a"
point = [0, 0, 0.15]
v = [1, 2, -3]
friction = 0.05
damping = 0.01
stiffness = 0.3
[[joint]]
name = "cyl"
type = "cylindrical"
parent = "a"
child = "b"
position = [0.2, 0, -0.2]
axis = [1, 0, 0]
v = [0.3, 2]
lower = [-0.01, -0.5]
upper = [0.01, 0.5]
e_N = 0.5
armature = 0.01
[[joint]]
name = "knee"
type = "revolute"
parent = "b"
child = "c"
position = [0, 0, -0.3]
axis = [0, 1, 0]
effort = 0.8
[[joint]]
name = "slide"
type = "prismatic"
child = "e"
axis = [0, 0, 1]
[[joint]]
name = "slide2"
type = "screw"
child = "f"
pitch = 0.1
axis = [0, 0, 1]
[[coupling]]
name = "gear"
joint_a = "slide2"
joint_b = "slide"
coefficients = [0, 2, 1]
[[weld]]
name = "glue"
a = "c"
b = "d"
[[actuator]]
name = "motor"
type = "position"
joint = "knee"
kp = 20
kd = 1
ctrl = 0.5
[[force]]
name = "wind"
body = "b"
force = [0.5, 1, 0]
torque = [0, 0, 0.1]
to = 0.1
)";

// Four balls, of which the second closes only after the first was struck, in a step whose forces were settled by then.
inline const std::string bouncing_star = R"(
[run]
dt = 2e-3
[[contact]]
e_N = 1
[[shape]]
name = "floor"
type = "plane"
[[body]]
name = "a"
position = [0, 0, 0.3]
mass = 1
shape = { type = "sphere", radius = 0.1 }
[[joint]]
name = "root"
type = "free"
child = "a"
v = [0, 0, -2, 3, 0, 0]
[[body]]
name = "b"
mass = 0.5
shape = { type = "sphere", radius = 0.1 }
[[joint]]
name = "jb"
type = "spherical"
parent = "a"
child = "b"
position = [0.3, 0, 0.02]
point = [-0.15, 0, 0]
v = [6, 2, 0]
[[body]]
name = "c"
mass = 0.5
shape = { type = "sphere", radius = 0.1 }
[[joint]]
name = "jc"
type = "spherical"
parent = "a"
child = "c"
position = [-0.3, 0.3, 0.05]
point = [0.15, -0.15, 0]
v = [-4, -4, 0]
[[body]]
name = "d"
mass = 2
shape = { type = "sphere", radius = 0.1 }
[[joint]]
name = "jd"
type = "spherical"
parent = "a"
child = "d"
position = [-0.3, -0.3, -0.05]
point = [0.15, 0.15, 0]
v = [1, 4, 0]
)";

// Two links that turn so fast in a step that the repetition in v̄ does not contract.
inline const std::string whirling = R"(
[scene]
gravity = [0, 0, 0]
[run]
dt = 1e-2
[[body]]
name = "a"
mass = 1
inertia = [0.01, 0.01, 0.01]
[[joint]]
name = "root"
type = "free"
child = "a"
v = [0, 0, 0, 58, 39, -23]
[[body]]
name = "b"
mass = 1
inertia = [0.01, 0.02, 0.02]
[[joint]]
name = "j"
type = "spherical"
parent = "a"
child = "b"
position = [0.5, 0, 0]
point = [-0.5, 0, 0]
v = [54, 46, -50]
)";

// Far from the origin two joints turn against each other: the second link rests.
inline const std::string turning_back = R"(
[scene]
gravity = [0, 0, 0]
[run]
dt = 1e-3
[[body]]
name = "a"
mass = 1
inertia = [0.02, 0.03, 0.01]
com = [0.1, 0.2, 0.05]
[[body]]
name = "b"
mass = 1
inertia = [0.02, 0.03, 0.01]
com = [0.1, 0.2, 0.05]
[[joint]]
name = "there"
type = "revolute"
child = "a"
position = [70, 110, 0]
axis = [0.3, 0.2, 1]
v = 50
q = 0.7
[[joint]]
name = "back"
type = "revolute"
parent = "a"
child = "b"
axis = [0.3, 0.2, 1]
v = -50
)";

// A box slides and turns on four corners, with a roller that flies around it. How the corners share the load is decided
// by rounding, in each solve anew, and turns the box otherwise: solves and forces by turns do not settle.
inline const std::string sliding = R"(
[scene]
gravity = [0, 0, -0.981]
[run]
dt = 5e-3
[[contact]]
mu = 0.3
[[shape]]
name = "floor"
type = "plane"
[[body]]
name = "box"
density = 6160
shape = { type = "box", size = [0.02181, 0.010519, 0.033947] }
position = [0.022809, -0.047419, 0.43542]
[[joint]]
name = "root"
type = "free"
child = "box"
v = [0.2637, -0.3274, -0.5025, -0.3169, -0.3896, 0.2183]
[[body]]
name = "roller"
density = 213.2
shape = { type = "cylinder", radius = 0.008252, length = 0.012543 }
[[joint]]
name = "j"
type = "cylindrical"
parent = "box"
child = "roller"
position = [-0.0261116, 0.00609863, -0.00276716]
point = [-0.0116078, -0.00853098, 0.00396382]
axis = [-0.0272027, 0.325724, -0.324598]
[[body]]
name = "other"
density = 2967
shape = { type = "cylinder", radius = 0.019925, length = 0.041798 }
position = [-0.077174, 0.090714, 1.2667]
quaternion = [-0.521948282, -0.189601983, -0.461763991, 0.691661113]
velocity = [0.71931, -1.17106, -1.91667]
angular_velocity = [-20.0818, 31.5248, 16.8675]
)";

// The centre of the last link lies on the axis of the first joint, the only one that carries it around: its velocity is
// what rounding leaves.
inline const std::string on_axis = R"(
[run]
dt = 1e-3
[[body]]
name = "a"
mass = 1
inertia = [0.02, 0.03, 0.01]
com = [0.01, 0.02, 0.05]
[[body]]
name = "b"
mass = 1
inertia = [0.02, 0.03, 0.01]
com = [0.003, 0, 0.1]
[[body]]
name = "c"
mass = 0.5
inertia = [0.002, 0.002, 0.001]
com = [0, 0, 0.07]
[[joint]]
name = "j1"
type = "revolute"
child = "a"
position = [0, 0, 0.1575]
axis = [0, 0, 1]
v = -0.58749
[[joint]]
name = "j2"
type = "revolute"
parent = "a"
child = "b"
position = [0, 0, 0.2025]
rotation = { axis = [1, 1, 1], degrees = 120 }
axis = [0, 0, 1]
v = 0
[[joint]]
name = "j3"
type = "revolute"
parent = "b"
child = "c"
position = [0, 0.2045, 0]
rotation = { axis = [1, 1, 1], degrees = 240 }
axis = [0, 0, 1]
v = 0.38437
)";

// A cart rocks on the many corners of its hull; over it, near, hangs a slider that can hardly come nearer: in the
// unit-free measure of the projection that one open gap is larger than all others.
inline std::string rocking_cart() {
  std::string points;
  constexpr int side = 12;
  for (int k = 0; k < side * side; ++k) {
    const double x = -0.2 + 0.4 * (k / side) / (side - 1), y = -0.1 + 0.2 * (k % side) / (side - 1);
    points += fmt::format("[{}, {}, {}], ", x, y, -0.05 + 0.05 * (x * x + y * y));
  }
  points += "[-0.2, -0.1, 0.05], [0.2, -0.1, 0.05], [-0.2, 0.1, 0.05], [0.2, 0.1, 0.05]";
  return fmt::format(R"(
[scene]
joint_contact = true
[run]
dt = 5e-3
[[shape]]
name = "floor"
type = "plane"
[[body]]
name = "cart"
density = 1000
shape = {{ type = "hull", points = [{}] }}
[[joint]]
name = "root"
type = "free"
child = "cart"
q = [0, 0, 0.0505, 1, 0, 0, 0]
v = [0.3, 0, -0.4, 0.5, -0.4, 0.2]
[[body]]
name = "rail"
mass = 0.01
inertia = [1e-5, 1e-5, 1e-5]
[[joint]]
name = "mount"
type = "fixed"
parent = "cart"
child = "rail"
position = [0, 0, 0.1]
[[body]]
name = "slider"
density = 1000
shape = {{ type = "sphere", radius = 0.05 }}
[[joint]]
name = "slide"
type = "prismatic"
parent = "rail"
child = "slider"
position = [0, 0, 0.0015]
axis = [1, 0, 1e-5]
lower = -0.05
upper = 0.05
v = 1
)",
                     points);
}

}  // namespace vinculum::audit::tree_scenes
