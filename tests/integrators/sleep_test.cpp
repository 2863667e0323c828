// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What rests sleeps, costs nothing and wakes in time: the same motion as without sleep.
#include "support/simulate.hpp"

namespace vinculum::integrators {
namespace {

using test::same;
using test::Simulation;
using test::Vec3;

constexpr double g = 9.81;

std::string box(const std::string& name, double x, double z) {
  return "[[body]]\nname = '" + name + "'\nmass = 1\nposition = [" + test::num(x) + ", 0, " + test::num(z) +
         "]\nshape = { type = 'box', size = [0.2, 0.2, 0.2] }\n";
}

const std::string kFloor =
    "[run]\ndt = 1e-3\n[[contact]]\nmu = 0.5\ne_N = 0.3\n[[shape]]\nname = 'floor'\ntype = 'plane'\n";
// Two stacks of three and a ball that strikes the first from above and aside after 0.3 s.
const std::string kStacks = kFloor + box("a1", 0, .1) + box("a2", 0, .3) + box("a3", 0, .5) + box("b1", 1, .1) +
                            box("b2", 1, .3) + box("b3", 1, .5) +
                            "[[body]]\nname = 'ball'\nmass = 2\nposition = [-0.546, 0.01, 1.1]\nvelocity = [2, 0, 0]\n"
                            "shape = { type = 'sphere', radius = 0.05 }\n";

TEST(Sleep, takes_what_rests_and_wakes_it_for_a_blow) {
  Simulation sim(kStacks), awake(kStacks, {.sleep = false});
  sim.run(50);
  EXPECT_EQ(sim.record.asleep, 6u);
  EXPECT_EQ(sim.record.contacts.size(), 24u);  // written all the same
  awake.run(50);
  EXPECT_EQ(awake.record.asleep, 0u);
  // The ball falls 0.45 m: 303 steps. The first stack must be awake in the step of the blow, the second sleeps on.
  std::int64_t struck = 0;
  while (struck == 0) {
    sim.step();
    for (const ContactRecord& c : sim.record.contacts) {
      if (c.mode == Mode::impact) struck = sim.record.step;
    }
  }
  EXPECT_NEAR(static_cast<double>(struck), std::sqrt(2 * .45 / g) / sim.dt, 2);
  EXPECT_EQ(sim.record.asleep, 3u);
  sim.run_until(.4);
  awake.run_until(.4);
  EXPECT_EQ(sim.record.asleep, 3u);
  EXPECT_GT((sim.x(sim.body("a3")) - Vec3(0, 0, .5)).norm(), 1e-3);  // it was a blow
  for (std::size_t b = 0; b < 7; ++b) {
    // Up to the blow the two differ by rounding; 100 steps of sliding and rocking make 1e-12 of it.
    EXPECT_LT((sim.x(b) - awake.x(b)).norm(), 1e-10) << b;
    EXPECT_LT((sim.v(b) - awake.v(b)).norm(), 1e-8) << b;
  }
}

TEST(Sleep, ends_when_the_state_is_changed_from_outside) {
  Simulation sim(kFloor + box("a", 0, .1));
  sim.run(20);
  ASSERT_EQ(sim.record.asleep, 1u);
  sim.state.p[0] = Vec3(1, 0, 0);
  sim.step();
  EXPECT_EQ(sim.record.asleep, 0u);
  EXPECT_NEAR(sim.v().x(), 1 - .5 * g * sim.dt, 1e-12);
  sim.run_until(1);  // slides v²/(2 μ g) and sleeps again
  EXPECT_EQ(sim.record.asleep, 1u);
  EXPECT_NEAR(sim.x().x(), 1 / (2 * .5 * g), 1e-3);
}

TEST(Sleep, ends_when_a_force_begins_and_lasts_while_one_holds) {
  Simulation sim(kFloor + box("a", 0, .1) + "[[force]]\nbody = 'a'\nforce = [10, 0, 0]\nfrom = 0.1\nto = 0.2\n" +
                 box("held", 2, .1) + "[[force]]\nbody = 'held'\nforce = [4, 0, 0]\npoint = [0, 0, 0.05]\n");
  sim.run_until(.1);
  EXPECT_EQ(sim.record.asleep, 2u);
  sim.run_until(.2);
  EXPECT_EQ(sim.record.asleep, 1u);
  EXPECT_NEAR(sim.v().x(), .1 * (10 - .5 * g), 1e-10);
  EXPECT_EQ(sim.x(1).x(), 2);  // though its force is off its centre
  EXPECT_EQ(sim.R(1).coeffs(), test::Quat::Identity().coeffs());
  sim.run_until(1);
  EXPECT_EQ(sim.record.asleep, 2u);
}

TEST(Sleep, is_kept_by_save_and_restore) {
  Simulation whole(kStacks), first(kStacks), second(kStacks);
  whole.run(400);
  first.run(100);
  ASSERT_EQ(first.record.asleep, 6u);
  second.state = first.state;
  second.integrator->restore(first.integrator->save());
  second.step();
  EXPECT_EQ(second.record.asleep, 6u);
  second.run(299);
  EXPECT_TRUE(same(whole.state, second.state));
  EXPECT_EQ(whole.integrator->save(), second.integrator->save());
}

TEST(Rest, is_exact_zero_where_impulses_hold_a_body) {
  Simulation sim(kFloor + box("a", 0, .1) + box("b", 0, .3), {.sleep = true});
  sim.run(10);
  for (std::size_t b = 0; b < 2; ++b) {
    EXPECT_EQ(sim.state.p[b], Vec3(0, 0, 0));
    EXPECT_EQ(sim.state.l[b], Vec3(0, 0, 0));
  }
  // A slow flight is no rest: nothing acts on it.
  Simulation slow("[scene]\ngravity = [0, 0, 0]\n" + kFloor + box("a", 0, .5) + "velocity = [1e-14, 0, 0]\n");
  slow.run(10);
  EXPECT_EQ(slow.v().x(), 1e-14);
}

}  // namespace
}  // namespace vinculum::integrators
