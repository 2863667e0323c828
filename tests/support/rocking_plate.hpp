// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A light plate on a hinge below a weight: it falls on one edge, rocks, and comes to lie on both. What lifts one edge
// lifts the other, 1/m > r²/J.
#pragma once

namespace vinculum::test {

inline constexpr const char* rocking_plate = R"([run]
dt = 0.005
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
q = -0.479
[[body]]
name = "plate"
position = [0, 0, 0.5]
mass = 0.1
inertia = [1, 1, 1]
shape = { type = "box", size = [0.2, 0.1, 0.04] }
[[joint]]
name = "hinge"
type = "revolute"
parent = "weight"
child = "plate"
axis = [0, 1, 0]
q = 0.01
)";

}  // namespace vinculum::test
