// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What every registered solver must do on a corpus of generated problems (tests/solvers/corpus.hpp): reach 1e-8 or say
// honestly that it did not; report errors that dense algebra written here confirms; give the same bits again.
//
// Exceptions are expected and stated: Gauss-Seidel converges too slowly or cycles where the corpus says so, the others
// on the cases listed below. They must then end stalled or exhausted. lemke and enumeration refuse friction in space.
// "auto" has no exception.
#include "solvers/corpus.hpp"
#include "vinculum/contact/certificate.hpp"
#include "vinculum/solvers/solver.hpp"

#include <gtest/gtest.h>
#include <algorithm>

using namespace vinculum;
using corpus::Vec3;
using solvers::Status;

namespace {

constexpr double kTol = 1e-8;

const std::vector<corpus::Case>& cases() {
  static const std::vector<corpus::Case> list = corpus::cases();
  return list;
}

bool has_friction(const contact::ContactProblem& problem) {
  for (std::size_t i = 0; i < problem.size(); ++i) {
    if (problem.law[i] == corpus::Kind::coulomb && problem.mu[i] > 0) return true;
  }
  return false;
}

bool is_pivoting(std::string_view solver) { return solver == "lemke" || solver == "enumeration"; }

// What a method is known not to reach within 10000 iterations.
bool known_to_fail(std::string_view solver, std::string_view name) {
  const auto one_of = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  // Mass ratios of 1e6: impulses 1e6 times the free velocity; the methods without proximal term lose the way.
  if (one_of({"1e6 kg on 1 kg", "alternating masses 1 and 1e6"})) return true;
  if (solver == "newton_ac") return one_of({"loose packing"});
  if (solver == "apgd") return false;
  if (solver == "interior_desaxce" && one_of({"box pushed, slips", "box pushed, nearly slips"})) return true;
  return one_of({"loose packing", "loose packing, another"});
}

bool expected_to_solve(std::string_view solver, const corpus::Case& c) {
  if (solver == "auto") return true;
  if (solver == "nsgs" || solver == "nsgs_coloured") return c.sweeps_suffice;
  if (solver == "prox_newton") return c.newton_suffices;
  if (is_pivoting(solver)) return !has_friction(c.problem);
  return !known_to_fail(solver, c.name);
}

solvers::Solution solve(solvers::Solver& solver, const contact::ContactProblem& problem, int budget = 10000) {
  solvers::Solution solution;
  solution.Lambda.assign(problem.size(), Vec3::Zero());
  solver.solve(problem, {.tol = kTol, .max_iterations = budget}, solution);
  return solution;
}

// The natural map once more, from the definitions in laws/law.hpp.
Vec3 natural_map(corpus::Kind law, const Vec3& xi, const Vec3& r, double mu) {
  if (law == corpus::Kind::bilateral) return xi;
  if (law == corpus::Kind::unilateral) return {std::min(r[0], xi[0]), 0, 0};
  const Vec3 x = r - xi - mu * std::hypot(xi[1], xi[2]) * Vec3(1, 0, 0);
  const double t = std::hypot(x[1], x[2]);
  if (t <= mu * x[0]) return r - x;
  if (mu * t <= -x[0]) return r;
  const double n = (x[0] + mu * t) / (1 + mu * mu);
  return r - Vec3(n, mu * n * x[1] / t, mu * n * x[2] / t);
}

// Errors by dense algebra.
struct Recomputed {
  contact::Errors errors;
  double ratio;  // largest of |c'|, |ξ'|, |Λ'| over |c'|: how far rounding of impulses shows in over_c
};

Recomputed recompute(const contact::ContactProblem& problem, const std::vector<Vec3>& Lambda) {
  const long n = static_cast<long>(problem.size());
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(3 * n, 6 * static_cast<long>(problem.nodes));
  Eigen::VectorXd r(3 * n), c(3 * n);
  for (long i = 0; i < n; ++i) {
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) J.block<3, 6>(3 * i, 6 * problem.node[e]) = problem.J[e];
    r.segment<3>(3 * i) = Lambda[i];
    c.segment<3>(3 * i) = problem.c[i];
  }
  const Eigen::VectorXd xi = J * (J.transpose() * r) + c;
  Eigen::VectorXd d(n);
  double d_min = 0;
  for (long i = 0; i < n; ++i) {
    const double rows = problem.law[i] == corpus::Kind::unilateral ? 1 : 3;
    const double trace = J.middleRows<3>(3 * i).squaredNorm();
    d[i] = trace > 0 ? std::sqrt(rows / trace) : 0;
    if (d[i] > 0) d_min = d_min > 0 ? std::min(d_min, d[i]) : d[i];
  }
  double map = 0, map_scaled = 0, c2 = 0, xi2 = 0, r2 = 0;
  for (long i = 0; i < n; ++i) {
    const double s = d[i] > 0 ? d[i] : d_min > 0 ? d_min : 1;
    const Vec3 x = xi.segment<3>(3 * i), y = r.segment<3>(3 * i);
    map += natural_map(problem.law[i], x, y, problem.mu[i]).squaredNorm();
    map_scaled += natural_map(problem.law[i], s * x, y / s, problem.mu[i]).squaredNorm();
    c2 += s * s * c.segment<3>(3 * i).squaredNorm();
    xi2 += s * s * x.squaredNorm();
    r2 += y.squaredNorm() / (s * s);
  }
  contact::Errors errors;
  errors.judged = std::sqrt(map / std::max({c.squaredNorm(), xi.squaredNorm(), r.squaredNorm()}));
  errors.scaled = std::sqrt(map_scaled / std::max({c2, xi2, r2}));
  errors.over_c = std::sqrt(map_scaled / c2);
  return {errors, std::sqrt(std::max({c2, xi2, r2}) / c2)};
}

