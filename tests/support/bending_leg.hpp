// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A weight sinks between the knee above it and the floor, on which the round foot of its leg stands. The foot is where
// three joints put it: along the motion of a step it sinks by O(dt³), 1e-8 m, which the projection takes back.
#pragma once

namespace vinculum::test {

inline constexpr const char* bending_leg = R"([run]
dt = 0.002
[[contact]]
mu = 0.8
[[shape]]
name = "floor"
type = "plane"
[[body]]
name = "weight"
position = [0, 0, 1]
mass = 10
inertia = [1, 1, 1]
[[joint]]
name = "lift"
type = "prismatic"
child = "weight"
axis = [0, 0, 1]
q = -0.85306972513
[[body]]
name = "thigh"
position = [0, 0, 0.75]
mass = 1
inertia = [0.02, 0.02, 0.01]
[[joint]]
name = "hip"
type = "revolute"
parent = "weight"
child = "thigh"
point = [0, 0, 0.25]
axis = [0, 1, 0]
q = 2.5
damping = 2
[[body]]
name = "shank"
position = [0, 0, 0.25]
mass = 1
inertia = [0.02, 0.02, 0.01]
shape = { type = "sphere", radius = 0.05, position = [0, 0, -0.25] }
[[joint]]
name = "knee"
type = "revolute"
parent = "thigh"
child = "shank"
point = [0, 0, 0.25]
axis = [0, 1, 0]
q = -2.4
damping = 2
)";

}  // namespace vinculum::test
