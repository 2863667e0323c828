// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Trees in the step: what acts along joints against recurrences and closed forms, loops, contact, and free bodies
// beside them.
#include "support/bending_leg.hpp"
#include "support/rocking_plate.hpp"
#include "support/simulate.hpp"
#include "vinculum/motion/flow.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <cmath>
#include <numbers>

namespace vinculum::integrators {
namespace {

using test::Simulation;

/// A wheel of inertia 0.5 kg m² on a vertical axis: gravity does nothing.
std::string wheel(double dt, const std::string& joint, const std::string& more = "") {
  return fmt::format(
      "[run]\ndt = {}\n[[body]]\nname = \"wheel\"\nmass = 2\ninertia = [0.5, 0.5, 0.5]\n[[joint]]\nname = \"axle\"\n"
      "type = \"revolute\"\nchild = \"wheel\"\naxis = [0, 0, 1]\n{}\n{}",
      dt, joint, more);
}

TEST(Tree, a_spring_and_a_damper_follow_the_implicit_midpoint_rule) {
  const double J = 0.5, k = 40, d = 0.3, rest = 0.1, dt = 0.01;
  Simulation sim(wheel(dt, "q = 0.7\nv = -1\nstiffness = 40\ndamping = 0.3\nrest = 0.1"));
  double q = 0.7, v = -1;
  for (int n = 0; n < 500; ++n) {
    sim.run(1);
    // J (v' − v) = −dt (d v̄ + k (q + dt/2 v̄ − rest)), v̄ = (v + v')/2
    const double a = dt * d / 2 + dt * dt * k / 4;
    const double next = ((J - a) * v - dt * k * (q - rest)) / (J + a);
    q += dt * (v + next) / 2;
    v = next;
    ASSERT_NEAR(sim.state.q.tree[0], q, 1e-12);
    ASSERT_NEAR(sim.state.tree_v[0], v, 1e-11);
  }
}

TEST(Tree, dry_friction_stops_a_wheel_and_holds_it) {
  // |Λ| ≤ dt M: v falls by dt M/J per step to zero, and stays there.
  const double dt = 1e-3, slow = dt * 0.25 / 0.5;
  Simulation sim(wheel(dt, "v = 1\nfriction = 0.25"));
  for (int n = 1; n <= 2500; ++n) {
    sim.run(1);
    ASSERT_NEAR(sim.state.tree_v[0], std::max(0.0, 1 - n * slow), 1e-12);
  }
}

TEST(Tree, a_drive_below_the_friction_does_not_turn_the_wheel) {
  const std::string drive = "[[actuator]]\nname = \"m\"\ntype = \"torque\"\njoint = \"axle\"\nctrl = {}\n";
  Simulation held(wheel(1e-3, "friction = 0.25", fmt::format(fmt::runtime(drive), 0.2499)));
  held.run(5000);
  EXPECT_LT(std::abs(held.state.q.tree[0]), 1e-13);
  Simulation slips(wheel(1e-3, "friction = 0.25", fmt::format(fmt::runtime(drive), 0.35)));
  slips.run(1000);
  EXPECT_NEAR(slips.state.tree_v[0], (0.35 - 0.25) / 0.5, 1e-10);
}

TEST(Tree, limits_stop_or_return_by_their_restitution) {
  for (const double e : {0.0, 0.5, 1.0}) {
    Simulation sim(wheel(1e-3, fmt::format("v = 2\nupper = 0.3\ne_N = {}", e)));
    sim.run(400);
    EXPECT_NEAR(sim.state.tree_v[0], -2 * e, 1e-12) << e;
    EXPECT_LE(sim.state.q.tree[0], 0.3 + 1e-9);
  }
}

TEST(Tree, a_saturated_position_drive_gives_its_largest_torque) {
  Simulation sim(wheel(1e-3, "",
                       "[[actuator]]\nname = \"m\"\ntype = \"position\"\njoint = \"axle\"\nkp = 100\nkd = 5\n"
                       "ctrl = 10\nforce_range = [-3, 3]\n"));
  sim.run(500);
  EXPECT_NEAR(sim.state.tree_v[0], 3 * 0.5 / 0.5, 1e-9);
}

TEST(Tree, a_velocity_that_has_run_away_is_said_and_goes_no_further) {
  Simulation sim(wheel(0.01, "v = 1e9"));
  EXPECT_THROW(sim.run(1), Diverged);
}

TEST(Tree, a_plate_that_has_come_to_lie_on_both_edges_is_lifted_once_and_stays) {
  // A projection with Π >= 0 alone opens the edge that lies, which lands, is lifted and opens the other: every second
  // step, less by 0.815 each time, until it is below the tolerance after half a second.
  Simulation sim(test::rocking_plate);
  int since = 0, lifts = 0;  // steps in which all four corners press; those of them that are projected
  for (int n = 0; n < 200; ++n) {
    sim.run(1);
    int pressing = 0;
    bool projected = false;
    for (const ContactRecord& contact : sim.record.contacts) {
      if (contact.shape_a < 0) continue;
      pressing += contact.mode != Mode::projected && contact.Lambda.x() > 0;
      projected = projected || contact.mode == Mode::projected;
    }
    since = pressing == 4 ? since + 1 : 0;
    lifts = since == 0 ? 0 : lifts + projected;
    EXPECT_LE(sim.record.violation, 1e-9);
  }
  EXPECT_GT(since, 150);
  EXPECT_LE(lifts, 2);  // one for each edge
  EXPECT_LT(sim.state.tree_v.norm(), 1e-9);
}

TEST(Tree, a_foot_that_stands_below_bending_joints_is_lifted_by_what_the_step_has) {
  Simulation sim(test::bending_leg);
  int nudged = 0, projected = 0;
  for (int n = 0; n < 50; ++n) {
    sim.run(1);
    EXPECT_LE(sim.record.violation, 1e-9);
    for (const ContactRecord& contact : sim.record.contacts) {
      nudged += contact.mode == Mode::nudged;
      projected += contact.mode == Mode::projected;
    }
  }
  EXPECT_GT(nudged, 40);
  EXPECT_EQ(projected, 0);
}

std::string double_pendulum(double dt) {
  return fmt::format(R"([run]
dt = {}
[[body]]
name = "upper"
position = [0.5, 0, 0]
mass = 1
inertia = [0.01, 0.02, 0.03]
[[body]]
name = "lower"
position = [1.5, 0, 0]
mass = 0.7
inertia = [0.01, 0.02, 0.03]
[[joint]]
name = "shoulder"
type = "revolute"
child = "upper"
point = [-0.5, 0, 0]
axis = [0, 1, 0]
q = 0.4
v = 1
[[joint]]
name = "elbow"
type = "revolute"
parent = "upper"
child = "lower"
point = [-0.5, 0, 0]
axis = [0, 1, 0]
v = -2
)",
                     dt);
}

TEST(Tree, a_double_pendulum_is_followed_with_order_two) {
  auto angle = [](double dt) {
    Simulation sim(double_pendulum(dt));
    sim.run(static_cast<int>(std::lround(1 / dt)));
    return sim.state.q.tree[1];
  };
  const double exact = angle(1e-4 / 8), coarse = angle(2e-3) - exact, fine = angle(1e-3) - exact;
  EXPECT_LT(std::abs(fine), 1e-4);
  EXPECT_NEAR(coarse / fine, 4, 0.1);
}

TEST(Tree, a_light_tree_swings_beside_a_heavy_one_as_it_does_alone) {
  const std::string heavy =
      "[[body]]\nname = \"bell\"\nmass = 1e8\ninertia = [1e8, 1e8, 1e8]\nposition = [0, 5, 0]\n[[joint]]\n"
      "name = \"beam\"\ntype = \"revolute\"\nchild = \"bell\"\npoint = [0, 0, 3]\naxis = [0, 1, 0]\nq = 1\n";
  Simulation alone(double_pendulum(0.01)), beside(double_pendulum(0.01) + heavy);
  for (int n = 0; n < 10; ++n) {
    alone.step(), beside.step();
    // Both stop within a tenth of the tolerance 1e-8 of their own velocities, of order 10, in every step.
    EXPECT_LT((alone.state.tree_v - beside.state.tree_v.head(2)).norm(), 1e-7) << n;
  }
}

TEST(Tree, the_ledger_says_where_the_energy_went) {
  Simulation sim(double_pendulum(1e-3));
  const double start = motion::energy(sim.system, sim.state).total();
  double sum = 0;
  sim.run(1000, [&] { sum += sim.record.ledger.sum(); });
  EXPECT_NEAR(motion::energy(sim.system, sim.state).total() - start, sum, 1e-11);
}

/// Four bars: two uprights and a coupler, 1 m and 1 kg each, closed by `loop`.
std::string four_bar(const std::string& loop) {
  const double I = 1.0 / 12;
  return fmt::format(
      R"([run]
dt = 1e-3
tol = 1e-10
[[body]]
name = "left"
position = [0, 0, 0.5]
mass = 1
inertia = [{0}, {0}, 1e-6]
[[body]]
name = "top"
position = [0.5, 0, 1]
mass = 1
inertia = [1e-6, {0}, {0}]
[[body]]
name = "right"
position = [1, 0, 0.5]
mass = 1
inertia = [{0}, {0}, 1e-6]
[[joint]]
name = "A"
type = "revolute"
child = "left"
point = [0, 0, -0.5]
axis = [0, 1, 0]
v = 1
[[joint]]
name = "B"
type = "revolute"
parent = "left"
child = "top"
point = [-0.5, 0, 0]
axis = [0, 1, 0]
v = -1
[[joint]]
name = "C"
type = "revolute"
parent = "top"
child = "right"
point = [0, 0, 0.5]
axis = [0, 1, 0]
v = 1
{1}
)",
      I, loop);
}