template <class Body>
void for_each_pair(Body&& body) {
  for (const solvers::SolverType& type : solvers::solver_types()) {
    const auto solver = type.make();
    for (const corpus::Case& c : cases()) {
      if (!type.in_factors && c.problem.size() > 300) continue;  // to be quick: W has to be formed
      SCOPED_TRACE(std::string(type.name) + " on " + c.name);
      body(type, *solver, c);
    }
  }
}

double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, (a[i] - b[i]).norm());
  return largest;
}

double largest(const std::vector<Vec3>& a) { return largest_difference(a, std::vector<Vec3>(a.size(), Vec3::Zero())); }

}  // namespace

TEST(Solvers, solve_the_corpus_or_say_so) {
  for_each_pair([](const solvers::SolverType& type, solvers::Solver& solver, const corpus::Case& c) {
    const solvers::Solution solution = solve(solver, c.problem);
    const solvers::Report& report = solution.report;
    if (expected_to_solve(type.name, c)) {
      EXPECT_EQ(report.status, Status::solved);
    }
    EXPECT_EQ(report.status == Status::solved, solvers::meets(report.errors, kTol));
    if (is_pivoting(type.name) && has_friction(c.problem)) {
      EXPECT_TRUE(report.status == Status::inapplicable || report.iterations == 0) << to_string(report.status);
    } else {
      EXPECT_NE(report.status, Status::inapplicable);
    }
    EXPECT_NE(report.status, Status::infeasible);
    EXPECT_LE(report.iterations, solvers::Settings{}.max_iterations);
    EXPECT_FALSE(report.method.empty());
  });
}

TEST(Solvers, report_the_errors_that_dense_algebra_finds) {
  for_each_pair([](const solvers::SolverType&, solvers::Solver& solver, const corpus::Case& c) {
    if (c.problem.size() > 700) return;  // dense
    const solvers::Solution solution = solve(solver, c.problem);
    const auto [mine, ratio] = recompute(c.problem, solution.Lambda);
    const contact::Errors& theirs = solution.report.errors;
    // Another order of summation: differences of a few hundred roundings of |Λ|, |ξ|.
    EXPECT_NEAR(mine.judged, theirs.judged, 1e-13);
    EXPECT_NEAR(mine.scaled, theirs.scaled, 1e-13);
    EXPECT_NEAR(mine.over_c, theirs.over_c, 1e-13 * ratio);
    std::vector<double> z;
    std::vector<Vec3> xi;
    contact::apply(c.problem, solution.Lambda, z, xi);
    EXPECT_EQ(largest_difference(xi, solution.xi), 0);
  });
}

