// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The scenes of bench/simbench.cpp for as long as a test may take. What the scene files expect is derived there.
#include "support/simulate.hpp"

namespace vinculum::integrators {
namespace {

using namespace vinculum::test;

TEST(Rolling, plate_and_balls_follow_the_closed_form) {
  Simulation sim(scene_text("rolling"));
  const Vec3 d(0.5, std::sqrt(0.75), 0);
  const double plate = (150 - 0.4 * 35 * 9.81) / (10 + 25 * 2. / 7);
  double worst = 0;
  sim.run(200, [&] {
    worst = std::max(worst, (sim.v(0) - plate * sim.state.t * d).norm());
    for (std::size_t b = 1; b < 26; ++b) {
      worst = std::max(worst, (sim.v(b) - 2. / 7 * plate * sim.state.t * d).norm());
    }
  });
  EXPECT_LT(worst, 1e-11);  // 200 solves to about 1e-14 m/s of the 0.15 m/s reached
}

// E − E₀ relative to E₀, the largest so far.
double energy_error(const std::string& scene, double until, int& impacts) {
  Simulation sim(scene_text(scene));
  const double start = sim.energy();
  double worst = 0;
  while (sim.state.t < until) {
    sim.step();
    for (const ContactRecord& contact : sim.record.contacts) impacts += contact.Lambda.x() > 0;
    worst = std::max(worst, std::abs(sim.energy() - start) / start);
  }
  return worst;
}

TEST(Bouncing, balls_keep_their_energy) {
  int impacts = 0;
  EXPECT_LT(energy_error("bouncing", 3.1, impacts), 1e-12);  // 3100 steps, a rounding each
  EXPECT_EQ(impacts, 2 * 49);                                // at 0.9995 s and 2.9985 s
}

TEST(Bouncing, keeps_energy_when_only_gravity_closes_the_gap_within_the_step) {
  // From each height the ball meets the floor at another part of a step; some of those falls end as what would be a
  // landing for e_N < 1.
  double worst = 0;
  for (int i = 0; i < 50; ++i) {
    const std::string height = num(0.2 + 1e-4 * i);
    Simulation sim(
        "[[contact]]\ne_N = 1\n[[shape]]\nname = 'floor'\ntype = 'plane'\n[[body]]\nname = 'ball'\nmass = 1\n"
        "position = [0, 0, " +
            height + "]\nshape = { type = 'sphere', radius = 0.1 }\n",
        {.dt = 1e-2});
    const double start = sim.energy();
    sim.run(300, [&] { worst = std::max(worst, std::abs(sim.energy() - start) / start); });
  }
  EXPECT_LT(worst, 1e-12);  // 300 steps, a rounding each
}

TEST(Elastic666, balls_keep_their_energy_through_impacts_many_at_once) {
  int impacts = 0;
  EXPECT_LT(energy_error("elastic_666", 1.5, impacts), 1e-12);  // 1500 steps, a rounding each
  EXPECT_GT(impacts, 500);
}

TEST(Spheres666, no_two_balls_overlap_beyond_the_tolerance) {
  Simulation sim(scene_text("spheres_666"));
  double worst = 0;
  sim.run(300, [&] { worst = std::max(worst, sim.record.penetration); });
  EXPECT_LE(worst, 0.1 * sim.tol * 0.1);  // a tenth of the tolerance times the radius (projection.hpp)
  EXPECT_GT(sim.record.contacts.size(), 100u);
}

TEST(KaplaTower, does_not_move) {
  Simulation sim(scene_text("kapla_tower"));
  const std::vector<Vec3> start = sim.state.q.x;
  sim.run(50);
  double worst = 0;
  for (std::size_t b = 0; b < start.size(); ++b) worst = std::max(worst, (sim.x(b) - start[b]).norm());
  EXPECT_EQ(start.size(), 102u);
  EXPECT_LT(worst, 1e-12);  // round-off of places of a metre, 50 times
}

TEST(Grasp, does_not_let_the_capsule_slip) {
  Simulation sim(scene_text("grasp"));
  auto hangs_at = [&] { return Vec3(sim.x(0) - 0.5 * (sim.x(1) + sim.x(2))); };
  const Vec3 start = hangs_at();
  double worst = 0;
  sim.run(500, [&] { worst = std::max(worst, (hangs_at() - start).norm()); });
  EXPECT_LT(worst, 1e-12);  // round-off of places of 0.1 m, 500 times
  EXPECT_NEAR(sim.x(0).z(), 0.12, 1e-12);
}

}  // namespace
}  // namespace vinculum::integrators
