// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Scenes that start in violation are brought onto their constraints before the first step; what cannot be brought there
// is reported.
#include "support/simulate.hpp"

#include <algorithm>

namespace vinculum::integrators {
namespace {

using test::Simulation;

const std::string allowed = "[scene]\nallow_penetration = true\n";
const std::string floor_text = "[[shape]]\nname = \"floor\"\ntype = \"plane\"\n";

TEST(Settle, a_ball_in_the_floor_is_lifted_by_its_depth_and_keeps_its_velocity) {
  // The shortest way in the metric of M: along the normal, without a turn, since the line of Π meets the centre.
  Simulation sim(allowed + floor_text + R"([[body]]
name = "ball"
mass = 3
position = [0.3, 0.2, 0.35]
velocity = [1, 2, 3]
angular_velocity = [4, 5, 6]
[[shape]]
body = "ball"
type = "sphere"
radius = 0.5
)");
  const Vec3 v = sim.v(), w = sim.w();
  const Settling settling = sim.integrator->settle(sim.state);
  EXPECT_GE(settling.rounds, 1);
  EXPECT_NEAR(settling.before, 0.15 / 0.5, 1e-12);  // in units of the ball
  EXPECT_NEAR(settling.shift, 0.15, 1e-9);          // a tenth of the tolerance times its size may be left
  EXPECT_LE(settling.after, 1e-9);
  EXPECT_LT((sim.x() - Vec3(0.3, 0.2, 0.5)).norm(), 1e-9);
  EXPECT_LT((sim.v() - v).norm() + (sim.w() - w).norm(), 1e-12);
  EXPECT_EQ(sim.state.t, 0);
}

TEST(Settle, a_link_turns_out_of_the_floor_the_short_way) {
  // A ball of radius r/2 on an arm of length r about the origin rests on the floor at the angle π/6. At −1.54 the arm
  // points down; linearised there, the way out is 48 radians long.
  Simulation sim(allowed + floor_text + R"([[body]]
name = "bob"
mass = 1
inertia = [1e-3, 1e-3, 1e-3]
com = [0.2, 0, 0]
shape = { type = "sphere", radius = 0.1, position = [0.2, 0, 0] }
[[joint]]
name = "arm"
type = "revolute"
child = "bob"
axis = [0, -1, 0]
q = -1.54
)");
  sim.integrator->settle(sim.state);
  EXPECT_NEAR(sim.state.q.tree[0], test::pi / 6, 1e-8);  // gap within a tenth of the tolerance of the ball's size
}

TEST(Settle, nothing_moves_where_nothing_is_violated) {
  Simulation sim(test::scene_text("box_stack"));
  const system::State before = sim.state;
  EXPECT_EQ(sim.integrator->settle(sim.state).rounds, 0);
  EXPECT_TRUE(test::same(before, sim.state));
  sim.step();
  EXPECT_TRUE(std::none_of(sim.record.contacts.begin(), sim.record.contacts.end(),
                           [](const ContactRecord& c) { return c.mode == Mode::settled; }));
}

// Two links in space, no gravity, the first outside its limit: M(q)⁻¹ e_1 also moves the second. No Π acts along it,
// and nothing turns the system about the vertical axis but the limit.
TEST(Settle, a_joint_outside_its_limit_goes_to_the_limit_and_no_further) {
  Simulation sim(R"([[body]]
name = "a"
mass = 1
inertia = [0.1, 0.1, 0.1]
com = [0.5, 0, 0]
[[body]]
name = "b"
mass = 2
inertia = [0.1, 0.1, 0.1]
com = [0.5, 0, 0]
position = [1, 0, 0]
[[joint]]
name = "one"
child = "a"
type = "revolute"
axis = [0, 0, 1]
lower = 0.4
[[joint]]
name = "two"
parent = "a"
child = "b"
type = "revolute"
axis = [0, 0, 1]
)");
  const Settling settling = sim.integrator->settle(sim.state);
  EXPECT_NEAR(sim.state.q.tree[0], 0.4, 1e-8);
  EXPECT_EQ(settling.shape_a, -3);
  // Along the way δ = M⁻¹ e_1 Π: M_21 δ_1 + M_22 δ_2 = 0, with M_22 = I + m r², M_21 = M_22 + m r cos q_2. The way of
  // finite repetitions follows this curve with a defect of the second order in their lengths.
  double q_1 = 0, q_2 = 0;
  const double m_22 = 0.1 + 2 * 0.25, h = 1e-5;
  for (; q_1 < 0.4; q_1 += h) q_2 -= h * (m_22 + 2 * 0.5 * std::cos(q_2)) / m_22;
  EXPECT_NEAR(sim.state.q.tree[1], q_2, 0.15 * std::abs(q_2));
  EXPECT_LT(sim.state.q.tree[1], 0);
}

/// A four-bar drawn at its dead centre, crank and rod in one line, the crank 30° beyond its limit: as in Cassie's feet.
std::string dead_centre() {
  return R"([[body]]
name = "crank"
mass = 0.1
inertia = [1e-4, 1e-4, 1e-4]
com = [0.03, 0, 0]
[[body]]
name = "rod"
mass = 0.1
inertia = [1e-3, 1e-3, 1e-3]
com = [0.17, 0, 0]
position = [0.06, 0, 0]
[[body]]
name = "foot"
mass = 1
inertia = [0.01, 0.01, 0.01]
position = [0.35, -0.01, 0]
[[joint]]
name = "crank"
type = "revolute"
child = "crank"
axis = [0, 0, 1]
lower = -2.4
upper = -0.5
[[joint]]
name = "rod"
type = "revolute"
parent = "crank"
child = "rod"
axis = [0, 0, 1]
[[joint]]
name = "foot"
type = "revolute"
child = "foot"
axis = [0, 0, 1]
lower = -2.4
upper = -0.5
[[connect]]
name = "pin"
a = "rod"
b = "foot"
point_a = [0.35, 0, 0]
point_b = [0.06, 0.01, 0]
)";
}

TEST(Settle, a_loop_drawn_at_its_dead_centre_and_outside_its_limits_is_closed_within_them) {
  Simulation sim(dead_centre());
  const Settling settling = sim.integrator->settle(sim.state);
  EXPECT_NEAR(settling.before, 0.5, 1e-12);
  EXPECT_LE(settling.after, 1e-8);
  // By plane geometry: the pin of the rod is where that of the foot is, and both limits hold.
  const double crank = sim.state.q.tree[0], rod = crank + sim.state.q.tree[1], foot = sim.state.q.tree[2];
  const double x =
      0.06 * std::cos(crank) + 0.35 * std::cos(rod) - (0.35 + 0.06 * std::cos(foot) - 0.01 * std::sin(foot));
  const double y =
      0.06 * std::sin(crank) + 0.35 * std::sin(rod) - (-0.01 + 0.06 * std::sin(foot) + 0.01 * std::cos(foot));
  EXPECT_LT(std::hypot(x, y), 1e-8);
  EXPECT_LE(crank, -0.5 + 1e-8);
  EXPECT_LE(foot, -0.5 + 1e-8);
  EXPECT_GE(std::min(crank, foot), -2.4);
  EXPECT_GT(std::max(crank, foot), -0.9);  // and stays near
}

TEST(Settle, the_first_step_takes_part_of_a_move_where_the_whole_overshoots) {
  // Without `settle` the projection of the step does it: an arm of two links, nearly stretched, whose end is to meet a
  // point half way in. Linearised there, the elbow would have to turn by several radians.
  Simulation sim(R"([[body]]
name = "a"
mass = 1
inertia = [0.1, 0.1, 0.1]
[[body]]
name = "b"
mass = 1
inertia = [0.1, 0.1, 0.1]
position = [1, 0, 0]
[[joint]]
name = "one"
child = "a"
type = "revolute"
axis = [0, 0, 1]
[[joint]]
name = "two"
parent = "a"
child = "b"
type = "revolute"
axis = [0, 0, 1]
q = 0.05
[[connect]]
a = "b"
point_a = [1, 0, 0]
b = "world"
point_b = [1, 0, 0]
)");
  sim.step();
  EXPECT_LE(sim.record.violation, 1e-8);
  const double one = sim.state.q.tree[0], two = one + sim.state.q.tree[1];
  EXPECT_LT(std::hypot(std::cos(one) + std::cos(two) - 1, std::sin(one) + std::sin(two)), 1e-8);
}

TEST(Settle, what_cannot_be_mended_is_reported) {
  // A box of height 1 between floor and ceiling at 0.9: half of the difference stays on either side.
  Simulation sim(allowed + floor_text + R"([[shape]]
name = "ceiling"
type = "plane"
position = [0, 0, 0.9]
quaternion = [0, 1, 0, 0]
[[body]]
name = "box"
mass = 1
position = [0, 0, 0.45]
[[shape]]
body = "box"
type = "box"
size = [1, 1, 1]
)");
  const double size = std::sqrt(0.75);
  const Settling settling = sim.integrator->settle(sim.state);
  EXPECT_NEAR(settling.after, 0.05 / size, 1e-3 / size);
  sim.step();
  EXPECT_GT(sim.record.violation, 0.04 / size);
}

}  // namespace
}  // namespace vinculum::integrators