TEST(Tree, a_closed_four_bar_moves_like_the_single_pendulum_it_is) {
  // benchmarks.md 9, N = 1: ((N + 1)/3 + N) θ̈ = g ((N + 1)/2 + N) sin θ, θ from the vertical.
  const std::string revolute =
      "[[joint]]\nname = \"D\"\ntype = \"revolute\"\nparent = \"world\"\nchild = \"right\"\nloop = true\n"
      "point = [0, 0, -0.5]\naxis = [0, 1, 0]\n";
  const std::string connect =
      "[[connect]]\nname = \"D\"\na = \"world\"\nb = \"right\"\npoint_a = [1, 0, 0]\npoint_b = [0, 0, -0.5]\n";
  double theta = 0, rate = 1;
  const double h = 1e-5, factor = 9.81 * 2 / (2.0 / 3 + 1);
  for (int k = 0; k < 50000; ++k) {  // velocity Verlet: error 1e-9 after 0.5 s
    rate += 0.5 * h * factor * std::sin(theta);
    theta += h * rate;
    rate += 0.5 * h * factor * std::sin(theta);
  }
  for (const std::string& loop : {revolute, connect}) {
    Simulation sim(four_bar(loop));
    sim.run(500);
    EXPECT_NEAR(sim.state.q.tree[0], theta, 2e-5);  // order two: dt² times the third derivative
    EXPECT_LT(std::abs(sim.state.q.tree[0] + sim.state.q.tree[1]), 1e-9);
    EXPECT_LT((sim.state.q.x[2] - Vec3(1 + 0.5 * std::sin(sim.state.q.tree[0]), 0, 0.5 * std::cos(sim.state.q.tree[0])))
                  .norm(),
              1e-8);
  }
}

