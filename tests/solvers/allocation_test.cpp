// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts every allocation of the program.
#include "solvers/alike_corpus.hpp"
#include "support/count_allocations.hpp"
#include "vinculum/solvers/solver.hpp"

#include <gtest/gtest.h>

using namespace vinculum;

TEST(Allocation, does_not_happen_once_a_problem_of_that_size_was_solved) {
  const std::vector<corpus::Case> cases = corpus::cases();
  for (const solvers::SolverType& type : solvers::solver_types()) {
    if (!type.in_factors) continue;  // W is formed anew for these
    const auto solver = type.make();
    for (const corpus::Case& c : cases) {
      solvers::Solution solution;
      solution.Lambda.assign(c.problem.size(), corpus::Vec3::Zero());
      const solvers::Settings settings{.max_iterations = 2000};
      solver->solve(c.problem, settings, solution);
      std::fill(solution.Lambda.begin(), solution.Lambda.end(), corpus::Vec3::Zero());
      const long before = test::allocations();
      solver->solve(c.problem, settings, solution);
      EXPECT_EQ(test::allocations() - before, 0) << type.name << " on " << c.name;
    }
  }
}

TEST(Allocation, does_not_happen_where_islands_are_solved_side_by_side) {
  const corpus::ContactProblem whole = corpus::put_together(corpus::boxes(22));
  const auto solver = solvers::solver_types().front().make();
  solvers::Solution solution;
  solution.Lambda.assign(whole.size(), corpus::Vec3::Zero());
  solver->solve(whole, {}, solution);
  solver->solve(whole, {.same_matrix = true}, solution);
  std::fill(solution.Lambda.begin(), solution.Lambda.end(), corpus::Vec3::Zero());
  const long before = test::allocations();
  solver->solve(whole, {}, solution);
  solver->solve(whole, {.same_matrix = true}, solution);
  EXPECT_EQ(test::allocations() - before, 0);
}
