// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What every registered solver must do with problems written out in contact space: plane, space and rolling, symmetric
// and not, with and without friction. Solved, or an honest no; errors that dense algebra written here confirms; the
// same bits again; no care about units. "auto" must solve all.
#include "solvers/corpus.hpp"
#include "vinculum/contact/friction_problem.hpp"
#include "vinculum/solvers/solver.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <Eigen/Dense>
#include <random>

using namespace vinculum;
using contact::ExplicitProblem;
using solvers::Status;

namespace {

constexpr double kTol = 1e-8;

struct Case {
  std::string name;
  ExplicitProblem problem;
  bool easy = true;  // for every solver
};

ExplicitProblem from_dense(int d, const Eigen::MatrixXd& W, const Eigen::VectorXd& q, double mu, double mu_r) {
  contact::FrictionProblem p;
  p.dimension = d;
  p.W = W.sparseView();
  p.q = q;
  p.mu.setConstant(q.size() / d, mu);
  if (d == 5) p.mu_r.setConstant(q.size() / d, mu_r);
  return contact::condense(p, "");
}

// Contacts of a few bodies: W = B Bᵀ + δ, plus a part that is not symmetric.
ExplicitProblem random_problem(int d, int contacts, double mu, double skew, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const int n = d * contacts, dof = std::max(6, 2 * n / 3);
  const auto draw = [&] { return normal(random); };
  const Eigen::MatrixXd B = Eigen::MatrixXd::NullaryExpr(n, dof, draw) / std::sqrt(dof);
  const Eigen::MatrixXd A = Eigen::MatrixXd::NullaryExpr(n, n, draw) / n;
  Eigen::VectorXd q = Eigen::VectorXd::NullaryExpr(n, draw);
  for (int i = 0; i < contacts; ++i) q[d * i] -= 1;
  return from_dense(d, B * B.transpose() + .1 * Eigen::MatrixXd::Identity(n, n) + skew * (A - A.transpose()), q, mu,
                    .3 * mu);
}

const std::vector<Case>& cases() {
  static const std::vector<Case> list = [] {
    std::vector<Case> out;
    for (const int d : {2, 3, 5}) {
      for (const double mu : {0.0, .3, 1.0}) {
        for (const double skew : {0.0, .1}) {
          for (const int contacts : {1, 2, 10}) {
            out.push_back({fmt::format("{} contacts, d {}, mu {}, skew {}", contacts, d, mu, skew),
                           random_problem(d, contacts, mu, skew, static_cast<unsigned>(contacts + d)), d < 5});
          }
        }
      }
    }
    for (const corpus::Case& c : corpus::cases()) {
      if (c.problem.size() > 100) continue;
      out.push_back({c.name, contact::condense(contact::make_local(c.problem), ""), false});
    }
    return out;
  }();
  return list;
}

solvers::ExplicitSolution solve(solvers::ExplicitSolver& solver, const ExplicitProblem& problem) {
  solvers::ExplicitSolution solution;
  solution.r.assign(problem.q.size(), 0.0);
  solver.solve(problem, {.tol = kTol}, solution);
  return solution;
}

// P_K by minimising the distance over the normal n alone, golden section: nothing shared with the two closed forms.
Eigen::VectorXd project(const Eigen::VectorXd& x, const std::vector<double>& mu) {
  const auto groups = static_cast<int>(mu.size());
  const long width = (x.size() - 1) / groups;
  auto at = [&](double n) {
    Eigen::VectorXd y = x;
    y[0] = n;
    for (int g = 0; g < groups; ++g) {
      auto part = y.segment(1 + g * width, width);
      const double norm = part.norm();
      if (norm > mu[g] * n) part *= mu[g] * n / norm;
    }
    return y;
  };
  double low = 0, high = 1 + x.norm();
  for (int k = 0; k < 200; ++k) {
    const double a = low + (high - low) * .382, b = low + (high - low) * .618;
    (at(a) - x).norm() < (at(b) - x).norm() ? high = b : low = a;
  }
  return at(.5 * (low + high));
}

double judged(const ExplicitProblem& p, const std::vector<double>& r_given) {
  const int d = p.dimension, n = static_cast<int>(p.q.size());
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(n, n);
  for (int i = 0; i < static_cast<int>(p.size()); ++i) {
    for (int e = p.row[i]; e < p.row[i + 1]; ++e) {
      for (int a = 0; a < d; ++a) {
        for (int b = 0; b < d; ++b) W(d * i + a, d * p.column[e] + b) = p.block(e)[a * d + b];
      }
    }
  }
  const Eigen::Map<const Eigen::VectorXd> r(r_given.data(), n), q(p.q.data(), n);
  const Eigen::VectorXd u = W * r + q;
  double map = 0;
  for (int i = 0; i < static_cast<int>(p.size()); ++i) {
    std::vector<double> mu = {p.mu[i]};
    if (d == 5) mu.push_back(p.mu_r[i]);
    Eigen::VectorXd x = r.segment(d * i, d) - u.segment(d * i, d);
    const long width = (d - 1) / static_cast<long>(mu.size());
    for (std::size_t g = 0; g < mu.size(); ++g) {
      x[0] -= mu[g] * u.segment(d * i + 1 + static_cast<long>(g) * width, width).norm();
    }
    map += (r.segment(d * i, d) - project(x, mu)).squaredNorm();
  }
  return std::sqrt(map) / std::max({r.norm(), q.norm(), u.norm()});
}

bool has_friction(const ExplicitProblem& p) {
  return std::any_of(p.mu.begin(), p.mu.end(), [](double mu) { return mu > 0; });
}

// Lemke and enumeration take the plane and the frictionless, the latter up to four frictional contacts within its
// budget of 10000 modes; Fischer-Burmeister and the interior point know no rolling.
bool is_made_for(std::string_view solver, const ExplicitProblem& p) {
  if (solver == "lemke") return p.dimension == 2 || !has_friction(p);
  if (solver == "enumeration") return (p.dimension == 2 && p.size() <= 4) || !has_friction(p);
  if (solver == "newton_fb" || solver == "interior_desaxce") return p.dimension < 5;
  return true;
}

// What is easy for all, less what is not proved to end for W that is not symmetric, or is known not to.
bool expected_to_solve(std::string_view solver, const Case& c) {
  if (solver == "auto") return true;
  return c.easy && is_made_for(solver, c.problem) && solver != "interior_desaxce";
}

template <class Body>
void for_each_pair(Body&& body) {
  for (const solvers::SolverType& type : solvers::solver_types()) {
    const auto solver = type.make_explicit();
    for (const Case& c : cases()) {
      SCOPED_TRACE(std::string(type.name) + " on " + c.name);
      body(type, *solver, c);
    }
  }
}

}  // namespace

