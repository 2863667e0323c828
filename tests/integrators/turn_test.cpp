// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Bodies that turn too fast to be followed are named; balls look the same however they turn.
#include "support/simulate.hpp"

namespace vinculum::integrators {
namespace {

std::string spinning(const char* shape, double w, const char* more = "") {
  return fmt::format(
      "[scene]\ngravity = [0, 0, 0]\n[run]\ndt = 1e-3\n[[body]]\nname = 'slow'\nposition = [5, 0, 0]\nmass = 1\n"
      "angular_velocity = [1, 0, 0]\n[body.shape]\ntype = 'box'\nsize = [1, 1, 1]\n"
      "[[body]]\nname = 'spun'\nmass = 1\nangular_velocity = [0, {}, 0]\n{}\n[body.shape]\n{}\n",
      w, more, shape);
}

TEST(Turn, of_the_fastest_body_in_a_step_is_recorded) {
  test::Simulation sim(spinning("type = 'box'\nsize = [1, 1, 1]", 1500));
  sim.step();
  EXPECT_EQ(sim.record.turn.body, 1);
  EXPECT_NEAR(sim.record.turn.angle, 1500 * 1e-3, 1e-12);  // a cube keeps its angular velocity
  EXPECT_GT(sim.record.turn.angle, motion::kFollowed);
}

TEST(Turn, of_a_ball_about_its_centre_does_not_count) {
  test::Simulation sim(spinning("type = 'sphere'\nradius = 0.5", 1500));
  sim.step();
  EXPECT_EQ(sim.record.turn.body, 0);
  EXPECT_NEAR(sim.record.turn.angle, 1e-3, 1e-15);
}

TEST(Turn, of_a_ball_off_the_centre_of_mass_counts) {
  test::Simulation sim(spinning("type = 'sphere'\nradius = 0.5", 1500, "com = [0, 0, 0.2]"));
  sim.step();
  EXPECT_EQ(sim.record.turn.body, 1);
}

}  // namespace
}  // namespace vinculum::integrators
