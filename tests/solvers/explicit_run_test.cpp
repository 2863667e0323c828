// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// When the frame around methods in contact space calls a problem solved.
#include "vinculum/solvers/explicit_run.hpp"
#include "solvers/corpus.hpp"
#include "vinculum/contact/friction_problem.hpp"

#include <gtest/gtest.h>

using namespace vinculum;

namespace {

contact::ExplicitProblem in_contact_space(const contact::ContactProblem& bodies) {
  return contact::condense(contact::make_local(bodies), "");
}

}  // namespace

TEST(ExplicitRun, aims_lower_while_only_the_unit_free_error_is_within_tol) {
  const contact::ExplicitProblem problem =
      in_contact_space(corpus::particle_on_plane(corpus::Vec3(1, .5, corpus::kDrop), .5));
  solvers::ExplicitSolution solution;
  solution.r.assign(problem.q.size(), 0.0);
  solvers::ContactRun<3> run;
  run.start(problem, {.tol = 1e-8}, solution);
  const std::vector<double> r(run.space.numbers(), 0.0);
  const double first = run.aim();
  EXPECT_LT(first, 1e-8);

  run.keep(r, {.judged = 1e-4, .scaled = 1e-9, .over_q = 1e-9}, "");
  EXPECT_FALSE(run.solved());
  EXPECT_LT(run.aim(), 1e-9);  // else the point would still look like the aim

  run.keep(r, {.judged = 1e-5, .scaled = 2e-10, .over_q = 1e-9}, "");  // better in both: must not be forgotten
  EXPECT_FALSE(run.solved());
  EXPECT_LE(run.best_error(), 1e-8 * 2e-10 / run.aim() * (1 + 1e-12));

  run.keep(r, {.judged = 1e-9, .scaled = 1e-13, .over_q = 1e-9}, "");
  EXPECT_TRUE(run.solved());
}

// 9 neighbours a ball, 2,363 contacts: a factorisation of W is worth several hundred sweeps, of which 118 do.
TEST(ExplicitRun, auto_makes_no_factors_where_sweeps_with_long_steps_suffice) {
  const contact::ExplicitProblem problem = in_contact_space(corpus::packing(8, .3, 1.05, 1));
  solvers::ExplicitSolution solution;
  solution.r.assign(problem.q.size(), 0.0);
  solvers::find_solver_type("auto")->make_explicit()->solve(problem, {.tol = 1e-8}, solution);
  EXPECT_EQ(solution.report.status, solvers::Status::solved);
  EXPECT_EQ(solution.report.factorisations, 0);
}