TEST(ExplicitSolvers, solve_the_problems_or_say_so) {
  for_each_pair([](const solvers::SolverType& type, solvers::ExplicitSolver& solver, const Case& c) {
    const solvers::Report report = solve(solver, c.problem).report;
    if (expected_to_solve(type.name, c)) {
      EXPECT_EQ(report.status, Status::solved) << report.errors.judged << " " << report.errors.scaled;
    }
    EXPECT_EQ(report.status == Status::solved, solvers::meets_both(report.errors, kTol));
    EXPECT_FALSE(report.method.empty());
  });
}

TEST(ExplicitSolvers, report_the_error_that_dense_algebra_finds) {
  for_each_pair([](const solvers::SolverType&, solvers::ExplicitSolver& solver, const Case& c) {
    const solvers::ExplicitSolution solution = solve(solver, c.problem);
    // Golden section finds n to 1e-8 of |x| (a flat minimum: the root of rounding), times the cone's slope.
    EXPECT_NEAR(judged(c.problem, solution.r), solution.report.errors.judged, 3e-8);
  });
}

TEST(ExplicitSolvers, give_the_same_bits_whatever_they_solved_before) {
  for_each_pair([](const solvers::SolverType& type, solvers::ExplicitSolver& used, const Case& c) {
    const solvers::ExplicitSolution a = solve(used, c.problem), b = solve(*type.make_explicit(), c.problem);
    EXPECT_EQ(a.r, b.r);
    EXPECT_EQ(a.report.iterations, b.report.iterations);
  });
}

TEST(ExplicitSolvers, do_not_care_about_units) {
  for (const auto& [matrix, free] : {std::pair{1e6, 1.0}, {1e-6, 1.0}, {1.0, 1e6}, {1.0, 1e-6}}) {
    for_each_pair([&](const solvers::SolverType& type, solvers::ExplicitSolver& solver, const Case& c) {
      if (!expected_to_solve(type.name, c)) return;
      ExplicitProblem problem = c.problem;
      for (double& x : problem.value) x *= matrix;
      for (double& x : problem.q) x *= free;
      EXPECT_EQ(solve(solver, problem).report.status, Status::solved) << matrix << " " << free;
    });
  }
}

TEST(ExplicitSolvers, accept_a_good_warm_start_as_it_is) {
  for_each_pair([](const solvers::SolverType&, solvers::ExplicitSolver& solver, const Case& c) {
    solvers::ExplicitSolution solution = solve(solver, c.problem);
    if (solution.report.status != Status::solved || solution.report.errors.scaled > .5 * kTol) return;
    solver.solve(c.problem, {.tol = kTol}, solution);
    EXPECT_EQ(solution.report.iterations, 0);
    EXPECT_EQ(solution.report.status, Status::solved);
  });
}

TEST(ExplicitSolvers, leave_a_problem_without_contacts_alone) {
  ExplicitProblem empty;
  empty.row = {0};
  for (const int d : {2, 3, 5}) {
    empty.dimension = d;
    for (const solvers::SolverType& type : solvers::solver_types()) {
      EXPECT_EQ(solve(*type.make_explicit(), empty).report.status, Status::solved) << type.name;
    }
  }
}

TEST(ExplicitSolvers, serve_problems_of_bodies_through_the_adapter) {
  for (const corpus::Case& c : corpus::cases()) {
    if (c.problem.size() > 100) continue;
    const auto solver = solvers::adapt(solvers::solver_types()[0].make_explicit());
    solvers::Solution solution;
    solution.Lambda.assign(c.problem.size(), algebra::Vec3::Zero());
    solver->solve(c.problem, {.tol = kTol}, solution);
    EXPECT_EQ(solution.report.status, Status::solved) << c.name;
  }
}
