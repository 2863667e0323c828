// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// From file to solution: condensation against dense algebra, closed forms of one contact, and the published problems.
#include "fclib/sample.hpp"
#include "vinculum/solvers/solver.hpp"

#include <gtest/gtest.h>
#include <cmath>

using namespace vinculum;
using contact::ExplicitProblem;
using contact::FrictionProblem;
using contact::Vector;
using solvers::Status;

namespace {

solvers::ExplicitSolution solve(const ExplicitProblem& problem, double tol = 1e-8) {
  solvers::ExplicitSolution solution;
  solution.r.assign(problem.q.size(), 0.0);
  solvers::solver_types()[0].make_explicit()->solve(problem, {.tol = tol}, solution);
  return solution;
}

Eigen::MatrixXd dense(const ExplicitProblem& p) {
  const int d = p.dimension, n = static_cast<int>(p.q.size());
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(n, n);
  for (int i = 0; i < static_cast<int>(p.size()); ++i) {
    for (int e = p.row[i]; e < p.row[i + 1]; ++e) {
      for (int a = 0; a < d; ++a) {
        for (int b = 0; b < d; ++b) W(d * i + a, d * p.column[e] + b) = p.block(e)[a * d + b];
      }
    }
  }
  return W;
}

FrictionProblem one_contact(int dimension, const Vector& diagonal, const Vector& q, double mu, double mu_r = 0) {
  FrictionProblem p;
  p.dimension = dimension;
  p.W = Eigen::MatrixXd(diagonal.asDiagonal()).sparseView();
  p.q = q;
  p.mu = Vector::Constant(1, mu);
  if (dimension == 5) p.mu_r = Vector::Constant(1, mu_r);
  return p;
}

void expect_solution(const FrictionProblem& p, const Vector& r, const Vector& u) {
  const solvers::ExplicitSolution found = solve(contact::condense(p, ""), 1e-12);
  EXPECT_EQ(found.report.status, Status::solved);
  for (long k = 0; k < r.size(); ++k) {
    EXPECT_NEAR(found.r[k], r[k], 1e-11) << k;  // tol times |r| of order 10
    EXPECT_NEAR(found.u[k], u[k], 1e-11) << k;
  }
}

Vector vec(std::initializer_list<double> x) { return Eigen::Map<const Vector>(x.begin(), static_cast<long>(x.size())); }

}  // namespace

TEST(Condense, equals_the_schur_complement_of_the_whole_system) {
  for (const int d : {2, 3, 5}) {
    for (const bool bonds : {false, true}) {
      const FrictionProblem g = sample::global_problem(d, bonds);
      const ExplicitProblem w = contact::condense(g, "");
      // [M −G; Gᵀ 0] [v; l] = [H r + f; −b] solved at once.
      const long n = g.f.size(), m = bonds ? g.b.size() : 0;
      Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n + m, n + m), right = Eigen::MatrixXd::Zero(n + m, 3 * d + 1);
      A.topLeftCorner(n, n) = g.M;
      right.topLeftCorner(n, 3 * d) = g.H;
      right.col(3 * d).head(n) = g.f;
      if (bonds) {
        A.topRightCorner(n, m) = -Eigen::MatrixXd(g.G);
        A.bottomLeftCorner(m, n) = Eigen::MatrixXd(g.G).transpose();
        right.col(3 * d).tail(m) = -g.b;
      }
      const Eigen::MatrixXd v = A.fullPivLu().solve(right).topRows(n);
      const Eigen::MatrixXd u = Eigen::MatrixXd(g.H).transpose() * v;
      // Entries of order 1, a condition of order 100.
      EXPECT_LT((dense(w) - u.leftCols(3 * d)).cwiseAbs().maxCoeff(), 1e-13);
      EXPECT_LT((Eigen::Map<const Vector>(w.q.data(), 3 * d) - u.col(3 * d) - g.w).cwiseAbs().maxCoeff(), 1e-13);
      const ExplicitProblem local = contact::condense(sample::local_problem(d, bonds), "");
      EXPECT_LT((dense(w) - dense(local)).cwiseAbs().maxCoeff(), 1e-13);
    }
  }
}

