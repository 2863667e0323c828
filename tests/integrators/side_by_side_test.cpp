// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Free bodies, a tree and a Lagrangian part in one scene move as they do alone, to the bit: nothing reaches from the
// one to the other.
#include "support/simulate.hpp"

namespace vinculum::test {
namespace {

constexpr double dt = 1e-3;
constexpr int steps = 400;

/// A ball falls on a floor and an arm that swings beside it.
const std::string bodies = R"scene(
[[contact]]
mu = 0.4
e_N = 0.5
[[shape]]
name = "floor"
type = "plane"
[[body]]
name = "ball"
position = [0, 0, 0.3]
velocity = [0.5, 0, 0]
shape = { type = "sphere", radius = 0.1, density = 500 }
[[body]]
name = "arm"
mass = 1
inertia = [0.02, 0.03, 0.01]
com = [0, 0, -0.3]
[[joint]]
name = "pivot"
type = "revolute"
child = "arm"
position = [0.6, 0, 0.6]
axis = [0, 1, 0]
q = 1.2
lower = -0.2
e_N = 0.3
)scene";

/// A pendulum on a bead that slides along a wire with dry friction and hits a stop.
const std::string part = R"scene(
[lagrangian]
coordinates = ["x", "phi"]
parameters = { m = 1, M = 2, L = 0.5, g = 9.81 }
T = "1/2*(M + m)*x'^2 + 1/2*m*L^2*phi'^2 + m*L*cos(phi)*x'*phi'"
U = "-m*g*L*cos(phi)"
q = [0, 1]
u = [1, 0]
[[law]]
name = "stop"
type = "unilateral"
gap = "0.2 - x"
e = 0.5
[[law]]
name = "wire"
type = "dry_friction"
rate = "x'"
load = 2
)scene";

TEST(SideBySide, all_parts_move_as_they_do_alone) {
  Simulation both(bodies + part, {.dt = dt}), left(bodies, {.dt = dt}), right(part, {.dt = dt});
  double most_impact = 0;
  for (int i = 0; i < steps; ++i) {
    both.step(), left.step(), right.step();
    ASSERT_TRUE(same(both.state.q.x[0], left.state.q.x[0]) && same(both.state.p[0], left.state.p[0])) << i;
    ASSERT_EQ(both.state.q.tree, left.state.q.tree) << i;
    ASSERT_EQ(both.state.tree_v, left.state.tree_v) << i;
    ASSERT_EQ(both.state.lagrangian_q, right.state.lagrangian_q) << i;
    ASSERT_EQ(both.state.lagrangian_u, right.state.lagrangian_u) << i;
    ASSERT_EQ(both.state.step, i + 1);
    ASSERT_EQ(both.state.t, left.state.t);
    ASSERT_EQ(both.record.contacts.size(), left.record.contacts.size() + right.record.contacts.size());
    const auto &l = both.record.ledger, &a = left.record.ledger, &b = right.record.ledger;
    ASSERT_EQ(l.kinetic, a.kinetic + b.kinetic);
    ASSERT_EQ(l.potential, a.potential + b.potential);
    ASSERT_EQ(l.work_impact, a.work_impact + b.work_impact);
    ASSERT_EQ(l.work_friction, a.work_friction + b.work_friction);
    ASSERT_EQ(both.record.solver.errors.scaled,
              std::max(left.record.solver.errors.scaled, right.record.solver.errors.scaled));
    most_impact = std::min({most_impact, a.work_impact + b.work_impact});
  }
  EXPECT_LT(most_impact, -1e-3);  // there was something to tell apart
  EXPECT_NEAR(both.energy(), left.energy() + right.energy(), 1e-12);
}

TEST(SideBySide, a_run_goes_on_from_its_memory_bit_for_bit) {
  Simulation one(bodies + part, {.dt = dt}), two(bodies + part, {.dt = dt});
  one.run(steps);
  two.run(steps / 2);
  const std::vector<double> memory = two.integrator->save();
  two.integrator = two.make("auto");
  two.integrator->restore(memory);
  two.run(steps / 2);
  EXPECT_TRUE(same(one.state, two.state));
  EXPECT_EQ(one.state.q.tree, two.state.q.tree);
  EXPECT_EQ(one.state.lagrangian_u, two.state.lagrangian_u);
}

}  // namespace
}  // namespace vinculum::test