TEST(Tree, a_link_that_falls_on_the_floor_rests_there) {
  Simulation sim(R"([run]
dt = 2e-3
[[shape]]
name = "floor"
type = "plane"
[[body]]
name = "arm"
position = [0.5, 0, 0.5]
mass = 1
shape = { type = "capsule", radius = 0.05, length = 1, rotation = { axis = [0, 1, 0], degrees = 90 } }
[[joint]]
name = "hinge"
type = "revolute"
child = "arm"
point = [-0.5, 0, 0]
axis = [0, 1, 0]
[[contact]]
mu = 0.5
)");
  sim.run(1000);
  // The tip is a ball of radius 0.05 at one metre: sin q = (0.5 − 0.05)/1.
  EXPECT_NEAR(std::sin(sim.state.q.tree[0]), 0.45, 1e-7);
  EXPECT_LT(std::abs(sim.state.tree_v[0]), 1e-12);
  // The floor carries half of the weight and friction nothing that would turn the arm: moments about the hinge.
  double normal = 0;
  for (const ContactRecord& contact : sim.record.contacts) normal += contact.Lambda.x() / 2e-3;
  EXPECT_GT(normal, 0.4 * 9.81);
}

TEST(Tree, a_floating_tree_and_a_free_body_fall_alike) {
  Simulation sim(R"([run]
dt = 1e-3
[[shape]]
name = "floor"
type = "plane"
[[body]]
name = "base"
position = [0, 0, 0.30]
shape = { type = "box", size = [0.2, 0.2, 0.2] }
density = 1000
[[body]]
name = "lid"
position = [0, 0, 0.45]
shape = { type = "box", size = [0.1, 0.1, 0.1] }
density = 1000
[[joint]]
name = "root"
type = "free"
child = "base"
[[joint]]
name = "slide"
type = "prismatic"
parent = "base"
child = "lid"
axis = [0, 0, 1]
stiffness = 1e5
damping = 500
[[body]]
name = "free"
position = [1, 0, 0.30]
shape = { type = "box", size = [0.2, 0.2, 0.2] }
density = 1000
[[contact]]
mu = 0.5
)");
  sim.run(150);  // still falling: 0.15 s, 0.11 m
  EXPECT_NEAR(sim.state.q.x[0].z(), sim.state.q.x[2].z(), 1e-12);
  sim.run(1500);
  EXPECT_NEAR(sim.state.q.x[0].z(), 0.1, 1e-8);
  EXPECT_NEAR(sim.state.q.x[2].z(), 0.1, 1e-8);
  // The spring carries the lid: 1 kg.
  EXPECT_NEAR(sim.state.q.tree[7], -9.81 * 1 / 1e5, 1e-9);
}

TEST(Tree, a_step_resumed_from_its_memory_gives_the_same_bits) {
  Simulation whole(double_pendulum(1e-3)), part(double_pendulum(1e-3));
  whole.run(200);
  part.run(100);
  const std::vector<double> memory = part.integrator->save();
  Simulation resumed(double_pendulum(1e-3));
  resumed.state = part.state;
  resumed.integrator->restore(memory);
  resumed.run(100);
  EXPECT_EQ(resumed.state.q.tree, whole.state.q.tree);
  EXPECT_EQ(resumed.state.tree_v, whole.state.tree_v);
}

}  // namespace
}  // namespace vinculum::integrators
