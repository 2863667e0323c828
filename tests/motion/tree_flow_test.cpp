// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Trees in motion, by a small Runge–Kutta on the group: what mechanics keeps, what is not allocated, what is reported.
#include "support/tree_flow.hpp"
#include "support/count_allocations.hpp"
#include "support/random_tree.hpp"
#include "vinculum/motion/tree_derivatives.hpp"

#include <gtest/gtest.h>

namespace vinculum::test {
namespace {

TEST(TreeFlow, energy_is_kept_by_trees_of_all_joints_in_gravity) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    Random random(seed);
    const Tree tree(random_links(random, 12, 3));
    TreeFlow flow(tree, {0, 0, -9.81});
    flow.q = random_configuration(random, tree);
    flow.v = random.values(tree.nv(), 0.5);
    const double before = flow.energy(), kinetic = flow.kinetic();
    double change[2];
    for (const int level : {0, 1}) {
      TreeFlow run = flow;
      const int steps = 100 << level;
      for (int k = 0; k < steps; ++k) run.step(0.1 / steps);
      change[level] = std::abs(run.energy() - before);
      EXPECT_GT(std::abs(run.kinetic() - kinetic), 1e-3);  // energy does change hands
    }
    // RK4: the error falls sixteenfold and is far below what changed hands.
    EXPECT_LT(change[1], 1e-8 * std::abs(before));
    EXPECT_LT(change[1], change[0] / 10 + 1e-11 * std::abs(before));
  }
}

TEST(TreeFlow, a_floating_tree_without_gravity_keeps_momentum_and_spin) {
  Random random(7);
  std::vector<parts::TreeLink> links = random_links(random, 10, 2);
  for (std::size_t b = 0; b < links.size(); ++b) {
    if (b > 0) links[b].parent = std::max(links[b].parent, 0);
    links[b].armature.clear();  // armature is a rotor that reacts on nothing: it would take momentum away
  }
  links[0].joints = {joints::Joint(joints::Kind::free, {})};
  const Tree tree(links);
  TreeFlow flow(tree, Vec3::Zero());
  flow.q = random_configuration(random, tree);
  flow.v = random.values(tree.nv(), 0.7);
  const screw::Wrench before = flow.momentum();
  const double energy = flow.energy();
  for (int k = 0; k < 400; ++k) flow.step(0.2 / 400);
  EXPECT_LT((flow.momentum() - before).vector().norm(), 1e-9 * before.vector().norm());  // RK4 at 5e-4
  EXPECT_NEAR(flow.energy(), energy, 1e-9 * energy);
}

TEST(TreeFlow, algorithms_do_not_allocate) {
  if (!counts_allocations) GTEST_SKIP() << "sanitizers bring their own malloc";
  using namespace motion;
  Random random(8);
  const Tree tree(random_links(random, 30, 3));
  TreeWorkspace ws(tree);
  TreeDerivatives derivatives(tree);
  const Eigen::VectorXd q = random_configuration(random, tree), v = random.values(tree.nv()),
                        tau = random.values(tree.nv());
  Eigen::VectorXd out(tree.nv()), q1(tree.nq());
  const std::vector<Wrench> external(static_cast<std::size_t>(tree.links()));
  Eigen::Matrix<double, 6, Eigen::Dynamic> J(6, static_cast<int>(tree.chain(29).size()));
  const long before = allocations();
  place(tree, q.data(), ws);
  move(tree, v.data(), ws);
  inverse_dynamics(tree, v.data(), tau.data(), {0, 0, -9.81}, external, ws, out.data());
  forward_dynamics(tree, v.data(), tau.data(), {0, 0, -9.81}, external, ws, out.data());
  mass_matrix(tree, ws);
  factor(tree, ws);
  differentiate_forward(tree, v.data(), out.data(), {0, 0, -9.81}, external, ws, derivatives);
  solve_M(tree, ws, out.data());
  link_jacobian(tree, ws, 29, J);
  tree.integrate(q.data(), v.data(), q1.data());
  EXPECT_EQ(allocations() - before, 0);
  EXPECT_TRUE(out.allFinite());
}

TEST(TreeFlow, a_coordinate_that_no_inertia_resists_is_reported) {
  // An atom on the axis of its hinge: mass, but no inertia against the turn.
  parts::TreeLink link;
  link.joints = {joints::Joint(joints::Kind::prismatic, {}), joints::Joint(joints::Kind::revolute, {})};
  link.inertia = screw::inertia_of_atoms(std::vector<screw::Atom>{{1, {0, 0, 1}}});
  const Tree tree(std::vector{link});
  motion::TreeWorkspace ws(tree);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(2);
  Eigen::VectorXd vdot(2);
  motion::place(tree, zero.data(), ws);
  motion::mass_matrix(tree, ws);
  EXPECT_EQ(motion::factor(tree, ws), 1);
  EXPECT_EQ(motion::forward_dynamics(tree, zero.data(), zero.data(), Vec3::Zero(), {}, ws, vdot.data()), 1);
}

}  // namespace
}  // namespace vinculum::test
