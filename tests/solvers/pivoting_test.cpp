// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Lemke and enumeration on problems whose answers are known.
#include "vinculum/contact/certificate.hpp"
#include "vinculum/contact/friction_problem.hpp"
#include "vinculum/solvers/solver.hpp"

#include <gtest/gtest.h>
#include <Eigen/Dense>
#include <random>

using namespace vinculum;
using solvers::Status;

namespace {

contact::ExplicitProblem plane(const Eigen::MatrixXd& W, const Eigen::VectorXd& q, double mu) {
  contact::FrictionProblem p;
  p.dimension = 2;
  p.W = W.sparseView();
  p.q = q;
  p.mu.setConstant(q.size() / 2, mu);
  return contact::condense(p, "");
}

solvers::ExplicitSolution solve(const char* name, const contact::ExplicitProblem& problem, int budget = 10000) {
  solvers::ExplicitSolution solution;
  solution.r.assign(problem.q.size(), 0.0);
  solvers::find_solver_type(name)->make_explicit()->solve(problem, {.tol = 1e-10, .max_iterations = budget}, solution);
  return solution;
}

}  // namespace

TEST(Pivoting, agrees_with_coulomb_on_one_contact_in_closed_form) {
  // W = I, q = (−1, s): r_N = 1, r_T = −clamp(s, −μ, μ).
  for (const double s : {-2.0, -.3, 0.0, .2, 3.0}) {
    const contact::ExplicitProblem p = plane(Eigen::Matrix2d::Identity(), Eigen::Vector2d(-1, s), .5);
    for (const char* name : {"lemke", "enumeration"}) {
      const solvers::ExplicitSolution x = solve(name, p);
      EXPECT_EQ(x.report.status, Status::solved);
      EXPECT_NEAR(x.r[0], 1, 1e-14);
      EXPECT_NEAR(x.r[1], -std::clamp(s, -.5, .5), 1e-14);
    }
  }
}

TEST(Pivoting, both_find_the_velocity_of_the_default_solver) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 40; ++trial) {
    const int contacts = 1 + trial % 5, n = 2 * contacts;
    const Eigen::MatrixXd B = Eigen::MatrixXd::NullaryExpr(n, n + 2, [&] { return normal(random); });
    Eigen::VectorXd q = Eigen::VectorXd::NullaryExpr(n, [&] { return normal(random); });
    const contact::ExplicitProblem p = plane(B * B.transpose(), q, .2);  // small friction: unique
    const solvers::ExplicitSolution a = solve("auto", p), b = solve("lemke", p), c = solve("enumeration", p);
    EXPECT_EQ(b.report.status, Status::solved) << trial;
    EXPECT_EQ(c.report.status, Status::solved) << trial;
    for (int k = 0; k < n; ++k) {
      EXPECT_NEAR(a.u[k], b.u[k], 1e-7) << trial;
      EXPECT_NEAR(a.u[k], c.u[k], 1e-7) << trial;
    }
  }
}

TEST(Pivoting, enumeration_counts_the_solutions_of_a_rod_that_may_jam) {
  // Painlevé's rod at an impact-free instant, as one contact: u_N = A r_N + q_N with coupling A_NT so strong that
  // slipping forward has u_N = (A_NN − μ A_NT) r_N + q_N, a negative factor. With q_N > 0: open (r = 0), jammed slip
  // r_N = q_N/(μ A_NT − A_NN), and stick. W = [1 2; 2 5] (determinant 1), μ = 1, q = (1, 1): sticking r = −W⁻¹ q = (−3,
  // 1) is not admissible, slipping forward r_N = 1, r_T = −1 gives u_T = 2 − 5 + 1 < 0, not forward; open alone is
  // left. With q_T = 4: u_T = 2 − 5 + 4 = 1 > 0, so slip is a second solution; sticking r = (3, −2) has |r_T| ≤ r_N:
  // the third.
  const Eigen::Matrix2d W = (Eigen::Matrix2d() << 1, 2, 2, 5).finished();
  EXPECT_EQ(solve("enumeration", plane(W, Eigen::Vector2d(1, 4), 1)).report.solutions, 0);  // r = 0 solves: warm start
  solvers::ExplicitSolution x;
  const contact::ExplicitProblem p = plane(W, Eigen::Vector2d(1, 4), 1);
  x.r = {7, 0};  // not a solution
  solvers::find_solver_type("enumeration")->make_explicit()->solve(p, {}, x);
  EXPECT_EQ(x.report.status, Status::solved);
  EXPECT_EQ(x.report.solutions, 3);
  EXPECT_EQ(x.r, (std::vector<double>{0, 0}));  // the smallest
  const contact::ExplicitProblem q = plane(W, Eigen::Vector2d(1, 1), 1);
  x.r = {7, 0};
  solvers::find_solver_type("enumeration")->make_explicit()->solve(q, {}, x);
  EXPECT_EQ(x.report.solutions, 1);
}

TEST(Pivoting, lemke_ends_on_a_ray_that_proves_that_there_is_no_solution) {
  // W_NN = [1 −1; −1 1], q_N = (−1, −1): a ball between approaching walls.
  Eigen::Matrix4d W = Eigen::Matrix4d::Zero();
  W(0, 0) = W(2, 2) = 1;
  W(0, 2) = W(2, 0) = -1;
  W(1, 1) = W(3, 3) = 1;
  const contact::ExplicitProblem p = plane(W, Eigen::Vector4d(-1, 0, -1, 0), 0);
  const solvers::ExplicitSolution x = solve("lemke", p);
  EXPECT_EQ(x.report.status, Status::infeasible);
  EXPECT_GE(contact::check_witness(p, x.witness), contact::unreachable);
  // One wall recedes as fast as the other comes: solved, degenerate.
  EXPECT_EQ(solve("lemke", plane(W, Eigen::Vector4d(-1, 0, 1, 0), 0)).report.status, Status::solved);
}

TEST(Pivoting, says_when_the_budget_of_modes_is_out) {
  const contact::ExplicitProblem p = plane(Eigen::MatrixXd::Identity(8, 8), -Eigen::VectorXd::Ones(8), .5);
  EXPECT_EQ(solve("enumeration", p, 10).report.status, Status::exhausted);
  EXPECT_EQ(solve("enumeration", p).report.status, Status::solved);  // 4⁴ = 256 modes
  EXPECT_EQ(solve("lemke", p, 1).report.status, Status::exhausted);
}
