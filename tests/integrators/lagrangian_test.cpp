// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Lagrangian scenes beyond the digest's: moving frames, and laws that cannot be stepped.
#include "support/simulate.hpp"
#include "vinculum/motion/flow.hpp"

#include <gtest/gtest.h>
#include <cmath>

namespace vinculum::integrators {
namespace {

using test::Simulation;

/// Seen from a frame that moves with velocity A sin t, a free mass has T = m/2 (q' − A sin t)²: it accelerates with A
/// cos t.
std::string moving_frame(double dt) {
  return "[run]\ndt = " + std::to_string(dt) +
         "\n[lagrangian]\ncoordinates = [\"q\"]\nparameters = { m = 2, A = 0.3 }\nT = \"m/2*(q' - A*sin(t))^2\"\n";
}

TEST(Rheonomic, a_free_mass_in_a_moving_frame_follows_the_frame) {
  auto error = [](double dt) {
    Simulation sim(moving_frame(dt));
    sim.run(static_cast<int>(std::lround(2 / dt)));
    return std::abs(sim.state.lagrangian_q[0] - 0.3 * (1 - std::cos(2.0)));
  };
  const double coarse = error(0.02), fine = error(0.01);
  EXPECT_LT(fine, 1e-5);
  EXPECT_NEAR(coarse / fine, 4, 0.1);  // order 2
}

TEST(Rheonomic, the_jacobi_energy_changes_by_what_the_ledger_says) {
  Simulation sim(moving_frame(1e-3));
  const double start = motion::energy(sim.system, sim.state).total();
  double work = 0, scheme = 0;
  sim.run(1000, [&] {
    work += sim.record.ledger.work_forces;
    scheme += sim.record.ledger.scheme;
  });
  // u ∂T/∂u − T = m/2 (q'² − A² sin² t), with q' = A sin t: zero at all times.
  EXPECT_NEAR(motion::energy(sim.system, sim.state).total() - start, work + scheme, 1e-14);
  EXPECT_NEAR(motion::energy(sim.system, sim.state).total(), 0, 1e-8);
  EXPECT_LT(std::abs(scheme), 1e-7);
}

TEST(Steppable, laws_that_end_somewhere_or_have_no_regular_potential_are_refused) {
  auto scene = [](const std::string& law) {
    return "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nT = \"(x'^2 + y'^2)/2\"\nq = [0.5, 0.5]\n[[law]]\n" + law;
  };
  for (const char* law :
       {"type = \"power\"\ngap = \"x\"\ncoefficient = 1\nexponent = 2\n", "type = \"ledge\"\ngap = [\"x\", \"y\"]\n",
        "type = \"quadrant\"\ngap = [\"x\", \"y\"]\n", "type = \"step\"\ngap = \"x\"\nforce = -1\n"}) {
    EXPECT_THROW(Simulation(scene(law)).run(1), base::InputError) << law;
  }
  for (const char* law :
       {"type = \"step\"\ngap = \"x\"\nforce = 1\n", "type = \"unilateral\"\ngap = \"x\"\n",
        "type = \"bilateral\"\ngap = \"x - 0.5\"\n", "type = \"spring\"\ngap = \"x\"\nstiffness = 3\n"}) {
    EXPECT_NO_THROW(Simulation(scene(law)).run(1)) << law;
  }
}

}  // namespace
}  // namespace vinculum::integrators
