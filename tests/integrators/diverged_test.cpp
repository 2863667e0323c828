// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "support/simulate.hpp"

#include <limits>

namespace vinculum::integrators {
namespace {

const char* const two_balls = R"([run]
dt = 1e-2
[[body]]
name = "first"
mass = 1
shape = { type = "sphere", radius = 0.1 }
[[body]]
name = "second"
mass = 1
position = [1, 0, 0]
shape = { type = "sphere", radius = 0.1 }
)";

/// Of the second ball with this momentum: who has diverged, −1 for nobody; the state stays what it was.
int who_diverges(double momentum) {
  test::Simulation sim(two_balls);
  sim.state.p[1].x() = momentum;
  try {
    sim.step();
    return -1;
  } catch (const Diverged& diverged) {
    EXPECT_EQ(sim.state.t, 0);
    EXPECT_EQ(sim.state.q.x[1], Vec3(1, 0, 0));
    return diverged.body;
  }
}

TEST(Diverged, is_a_body_that_moves_by_a_billion_of_its_size_or_by_no_number) {
  EXPECT_EQ(who_diverges(9e9), -1);  // 0.9e9 of 0.1 m in 0.01 s
  EXPECT_EQ(who_diverges(1.1e10), 1);
  EXPECT_EQ(who_diverges(std::numeric_limits<double>::infinity()), 1);
  EXPECT_EQ(who_diverges(std::numeric_limits<double>::quiet_NaN()), 1);
}

}  // namespace
}  // namespace vinculum::integrators
