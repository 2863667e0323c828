// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Steps of trees that are hard to take or to judge, each certified.
#include "audit/forge.hpp"

#include <fmt/format.h>

namespace vinculum::audit {
namespace {

// Four balls, of which the second closes only after the first was struck, in a step whose forces were settled by then.
const std::string bouncing_star = R"(
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
const std::string whirling = R"(
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
const std::string turning_back = R"(
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
const std::string sliding = R"(
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
const std::string on_axis = R"(
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
std::string rocking_cart() {
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

TEST(AuditOfTrees, certifies_contacts_that_close_only_after_the_forces_were_settled) {
  const Result result = Forge::run(bouncing_star, 100).audit();
  EXPECT_EQ(result.verdict, Verdict::certified) << failures(result);
}

TEST(AuditOfTrees, certifies_a_step_whose_forces_do_not_settle_by_repetition_alone) {
  const Forge forge = Forge::run(whirling, 1);
  EXPECT_EQ(forge.steps.front().record.solver.status, solvers::Status::solved);
  EXPECT_EQ(outcome(forge.audit(), "balance").status, Status::pass);
}

TEST(AuditOfTrees, certifies_a_link_that_starts_to_turn_about_its_own_centre) {
  const Result result = Forge::run(on_axis, 50).audit();
  EXPECT_EQ(result.verdict, Verdict::certified) << failures(result);
}

TEST(AuditOfTrees, certifies_what_slides_on_more_points_than_needed) {
  const Forge forge = Forge::run(sliding, 420);
  for (const auto& step : forge.steps) EXPECT_EQ(step.record.solver.status, solvers::Status::solved) << step.record.t;
  const Result result = forge.audit();
  EXPECT_EQ(result.verdict, Verdict::certified) << failures(result);
}

TEST(AuditOfTrees, certifies_lifts_beside_an_open_gap_that_can_hardly_close) {
  const Result result = Forge::run(rocking_cart(), 60).audit();
  EXPECT_EQ(result.verdict, Verdict::certified) << failures(result);
}

TEST(AuditOfTrees, certifies_links_that_turn_against_each_other_far_away) {
  const Result result = Forge::run(turning_back, 50).audit();
  EXPECT_EQ(result.verdict, Verdict::certified) << failures(result);
}

}  // namespace
}  // namespace vinculum::audit
