// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A trunk on a shank on a foot, with springs in knee and ankle. It sways and turns over a foot that rests on its four
// corners, whose gaps and turnings say each something else of the motion of the foot.
#pragma once

namespace vinculum::test {

inline constexpr const char* swaying_foot = R"([run]
dt = 0.002
[[contact]]
mu = 0.8
[[shape]]
name = "floor"
type = "plane"
[[body]]
name = "trunk"
mass = 10
inertia = [1, 1, 1]
position = [0, 0, 0.9]
[[joint]]
name = "root"
type = "free"
child = "trunk"
v = [0.3, 0.2, 0, 1, -1, 3]
[[body]]
name = "shank"
mass = 1
inertia = [0.02, 0.02, 0.01]
position = [0, 0, 0.3]
[[joint]]
name = "knee"
type = "universal"
parent = "trunk"
child = "shank"
point = [0, 0, 0.3]
axis = [0, 1, 0]
axis_2 = [1, 0, 0]
stiffness = 300
damping = 5
[[body]]
name = "foot"
mass = 0.5
inertia = [0.001, 0.001, 0.001]
position = [0, 0, 0.02]
shape = { type = "box", size = [0.3, 0.2, 0.04] }
[[joint]]
name = "ankle"
type = "universal"
parent = "shank"
child = "foot"
point = [0, 0, 0.04]
axis = [0, 1, 0]
axis_2 = [1, 0, 0]
stiffness = 300
damping = 5
)";

}  // namespace vinculum::test