TEST(Solvers, give_the_same_bits_whatever_they_solved_before) {
  for_each_pair([](const solvers::SolverType& type, solvers::Solver& used, const corpus::Case& c) {
    const solvers::Solution a = solve(used, c.problem, 500);
    const solvers::Solution b = solve(*type.make(), c.problem, 500);
    EXPECT_EQ(largest_difference(a.Lambda, b.Lambda), 0);
    EXPECT_EQ(a.report.iterations, b.report.iterations);
    EXPECT_EQ(a.report.method, b.report.method);
  });
}

TEST(Solvers, do_not_care_about_units) {
  for (const auto& [velocity, root_mass] : {std::pair{1e3, 1.0}, {1e-3, 1.0}, {1.0, 31.6}, {1.0, .0316}}) {
    for_each_pair([&](const solvers::SolverType& type, solvers::Solver& solver, const corpus::Case& c) {
      if (!expected_to_solve(type.name, c) || c.problem.size() > 700) return;  // to be quick
      contact::ContactProblem problem = c.problem;
      for (auto& J : problem.J) J /= root_mass;
      for (auto& x : problem.c) x *= velocity;
      const solvers::Report report = solve(solver, problem).report;
      EXPECT_EQ(report.status, Status::solved) << velocity << " " << root_mass;
      EXPECT_LE(report.errors.scaled, kTol);
    });
  }
}

TEST(Solvers, agree_in_the_velocity_where_it_is_unique) {
  for (const corpus::Case& c : cases()) {
    if (!c.unique_xi) continue;
    std::vector<std::vector<Vec3>> answers;
    for (const solvers::SolverType& type : solvers::solver_types()) {
      if (!expected_to_solve(type.name, c) || (!type.in_factors && c.problem.size() > 300)) continue;
      answers.push_back(solve(*type.make(), c.problem).xi);
    }
    // tol times |Λ'|/|c'| (up to 1e2 here) times the softest mode of a stack (1/λ up to 1e2)
    for (const auto& xi : answers) EXPECT_LT(largest_difference(xi, answers[0]), 1e-4 * largest(c.problem.c)) << c.name;
  }
}

TEST(Solvers, accept_a_good_warm_start_as_it_is) {
  for_each_pair([](const solvers::SolverType& type, solvers::Solver& solver, const corpus::Case& c) {
    if (!expected_to_solve(type.name, c)) return;
    solvers::Solution solution = solve(solver, c.problem);
    if (solution.report.status != Status::solved) return;
    const contact::Errors before = solution.report.errors;
    solver.solve(c.problem, {.tol = kTol, .polish = false}, solution);
    EXPECT_EQ(solution.report.status, Status::solved);
    EXPECT_EQ(solution.report.iterations, 0);
    EXPECT_EQ(solution.report.method, "warm start");
    EXPECT_LE(solution.report.errors.scaled, std::max(2 * before.scaled, 1e-14)) << type.name;
  });
}

TEST(Solvers, leave_a_problem_without_blocks_alone) {
  contact::ContactProblem empty;
  empty.row.push_back(0);
  for (std::size_t nodes : {0, 3}) {
    empty.nodes = nodes;
    for (const solvers::SolverType& type : solvers::solver_types()) {
      const solvers::Solution solution = solve(*type.make(), empty);
      EXPECT_EQ(solution.report.status, Status::solved) << type.name;
      EXPECT_EQ(solution.report.errors.scaled, 0);
    }
  }
}

TEST(Solvers, keep_the_budget) {
  for_each_pair([](const solvers::SolverType& type, solvers::Solver& solver, const corpus::Case& c) {
    // auto gives the budget to every island, and both finish and polish what they have begun.
    if (type.name == "auto" || type.name == "prox_newton") return;
    for (const int budget : {0, 1, 7}) EXPECT_LE(solve(solver, c.problem, budget).report.iterations, budget);
  });
}