TEST(Condense, recovers_velocities_and_multipliers_of_the_equations_given) {
  for (const FrictionProblem& p : {sample::global_problem(3, true), sample::local_problem(3, true)}) {
    const ExplicitProblem w = contact::condense(p, "");
    const solvers::ExplicitSolution found = solve(w);
    ASSERT_EQ(found.report.status, Status::solved);
    const contact::Recovered all = contact::recover(p, found.r, "");
    EXPECT_LT(all.balance, 1e-13);
    EXPECT_LT(all.bonds, 1e-13);
    for (long k = 0; k < all.candidate.u.size(); ++k) EXPECT_NEAR(all.candidate.u[k], found.u[k], 1e-12);
  }
}

TEST(Condense, redundant_bonds_change_nothing) {
  FrictionProblem once = sample::global_problem(3, true), twice = once;
  Eigen::MatrixXd G(once.f.size(), 4);
  G << Eigen::MatrixXd(once.G), Eigen::MatrixXd(once.G);
  twice.G = G.sparseView();
  twice.b.resize(4);
  twice.b << once.b, once.b;
  EXPECT_LT((dense(contact::condense(once, "")) - dense(contact::condense(twice, ""))).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(OneContact, closed_forms) {
  // W = diag(2, 1, 1). Open: q_N >= 0.
  expect_solution(one_contact(3, vec({2, 1, 1}), vec({1, 3, 4}), .5), vec({0, 0, 0}), vec({1, 3, 4}));
  // Stick: r = −W⁻¹ q, |r_T| = .5 <= mu r_N = 1.
  expect_solution(one_contact(3, vec({2, 1, 1}), vec({-4, .3, .4}), .5), vec({2, -.3, -.4}), vec({0, 0, 0}));
  // Slip: r_N = 2, |r_T| = 1 against q_T = (3, 4), u_T = q_T (1 − 1/5).
  expect_solution(one_contact(3, vec({2, 1, 1}), vec({-4, 3, 4}), .5), vec({2, -.6, -.8}), vec({0, 2.4, 3.2}));
  // No friction.
  expect_solution(one_contact(3, vec({2, 1, 1}), vec({-4, 3, 4}), 0), vec({2, 0, 0}), vec({0, 3, 4}));
  // Plane, the same three.
  expect_solution(one_contact(2, vec({2, 1}), vec({1, 3}), .5), vec({0, 0}), vec({1, 3}));
  expect_solution(one_contact(2, vec({2, 1}), vec({-4, .3}), .5), vec({2, -.3}), vec({0, 0}));
  expect_solution(one_contact(2, vec({2, 1}), vec({-4, 3}), .5), vec({2, -1}), vec({0, 2}));
  // Rolling: tangents slip (|r_T| = 1), rolling sticks; then both slip, |r_M| = .2.
  expect_solution(one_contact(5, vec({2, 1, 1, 1, 1}), vec({-4, 3, 4, .1, 0}), .5, .1), vec({2, -.6, -.8, -.1, 0}),
                  vec({0, 2.4, 3.2, 0, 0}));
  expect_solution(one_contact(5, vec({2, 1, 1, 1, 1}), vec({-4, 3, 4, 0, 5}), .5, .1), vec({2, -.6, -.8, 0, -.2}),
                  vec({0, 2.4, 3.2, 0, 4.8}));
}

TEST(OneContact, the_measure_knows_a_wrong_answer_from_a_right_one) {
  const ExplicitProblem p = contact::condense(one_contact(3, vec({2, 1, 1}), vec({-4, 3, 4}), .5), "");
  std::vector<double> u;
  EXPECT_LT(contact::measure(p, std::vector<double>{2, -.6, -.8}, u).judged, 1e-15);
  // r = 0: u = q, x = −q − mu|q_T| n = (4 − 2.5, −3, −4); P_K(x): n = (1.5 + .5 5)/1.25 = 3.2, |t| = 1.6; |q| = sqrt 41
  EXPECT_NEAR(contact::measure(p, std::vector<double>{0, 0, 0}, u).judged, std::hypot(3.2, 1.6) / std::sqrt(41), 1e-15);
  EXPECT_GT(contact::measure(p, std::vector<double>{2, .6, .8}, u).judged, .1);
  EXPECT_GT(contact::measure(p, std::vector<double>{2, -.6, -.9}, u).judged, .01);
}

TEST(Published, every_problem_is_solved_to_1e_8_by_the_default) {
  const std::vector<std::string> files = sample::published();
  if (files.empty()) GTEST_SKIP() << "shared/data/fclib is not there";
  for (const std::string& file : files) {
    const solvers::ExplicitSolution found = solve(contact::condense(fclib::read_problem(file), file));
    EXPECT_EQ(found.report.status, Status::solved) << file;
    EXPECT_LE(found.report.errors.judged, 1e-8) << file;
    EXPECT_LE(found.report.errors.scaled, 1e-8) << file;
  }
}

TEST(Published, units_change_neither_verdict_nor_work) {
  const std::vector<std::string> files = sample::published();
  if (files.empty()) GTEST_SKIP() << "shared/data/fclib is not there";
  for (const std::string& file : files) {
    const ExplicitProblem given = contact::condense(fclib::read_problem(file), file);
    const solvers::Report here = solve(given).report;
    for (const auto& [matrix, free] :
         {std::pair{1e-6, 1.0}, {1e-3, 1.0}, {1e3, 1.0}, {1e6, 1.0}, {1.0, 1e-6}, {1.0, 1e6}}) {
      ExplicitProblem problem = given;
      for (double& x : problem.value) x *= matrix;
      for (double& x : problem.q) x *= free;
      const solvers::Report there = solve(problem).report;
      EXPECT_EQ(there.status, Status::solved) << file << " " << matrix << " " << free;
      EXPECT_NEAR(there.iterations, here.iterations, std::max(2.0, .2 * here.iterations))
          << file << " " << matrix << " " << free;
    }
  }
}

// What lies around them: other friction, noise on q. RockPile at other friction is left to bench_fclib_variants: it may
// need a second or more.
TEST(Published, neighbours_are_solved_too) {
  const std::vector<std::string> files = sample::published();
  if (files.empty()) GTEST_SKIP() << "shared/data/fclib is not there";
  std::mt19937 random(3);
  for (const std::string& file : files) {
    const ExplicitProblem given = contact::condense(fclib::read_problem(file), file);
    double square = 0;
    for (double x : given.q) square += x * x;
    for (const auto& [friction, noise] : {std::pair{0.0, 0.0}, {.1, 0.0}, {.5, 0.0}, {1.0, 1e-3}, {1.0, .1}}) {
      if (given.size() == 463 && friction == .5) continue;
      std::normal_distribution<double> normal(0,
                                              noise * std::sqrt(square / static_cast<double>(given.q.size())) + 1e-300);
      ExplicitProblem problem = given;
      for (double& x : problem.mu) x *= friction;
      for (double& x : problem.mu_r) x *= friction;
      for (double& x : problem.q) x += normal(random);
      const solvers::Report report = solve(problem).report;
      EXPECT_EQ(report.status, Status::solved) << file << " " << friction << " " << noise;
    }
  }
}

TEST(Published, the_same_bits_twice) {
  for (const std::string& file : sample::published()) {
    const ExplicitProblem given = contact::condense(fclib::read_problem(file), file);
    EXPECT_EQ(solve(given).r, solve(given).r) << file;
  }
}

TEST(Published, velocities_of_global_problems_fulfil_the_equations_given) {
  for (const std::string& file : sample::published()) {
    const FrictionProblem p = fclib::read_problem(file);
    if (p.form != FrictionProblem::Form::global) continue;
    const contact::Recovered all = contact::recover(p, solve(contact::condense(p, file)).r, file);
    EXPECT_LT(all.balance, 1e-12) << file;  // backward error of one factorisation
  }
}
