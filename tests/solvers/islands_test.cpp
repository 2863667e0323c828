// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/islands.hpp"

#include "solvers/corpus.hpp"
#include "vinculum/solvers/solver.hpp"

#include <gtest/gtest.h>

using namespace vinculum;
using corpus::Vec3;

TEST(Islands, are_the_connected_components_in_the_order_of_their_first_blocks) {
  corpus::Scene scene;
  for (int k = 0; k < 6; ++k) scene.sphere(Vec3(k, 0, 0), 1, .5, Vec3::Zero());
  auto touch = [&](int a, int b) { scene.contact(corpus::Kind::coulomb, a, b, Vec3::Zero(), corpus::up, .5); };
  touch(4, 5);    // 0: island 0
  touch(-1, 0);   // 1: island 1
  touch(-1, -1);  // 2: none
  touch(1, 3);    // 3: island 2
  touch(3, 0);    // 4: joins 1 and 2
  touch(-1, 5);   // 5: island 0
  solvers::Islands islands;
  islands.find(scene.problem);
  ASSERT_EQ(islands.count(), 2u);
  const auto list = [&](std::size_t k) { return std::vector<int>(islands.blocks(k).begin(), islands.blocks(k).end()); };
  EXPECT_EQ(list(0), (std::vector<int>{0, 5}));
  EXPECT_EQ(list(1), (std::vector<int>{1, 3, 4}));
  ASSERT_EQ(islands.loose_blocks().size(), 1u);
  EXPECT_EQ(islands.loose_blocks()[0], 2);

  contact::ContactProblem part;
  islands.extract(scene.problem, 1, part);
  EXPECT_EQ(part.nodes, 3u);
  EXPECT_EQ(part.row, (std::vector<int>{0, 1, 3, 5}));
  EXPECT_EQ(part.node, (std::vector<int>{0, 1, 2, 0, 2}));  // nodes 0, 1, 3 in their order
  EXPECT_EQ(part.J[1], scene.problem.J[scene.problem.row[3]]);
}

TEST(Islands, of_nothing_are_none) {
  contact::ContactProblem empty;
  empty.row.push_back(0);
  solvers::Islands islands;
  islands.find(empty);
  EXPECT_EQ(islands.count(), 0u);
}

TEST(Islands, at_rest_keep_their_impulses_while_another_moves) {
  // Too many for one dense problem: they are solved one by one.
  corpus::Scene scene;
  for (int k = 0; k < 20; ++k) scene.sphere(Vec3(3 * k, 0, .5), 1, .5, Vec3(0, 0, -1));
  for (int k = 0; k < 20; ++k) {
    for (const double x : {-.3, .3}) {
      scene.contact(corpus::Kind::coulomb, -1, k, Vec3(3 * k + x, 0, 0), corpus::up, .5);
    }
  }
  const auto solver = solvers::find_solver_type("auto")->make();
  const solvers::Settings settings{.tol = 1e-8, .over_c = 1e-6};
  solvers::Solution solution;
  solution.Lambda.assign(scene.problem.size(), Vec3::Zero());
  solver->solve(scene.problem, settings, solution);
  ASSERT_EQ(solution.report.status, solvers::Status::solved);
  for (Vec3& Lambda : solution.Lambda) Lambda *= 1 + 2e-13;  // at rest to rounding, but not where Newton ends
  const std::vector<Vec3> before = solution.Lambda;
  scene.problem.c[0].x() -= 0.1;
  solver->solve(scene.problem, settings, solution);
  EXPECT_EQ(solution.report.status, solvers::Status::solved);
  EXPECT_NE(solution.Lambda[0], before[0]);
  for (std::size_t i = 2; i < before.size(); ++i) EXPECT_EQ(solution.Lambda[i], before[i]) << i;
}