TEST(Solvers, prove_that_an_infeasible_problem_has_no_solution) {
  // A bond of nothing that should not move but does.
  corpus::Scene loose;
  loose.box(Vec3(0, 0, .5), 1, Vec3(1, 1, 1), Vec3(0, 0, corpus::kDrop));
  corpus::four_points(loose, -1, 0, -.5, .5, -.5, .5, 0, .5);
  loose.contact(corpus::Kind::bilateral, -1, -1, Vec3::Zero(), corpus::up, 0);
  loose.problem.c.back() = Vec3(1, 0, 0);
  // Two bonds that ask one point for two velocities.
  corpus::Scene torn;
  torn.box(Vec3::Zero(), 1, Vec3(1, 1, 1), Vec3::Zero());
  for (int k = 0; k < 2; ++k) torn.contact(corpus::Kind::bilateral, -1, 0, Vec3::Zero(), corpus::up, 0);
  torn.problem.c[0] = Vec3(.01, 0, 0);
  // A ball squeezed between two walls that approach each other.
  corpus::Scene squeezed;
  squeezed.sphere(Vec3::Zero(), 1, .5, Vec3::Zero());
  squeezed.contact(corpus::Kind::coulomb, -1, 0, Vec3(0, 0, -.5), corpus::up, .5);
  squeezed.contact(corpus::Kind::coulomb, -1, 0, Vec3(0, 0, .5), -corpus::up, .5);
  for (auto& c : squeezed.problem.c) c[0] = -1;
  for (const corpus::Scene* scene : {&loose, &torn, &squeezed}) {
    for (const solvers::SolverType& type : solvers::solver_types()) {
      solvers::Solution solution;
      solution.Lambda.assign(scene->problem.size(), Vec3::Zero());
      type.make()->solve(scene->problem, {.tol = kTol, .certify = true}, solution);
      if (is_pivoting(type.name) && has_friction(scene->problem)) {
        EXPECT_EQ(solution.report.status, Status::inapplicable) << type.name;
      } else {
        EXPECT_EQ(solution.report.status, Status::infeasible) << type.name;
        EXPECT_GE(contact::check_witness(scene->problem, solution.witness), contact::unreachable);
      }
      for (const Vec3& x : solution.Lambda) EXPECT_TRUE(x.allFinite()) << type.name;
      EXPECT_GT(solution.report.errors.over_c, 1e-3) << type.name;
    }
  }
}

TEST(Solvers, do_not_let_a_stack_creep) {
  // Stepping by hand in mass-weighted coordinates: c = J (w + g dt), w ← w + g dt + z. With a tolerance of 1e-8
  // accepted again at every step the velocity would grow to 1e-8 |Λ'|/|c'| g dt; polished, it stays at rounding.
  for (const solvers::SolverType& type : solvers::solver_types()) {
    if (type.name != "auto" && type.name != "prox_newton") continue;  // the others do not polish
    contact::ContactProblem problem = corpus::stack(5, .5, [](int) { return 1.0; });
    const auto solver = type.make();
    solvers::Solution solution;
    solution.Lambda.assign(problem.size(), Vec3::Zero());
    Eigen::VectorXd w = Eigen::VectorXd::Zero(30);
    std::vector<double> z;
    std::vector<Vec3> xi;
    for (int step = 0; step < 2000; ++step) {
      for (int b = 0; b < 5; ++b) w[6 * b + 2] += corpus::kDrop;
      for (std::size_t i = 0; i < problem.size(); ++i) {
        problem.c[i].setZero();
        for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
          problem.c[i] += problem.J[e] * w.segment<6>(6 * problem.node[e]);
        }
      }
      solver->solve(problem, {.tol = kTol}, solution);
      contact::apply(problem, solution.Lambda, z, xi);
      w += Eigen::Map<const Eigen::VectorXd>(z.data(), 30);
      ASSERT_LT(largest(xi), 1e-12 * -corpus::kDrop * 10) << type.name;
    }
  }
}
