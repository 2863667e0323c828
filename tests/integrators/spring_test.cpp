// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Springs and dampers between points. Along a line the step is the implicit midpoint rule itself, whose answer is a
// closed form of the step:  z⁺ = (1 − dt/2 A)⁻¹ (1 + dt/2 A) z,  z = (x, v),  A = [0 1; −k/m −c/m].
#include "support/simulate.hpp"

#include <Eigen/LU>

namespace vinculum::integrators {
namespace {

using algebra::Vec3;
using test::Simulation;

/// A ball of 2 kg at x = 1 + stretch on a spring of rest length 1 from the origin: free, or on a slide.
std::string oscillator(double k, double c, double dt, bool on_a_slide, double stretch = 0.3) {
  return fmt::format(
      "[scene]\ngravity = [0, 0, 0]\n[run]\ndt = {}\n[[body]]\nname = \"ball\"\nposition = [{}, 0, 0]\n{}mass = 2\n"
      "inertia = [1, 1, 1]\n[[spring]]\nb = \"ball\"\nstiffness = {}\ndamping = {}\nrest = 1\n{}",
      dt, test::num(1 + stretch), on_a_slide ? "" : "velocity = [0.4, 0, 0]\n", k, c,
      on_a_slide ? "[[joint]]\ntype = \"prismatic\"\nchild = \"ball\"\naxis = [1, 0, 0]\nv = 0.4\n" : "");
}

TEST(Spring, along_a_line_the_step_is_the_midpoint_rule_however_stiff) {
  const double dt = 1e-2;
  for (const bool on_a_slide : {false, true}) {
    for (const auto& [k, c] : {std::pair(30.0, 0.0), std::pair(30.0, 2.0), std::pair(2e7, 0.0), std::pair(0.0, 3e5)}) {
      const double stretch = k > 1e6 ? 1e-3 : 0.3;  // small enough that the ends do not meet within a step
      Simulation sim(oscillator(k, c, dt, on_a_slide, stretch));
      Eigen::Matrix2d A;
      A << 0, 1, -k / 2, -c / 2;
      const Eigen::Matrix2d one = Eigen::Matrix2d::Identity();
      const Eigen::Matrix2d step = (one - 0.5 * dt * A).inverse() * (one + 0.5 * dt * A);
      Eigen::Vector2d z(stretch, 0.4);
      for (int i = 0; i < 200; ++i) {
        sim.step();
        z = step * z;
        // Round-off of 200 steps, 1e-16 relative to the length each, times the stiffest ratio dt k / c' of a step.
        ASSERT_NEAR(sim.x().x() - 1, z[0], 1e-11) << "k " << k << ", c " << c << ", step " << i;
      }
      EXPECT_LT(sim.x().tail<2>().norm(), 1e-12);
    }
  }
}

TEST(Spring, keeps_the_energy_along_a_line_and_books_what_a_damper_takes) {
  Simulation kept(oscillator(500, 0, 1e-2, false)), lost(oscillator(500, 4, 1e-2, false));
  const double start = kept.energy();
  EXPECT_NEAR(start, 0.5 * 2 * 0.16 + 0.5 * 500 * 0.09, 1e-12);
  kept.run(1000);
  EXPECT_NEAR(kept.energy(), start, 1e-11 * start);
  double taken = 0;
  lost.run(300, [&] { taken += lost.record.ledger.work_forces; });
  EXPECT_NEAR(lost.energy() - start, taken, 1e-11 * start);
  EXPECT_LT(taken, -0.99 * start);
}

/// Two boxes that turn, tied off their centres.
std::string tumbling(double dt) {
  return fmt::format(R"([scene]
gravity = [0, 0, 0]
[run]
dt = {}
[[body]]
name = "a"
position = [0, 0, 0]
mass = 1
inertia = [0.02, 0.03, 0.04]
velocity = [0, 0.3, 0.1]
angular_velocity = [1, -2, 0.5]
[[body]]
name = "b"
position = [1, 0.2, 0]
mass = 3
inertia = [0.2, 0.1, 0.15]
angular_velocity = [0.3, 0.1, -1]
[[spring]]
a = "a"
b = "b"
point_a = [0.1, 0.2, 0]
point_b = [-0.3, 0.1, 0.2]
stiffness = 40
rest = 0.3
)",
                     dt);
}

TEST(Spring, between_bodies_that_turn_keeps_momentum_and_moment_exactly_and_energy_to_second_order) {
  double drift[2];
  for (int i = 0; i < 2; ++i) {
    const double dt = 4e-3 / (1 << i);
    Simulation sim(tumbling(dt));
    const Vec3 p = sim.momentum(), l = sim.moment_of_momentum();
    const double start = sim.energy();
    sim.run_until(2);
    EXPECT_LT((sim.momentum() - p).norm(), 1e-12);
    EXPECT_LT((sim.moment_of_momentum() - l).norm(), 1e-12);
    drift[i] = sim.energy() - start;
  }
  EXPECT_LT(std::abs(drift[0]), 1e-3);
  EXPECT_NEAR(test::order(drift[0], drift[1]), 2, 0.3);
}

TEST(Spring, carries_a_weight_at_rest) {
  // A lamp of 2 kg between two springs of 100 N/m at 45 degrees: equilibrium 2 k (l − rest) cos(angle) = m g.
  Simulation sim(R"([run]
dt = 1e-2
[[body]]
name = "lamp"
position = [0, 0, -1]
particle = true
mass = 2
[[spring]]
b = "lamp"
point_a = [1, 0, 0]
stiffness = 100
damping = 30
rest = 1
[[spring]]
b = "lamp"
point_a = [-1, 0, 0]
stiffness = 100
damping = 30
rest = 1
)");
  sim.run(5000);
  const double z = -sim.x().z(), l = std::hypot(1, z);
  EXPECT_NEAR(2 * 100 * (l - 1) * z / l, 2 * 9.81, 1e-9);
  EXPECT_LT(sim.v().norm(), 1e-12);
  ASSERT_EQ(sim.record.contacts.size(), 2);
  EXPECT_NEAR(sim.record.contacts[0].Lambda.x() / 1e-2, -100 * (l - 1), 1e-9);
}

}  // namespace
}  // namespace vinculum::integrators
