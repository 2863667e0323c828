// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Scenes with joints for the tests of the auditor.
#pragma once

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

}  // namespace vinculum::audit::tree_scenes
