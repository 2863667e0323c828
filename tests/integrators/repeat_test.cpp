// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Promises about repeatability: the same bits after save and restore, for any number of threads; and no allocation once
// a step has been seen.
#include "support/count_allocations.hpp"
#include "support/simulate.hpp"
#include "vinculum/base/parallel.hpp"

namespace vinculum::integrators {
namespace {

using test::same;
using test::scene_text;
using test::Simulation;

/// Two arms on a floating trunk that fall on the floor, with limits, dampers and a drive: all that a robot has.
std::string falling_robot(int copies = 1) {
  std::string text = "[run]\ndt = 2e-3\n[[contact]]\nmu = 0.7\n[[shape]]\nname = \"floor\"\ntype = \"plane\"\n";
  for (int k = 0; k < copies; ++k) {
    const std::string id = std::to_string(k), x = std::to_string(2 * k);
    text += "[[body]]\nname = \"trunk" + id + "\"\nposition = [" + x +
            ", 0, 0.4]\nrotation = { axis = [1, 1, 0], degrees = 20 }\nmass = 4\n"
            "shape = { type = \"box\", size = [0.3, 0.2, 0.2] }\n"
            "[[joint]]\nname = \"root" +
            id + "\"\ntype = \"free\"\nchild = \"trunk" + id + "\"\n";
    for (const std::string side : {"-", ""}) {
      const std::string arm = "arm" + side + id;
      text += "[[body]]\nname = \"" + arm + "\"\nposition = [" + x + ", " + side +
              "0.35, 0.4]\nmass = 1\nshape = { type = \"capsule\", radius = 0.05, length = 0.3, rotation = { axis = "
              "[1, 0, 0], degrees = 90 } }\n[[joint]]\nname = \"shoulder" +
              side + id + "\"\ntype = \"revolute\"\nparent = \"trunk" + id + "\"\nchild = \"" + arm +
              "\"\npoint = [0, " + (side.empty() ? "-" : "") +
              "0.2, 0]\naxis = [1, 0, 0]\ndamping = 0.2\nstiffness = 2\nlower = -0.3\nupper = 0.4\n";
    }
  }
  return text;
}

// ---------------------------------------------------------------------------------------------- save and restore

void expect_same_after_restore(const std::string& text, int steps) {
  Simulation whole(text), first(text);
  whole.run(2 * steps);
  first.run(steps);
  const std::vector<double> memory = first.integrator->save();
  const system::State state = first.state;

  Simulation second(text);
  second.state = state;
  second.integrator->restore(memory);
  second.run(steps);
  EXPECT_TRUE(same(whole.state, second.state));
  EXPECT_EQ(whole.state.tree_v, second.state.tree_v);
  EXPECT_EQ(whole.integrator->save(), second.integrator->save());
  EXPECT_EQ(whole.record.contacts.size(), second.record.contacts.size());
  EXPECT_EQ(whole.record.solver.iterations, second.record.solver.iterations);
}

TEST(Resumption, from_state_and_memory_gives_the_same_bits) {
  expect_same_after_restore(scene_text("slope_slide"), 100);
  expect_same_after_restore(scene_text("slope_stick"), 100);
  expect_same_after_restore(scene_text("bounce_zeno"), 700);
  expect_same_after_restore(scene_text("billiard"), 400);  // through the break
  expect_same_after_restore(scene_text("newtons_cradle"), 100);
  expect_same_after_restore(scene_text("pour_100"), 100);
}

// What did not move is not found, framed and written out again. An integrator that knows nothing of the last step has
// to: stacks that come to rest, awake, and a blow after that.
TEST(Resumption, in_every_step_gives_the_same_bits_at_rest) {
  std::string text =
      "[run]\ndt = 1e-3\n[[contact]]\nmu = 0.5\n[[shape]]\nname = 'floor'\ntype = 'plane'\n"
      "[[body]]\nname = 'ball'\nmass = 2\nposition = [-0.3, 0, 0.42]\nvelocity = [2, 0, 0]\n"
      "shape = { type = 'sphere', radius = 0.05 }\n";
  for (int k = 0; k < 3; ++k) {
    text += "[[body]]\nname = 'box" + std::to_string(k) + "'\nmass = 1\nposition = [0, 0, " + test::num(.1 + .2 * k) +
            "]\nshape = { type = 'box', size = [0.2, 0.2, 0.2] }\n";
  }
  Simulation whole(text, {.sleep = false});
  whole.state.p[0].setZero();
  whole.state.q.x[0] = test::Vec3(-1, 0, .05);  // rests, until it is thrown
  for (int k = 0; k < 120; ++k) {
    if (k == 40) whole.state.q.x[0] = test::Vec3(-.3, 0, .42), whole.state.p[0] = test::Vec3(4, 0, 0);
    Simulation fresh(text, {.sleep = false});
    fresh.state = whole.state;
    fresh.integrator->restore(whole.integrator->save());
    whole.step();
    fresh.step();
    ASSERT_TRUE(same(whole.state, fresh.state)) << k;
    ASSERT_EQ(whole.record.contacts.size(), fresh.record.contacts.size()) << k;
    for (std::size_t i = 0; i < whole.record.contacts.size(); ++i) {
      const ContactRecord &c = whole.record.contacts[i], &d = fresh.record.contacts[i];
      ASSERT_TRUE(c.feature_id == d.feature_id && c.mode == d.mode && c.gap == d.gap && c.Lambda == d.Lambda) << k;
      ASSERT_TRUE(c.n == d.n && c.t1 == d.t1 && c.point == d.point && c.Pi == d.Pi && c.round == d.round) << k;
    }
    ASSERT_EQ(whole.record.penetration_before, fresh.record.penetration_before) << k;
    ASSERT_EQ(whole.record.violation, fresh.record.violation) << k;
    ASSERT_EQ(whole.integrator->save(), fresh.integrator->save()) << k;
  }
  EXPECT_GT((whole.x(3) - test::Vec3(0, 0, .5)).norm(), 1e-3);  // it was a blow
}

TEST(Resumption, of_a_robot_through_its_fall_gives_the_same_bits) {
  expect_same_after_restore(falling_robot(), 60);
  expect_same_after_restore(falling_robot(), 250);
  expect_same_after_restore(falling_robot(3), 150);
}

TEST(Resumption, without_the_memory_still_solves_every_step) {
  Simulation sim(scene_text("slope_stick"));
  sim.run(100);
  sim.integrator->restore({});
  sim.step();
  EXPECT_EQ(sim.record.solver.status, solvers::Status::solved);
  EXPECT_GT(sim.record.solver.iterations, 0);  // a cold start
}

TEST(Runs, of_the_same_scene_have_the_same_bits) {
  Simulation a(scene_text("billiard")), b(scene_text("billiard"));
  a.run(500);
  b.run(500);
  EXPECT_TRUE(same(a.state, b.state));
}

// -------------------------------------------------------------------------------------------------------- threads

TEST(Threads, do_not_change_a_bit_of_a_thousand_bodies) {
  // pour_1000 falls 0.2 m first: start it with the speed it would have, so that contacts come early.
  const std::string scene = scene_text("pour_1000");
  const auto at = scene.find("density = 2500");
  ASSERT_NE(at, std::string::npos);
  const std::string text = scene.substr(0, at) + "velocity = [0, 0, -2]\n" + scene.substr(at);
  constexpr int steps = 120;
  system::State states[2];
  std::size_t contacts[2] = {0, 0};
  for (const int threads : {1, 2}) {
    const base::ThreadLimit limit(threads);
    Simulation sim(text, {.tol = 1e-3});  // loose: bits are compared, not laws
    ASSERT_GE(sim.system.body_count(), 1000u);
    std::size_t& most = contacts[threads - 1];
    sim.run(steps, [&] { most = std::max(most, sim.record.contacts.size()); });
    states[threads - 1] = sim.state;
  }
  EXPECT_GT(contacts[0], 300u);
  EXPECT_EQ(contacts[0], contacts[1]);
  EXPECT_TRUE(same(states[0], states[1]));
}

TEST(Threads, do_not_change_a_bit_of_falling_robots) {
  system::State states[2];
  for (const int threads : {1, 2}) {
    const base::ThreadLimit limit(threads);
    Simulation sim(falling_robot(4));
    sim.run(300);
    EXPECT_GT(sim.record.contacts.size(), 8u);
    states[threads - 1] = sim.state;
  }
  EXPECT_TRUE(same(states[0], states[1]));
  EXPECT_EQ(states[0].tree_v, states[1].tree_v);
}

// ----------------------------------------------------------------------------------------------------- allocation

long allocations_per_100_steps(const std::string& text, int warm_up) {
  Simulation sim(text);
  sim.run(warm_up);
  const long before = test::allocations();
  for (int i = 0; i < 100; ++i) sim.step();
  return test::allocations() - before;
}

TEST(Allocations, are_counted) {
  if (!test::counts_allocations) GTEST_SKIP() << "a sanitizer has its own malloc";
  const long before = test::allocations();
  auto* p = new std::vector<double>(100);
  EXPECT_GE(test::allocations() - before, 2);
  delete p;
}

TEST(Memory, step_allocates_nothing_in_free_flight) {
  EXPECT_EQ(allocations_per_100_steps(scene_text("bounce_elastic"), 10), 0);
}

TEST(Memory, step_allocates_nothing_on_a_slope) {
  EXPECT_EQ(allocations_per_100_steps(scene_text("slope_stick"), 100), 0);
  EXPECT_EQ(allocations_per_100_steps(scene_text("slope_slide"), 100), 0);
}

TEST(Memory, step_allocates_nothing_for_rods) {
  EXPECT_EQ(allocations_per_100_steps(scene_text("newtons_cradle"), 100), 0);
}

TEST(Memory, step_allocates_nothing_for_a_robot_that_lies_on_the_floor) {
  EXPECT_EQ(allocations_per_100_steps(falling_robot(), 600), 0);
  EXPECT_EQ(allocations_per_100_steps(falling_robot(3), 600), 0);
}

TEST(Memory, step_allocates_nothing_in_a_standing_stack) {
  EXPECT_EQ(allocations_per_100_steps(scene_text("box_stack"), 30), 0);
}

}  // namespace
}  // namespace vinculum::integrators
