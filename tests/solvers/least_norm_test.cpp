// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Impulses of least norm against closed forms.
#include "solvers/corpus.hpp"
#include "vinculum/contact/friction_problem.hpp"
#include "vinculum/solvers/solver.hpp"

#include <gtest/gtest.h>
#include <Eigen/Dense>

using namespace vinculum;
using algebra::Vec3;
using corpus::Kind;

namespace {

// A table of mass 1 on legs at the given points below its centre of mass.
corpus::Scene table(const std::vector<Vec3>& legs, double mu, const Vec3& v) {
  corpus::Scene scene;
  scene.box(Vec3(0, 0, .5), 1, Vec3(1, 1, 1), v);
  for (const Vec3& p : legs) scene.contact(Kind::coulomb, -1, 0, p, corpus::up, mu);
  return scene;
}

const std::vector<Vec3> square = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};

solvers::Solution solve(const char* solver, const contact::ContactProblem& problem, std::vector<Vec3> start,
                        bool minimum_norm) {
  solvers::Solution solution;
  solution.Lambda = std::move(start);
  solvers::find_solver_type(solver)->make()->solve(problem, {.minimum_norm = minimum_norm}, solution);
  return solution;
}

}  // namespace

TEST(LeastNorm, gives_each_leg_of_a_table_a_quarter) {
  const contact::ContactProblem problem = table(square, .5, Vec3(0, 0, corpus::kDrop)).problem;
  const double weight = -corpus::kDrop;  // impulse that stops the fall, mass 1
  // A lopsided answer to start from: two legs across the diagonal carry all, and sideways pushes cancel. Solved as
  // well.
  std::vector<Vec3> lopsided(4, Vec3::Zero());
  lopsided[0] = lopsided[2] = Vec3(weight / 2, 0, 0);
  for (const char* solver : {"auto", "nsgs", "admm"}) {
    const solvers::Solution as_is = solve(solver, problem, lopsided, false);
    EXPECT_GT((as_is.Lambda[0] - as_is.Lambda[1]).norm(), .1 * weight) << solver;
    const solvers::Solution least = solve(solver, problem, lopsided, true);
    EXPECT_EQ(least.report.status, solvers::Status::solved);
    EXPECT_TRUE(least.report.minimum_norm);
    // The iteration ends at 1e-13; what the solver left over of the fall is 1e-11 at most.
    for (const Vec3& x : least.Lambda) EXPECT_LT((x - Vec3(weight / 4, 0, 0)).norm(), 1e-10 * weight) << solver;
  }
}

TEST(LeastNorm, is_the_pseudo_inverse_where_no_cone_is_touched) {
  // Three legs in a row and two aside: statically undetermined, all pressing. Without friction the least norm under
  // G Λ = −c is −G⁺ c.
  std::vector<Vec3> legs = {{-1, -1, 0}, {0, -1.2, 0}, {1, -1, 0}, {.8, 1, 0}, {-.7, 1.1, 0}};
  contact::ContactProblem problem = table(legs, 0, Vec3(0, 0, corpus::kDrop)).problem;
  Eigen::MatrixXd J(5, 6);
  Eigen::VectorXd c(5);
  for (int i = 0; i < 5; ++i) {
    J.row(i) = problem.J[static_cast<std::size_t>(i)].row(0);
    c[i] = problem.c[static_cast<std::size_t>(i)][0];
  }
  const Eigen::VectorXd expected = -(J * J.transpose()).completeOrthogonalDecomposition().pseudoInverse() * c;
  ASSERT_GT(expected.minCoeff(), 0);  // else the case is not what it says
  const solvers::Solution least = solve("auto", problem, std::vector<Vec3>(5, Vec3::Zero()), true);
  ASSERT_TRUE(least.report.minimum_norm);
  for (int i = 0; i < 5; ++i) {
    EXPECT_NEAR(least.Lambda[static_cast<std::size_t>(i)][0], expected[i], 1e-10 * expected.norm());
  }
}

TEST(LeastNorm, keeps_velocity_and_laws_and_never_grows) {
  for (const corpus::Case& c : corpus::cases()) {
    if (c.problem.size() > 50) continue;
    const std::vector<Vec3> zero(c.problem.size(), Vec3::Zero());
    const solvers::Solution a = solve("auto", c.problem, zero, false), b = solve("auto", c.problem, zero, true);
    ASSERT_EQ(b.report.status, solvers::Status::solved) << c.name;
    double before = 0, after = 0, change = 0, size = 0;
    for (std::size_t i = 0; i < zero.size(); ++i) {
      before += a.Lambda[i].squaredNorm();
      after += b.Lambda[i].squaredNorm();
      change = std::max(change, (a.xi[i] - b.xi[i]).norm());
      size = std::max(size, c.problem.c[i].norm());
    }
    EXPECT_LE(after, before * (1 + 1e-6)) << c.name;
    if (c.unique_xi) {
      EXPECT_LE(change, 1e-4 * size) << c.name;
    }
  }
}

TEST(LeastNorm, is_the_same_in_contact_space) {
  const contact::ContactProblem bodies = table(square, .5, Vec3(0, 0, corpus::kDrop)).problem;
  const contact::ExplicitProblem problem = contact::condense(contact::make_local(bodies), "");
  solvers::ExplicitSolution solution;
  solution.r.assign(12, 0.0);
  solution.r[0] = solution.r[6] = -corpus::kDrop / 2;
  solvers::find_solver_type("auto")->make_explicit()->solve(problem, {.minimum_norm = true}, solution);
  EXPECT_TRUE(solution.report.minimum_norm);
  for (std::size_t k = 0; k < 12; ++k) {
    EXPECT_NEAR(solution.r[k], k % 3 == 0 ? -corpus::kDrop / 4 : 0.0, 1e-10 * -corpus::kDrop);
  }
}
