// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of the portfolio, each alone: what it promises about its own convergence.
#include "solvers/corpus.hpp"
#include "vinculum/solvers/anderson.hpp"
#include "vinculum/solvers/drift.hpp"
#include "vinculum/solvers/interior.hpp"
#include "vinculum/solvers/patches.hpp"
#include "vinculum/solvers/prox.hpp"
#include "vinculum/solvers/solver.hpp"
#include "vinculum/solvers/splitting.hpp"
#include "vinculum/solvers/sweep.hpp"

#include <gtest/gtest.h>

using namespace vinculum;
using corpus::Vec3;

namespace {

struct Ready {
  contact::ContactProblem problem;
  solvers::ScaledProblem scaled;
  solvers::BodyMatrix matrix;
  std::vector<Vec3> r;

  explicit Ready(contact::ContactProblem given) : problem(std::move(given)), r(problem.size(), Vec3::Zero()) {
    scaled.build(problem);
    matrix.prepare(scaled);
  }
  double error() const {
    std::vector<Vec3> Lambda, xi;
    std::vector<double> z;
    scaled.unscale(r, Lambda);
    return contact::measure(problem, Lambda, z, xi).scaled;
  }
};

auto unit_mass = [](int) { return 1.0; };

}  // namespace

TEST(Scaled, has_unit_blocks_and_unit_free_velocity) {
  const Ready p(corpus::stack(4, .5, [](int k) { return 1 + 10.0 * k; }));
  double c = 0;
  for (std::size_t i = 0; i < p.problem.size(); ++i) {
    double trace = 0;
    for (int e = p.scaled.begin(i); e < p.scaled.end(i); ++e) {
      trace += Eigen::Map<const contact::JBlock>(p.scaled.J_entry(e)).squaredNorm();
    }
    EXPECT_NEAR(trace, 3, 1e-14);
    c += p.scaled.c[i].squaredNorm();
  }
  EXPECT_NEAR(c, 1, 1e-14);
}

TEST(Scaled, error_is_that_of_the_judge) {
  Ready p(corpus::pyramid(4, .5));
  for (std::size_t i = 0; i < p.r.size(); ++i) p.r[i] = Vec3(.1 + .01 * static_cast<double>(i), .02, -.01);
  std::vector<double> z;
  std::vector<Vec3> u;
  p.scaled.impulse_to_nodes(p.r, z);
  p.scaled.velocity(z, u);
  EXPECT_NEAR(p.scaled.error(p.r, u), p.error(), 1e-14);
}

TEST(Sweep, leaves_a_solution_where_it_is) {
  Ready p(corpus::pyramid(3, .5));
  solvers::ProxNewton newton;
  newton.run(p.scaled, p.matrix, {.target = 1e-12}, p.r);
  solvers::Sweeper sweeper;
  sweeper.prepare(p.scaled);
  sweeper.start(p.r);
  EXPECT_LT(sweeper.sweep(p.r), 1e-22);
}

// One pass over G = J Jᵀ written out, every block by its law's own solve_local. (Later passes refine λ by two steps
// only.)
TEST(Sweep, is_gauss_seidel_on_the_dense_matrix) {
  for (const contact::ContactProblem& problem :
       {corpus::packing(3, .3, 1.02, 3), corpus::pyramid(3, .5, .1), corpus::mixed()}) {
    Ready p(problem);
    const auto n = static_cast<Eigen::Index>(problem.size());
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(3 * n, 6 * static_cast<Eigen::Index>(problem.nodes));
    for (Eigen::Index i = 0; i < n; ++i) {
      for (int e = p.scaled.begin(i); e < p.scaled.end(i); ++e) {
        J.block<3, 6>(3 * i, 6 * p.scaled.node(e)) = Eigen::Map<const contact::JBlock>(p.scaled.J_entry(e));
      }
    }
    const Eigen::MatrixXd G = J * J.transpose();
    Eigen::VectorXd r(3 * n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const bool one_row = p.scaled.law[static_cast<std::size_t>(i)]->rows() == 1;
      r.segment<3>(3 * i) = Vec3(.1 + .01 * static_cast<double>(i), one_row ? 0 : .02, one_row ? 0 : -.01);
      p.r[static_cast<std::size_t>(i)] = r.segment<3>(3 * i);
    }
    for (Eigen::Index i = 0; i < n; ++i) {
      const Eigen::Matrix3d A = G.block<3, 3>(3 * i, 3 * i);
      const Vec3 now = r.segment<3>(3 * i);
      const Vec3 b = G.middleRows<3>(3 * i) * r + p.scaled.c[static_cast<std::size_t>(i)] - A * now;
      const auto at = static_cast<std::size_t>(i);
      r.segment<3>(3 * i) = p.scaled.law[at]->solve_local(A, b, p.scaled.mu[at], now);
    }
    solvers::Sweeper sweeper;
    sweeper.prepare(p.scaled);
    sweeper.start(p.r);
    sweeper.sweep(p.r);
    for (Eigen::Index i = 0; i < n; ++i) {
      EXPECT_LT((p.r[static_cast<std::size_t>(i)] - r.segment<3>(3 * i)).norm(), 1e-12 * r.norm()) << i;
    }
  }
}

TEST(RoundBlock, is_found_for_balls_and_for_nothing_else) {
  const Ready balls(corpus::packing(3, .3, 1.02, 3)), boxes(corpus::pyramid(3, .5));
  solvers::RoundBlock block;
  for (std::size_t i = 0; i < balls.problem.size(); ++i) EXPECT_TRUE(solvers::make_round_block(balls.scaled, i, block));
  for (std::size_t i = 0; i < boxes.problem.size(); ++i)
    EXPECT_FALSE(solvers::make_round_block(boxes.scaled, i, block));
}

TEST(Patches, mend_an_error_where_it_is_and_leave_the_rest_alone) {
  Ready p(corpus::packing(7, .3, 1.05, 3));
  ASSERT_GT(p.problem.size(), 300u);  // more than a patch holds
  solvers::ProxNewton newton;
  ASSERT_TRUE(newton.run(p.scaled, p.matrix, {.target = 1e-9}, p.r).reached);
  const std::vector<Vec3> solution = p.r;
  for (std::size_t i = 0; i < 5; ++i) p.r[i] += Vec3(.1, 0, 0);
  const double spoilt = p.error();
  solvers::Patches patches;
  patches.prepare(p.scaled);
  const double target = 1e-5;
  const auto outcome = patches.improve(target, 1, p.r);
  EXPECT_GE(outcome.patches, 1);
  // A patch ends within the target of the whole, the rest was within 1e-9.
  EXPECT_LT(p.error(), std::min(2 * target, .1 * spoilt));
  std::size_t kept = 0;
  for (std::size_t i = 0; i < p.r.size(); ++i) kept += p.r[i] == solution[i];
  EXPECT_GT(kept, p.r.size() / 10);
}

TEST(Drift, passes_where_sweeps_creep) {
  // A ball falls into a narrow wedge. Friction stops it once the walls press hard enough, and each sweep adds but the
  // small m v sin ε by which the walls approach; the steps shrink like a geometric series.
  const double epsilon = .01, mu = .3;
  corpus::Scene scene;
  scene.sphere(Vec3::Zero(), 1, 1, Vec3(0, 0, -1));
  for (const double side : {-1.0, 1.0}) {
    const Vec3 n(-side * std::cos(epsilon), 0, std::sin(epsilon));
    scene.contact(laws::Kind::coulomb, -1, 0, -n, n, mu);
  }
  Ready p(scene.problem);
  Ready q = p;
  solvers::Sweeper sweeper;
  sweeper.prepare(p.scaled);
  sweeper.start(q.r);
  for (int k = 0; k < 300; ++k) sweeper.sweep(q.r);
  EXPECT_GT(q.error(), 1e-5);
  solvers::Drift drift;
  std::vector<Vec3> swept;
  for (int round = 0; round < 6; ++round) drift.step(p.scaled, sweeper, 5, p.r, swept);
  EXPECT_LT(p.error(), 1e-8);  // 60 sweeps
}

TEST(Drift, does_not_jump_where_sweeps_turn_back) {
  // At a solution sweeps change nothing, or rounding: the step stays there.
  Ready p(corpus::pyramid(3, .5));
  solvers::ProxNewton newton;
  newton.run(p.scaled, p.matrix, {.target = 1e-12}, p.r);
  const double error = p.error();
  solvers::Sweeper sweeper;
  sweeper.prepare(p.scaled);
  solvers::Drift drift;
  std::vector<Vec3> swept;
  drift.step(p.scaled, sweeper, 5, p.r, swept);
  EXPECT_LT(p.error(), std::max(error, 1e-10));
}

TEST(Anderson, solves_a_linear_fixed_point_in_as_many_steps_as_it_remembers) {
  // g(x) = B x + b with B of rank 3: exact after four differences, up to the regularisation 1e-12.
  Eigen::Matrix<double, 6, 6> B = Eigen::Matrix<double, 6, 6>::Zero();
  B.diagonal() << .9, -.5, .7, 0, 0, 0;
  const Eigen::Matrix<double, 6, 1> b = Eigen::Matrix<double, 6, 1>::LinSpaced(1, 2);
  const Eigen::Matrix<double, 6, 1> exact =
      (Eigen::Matrix<double, 6, 6>::Identity() - B).diagonal().cwiseInverse().cwiseProduct(b);
  solvers::Anderson anderson;
  anderson.reset(6);
  std::vector<Vec3> x(2, Vec3::Zero()), g = x;
  std::vector<double> image(1);  // 2 g₀ − g₅ follows g
  for (int k = 0; k < 8; ++k) {
    Eigen::Map<Eigen::Matrix<double, 6, 1>>(g[0].data()) = B * Eigen::Map<Eigen::Matrix<double, 6, 1>>(x[0].data()) + b;
    image[0] = 2 * g[0][0] - g[1][2];
    anderson.accelerate(x[0].data(), g[0].data(), image);
    EXPECT_NEAR(image[0], 2 * g[0][0] - g[1][2], 1e-12);
    x = g;
  }
  EXPECT_LT((Eigen::Map<Eigen::Matrix<double, 6, 1>>(x[0].data()) - exact).norm(), 1e-9 * exact.norm());
}

TEST(Splitting, needs_few_steps_and_one_factor_for_a_stack_at_rest) {
  Ready p(corpus::stack(20, .5, unit_mass));
  solvers::Splitting splitting;
  const auto outcome = splitting.run(p.scaled, p.matrix, {}, p.r);
  EXPECT_TRUE(outcome.reached);
  EXPECT_LE(outcome.steps, 20);
  EXPECT_EQ(p.matrix.factorisations, 1);
  EXPECT_NEAR(p.error(), outcome.error, 1e-14);
}

TEST(InteriorPoint, comes_near_a_solution_of_a_dense_packing) {
  Ready p(corpus::packing(5, .3, 1.1, 4));
  solvers::InteriorPoint interior;
  const solvers::InteriorPoint::Limits limits{.target = 1e-4};
  interior.start(p.scaled, p.matrix, limits, p.r);
  const auto outcome = interior.run(limits, p.r);
  EXPECT_TRUE(outcome.reached);
  EXPECT_LE(outcome.steps, 20);
  EXPECT_LE(p.error(), 1e-4);
}

TEST(InteriorPoint, takes_bonds_and_frictionless_blocks_too) {
  Ready p(corpus::mixed());
  solvers::InteriorPoint interior;
  const solvers::InteriorPoint::Limits limits{.target = 1e-5};
  interior.start(p.scaled, p.matrix, limits, p.r);
  EXPECT_TRUE(interior.run(limits, p.r).reached);
  EXPECT_LE(p.error(), 1e-5);
}

TEST(ProxNewton, polishes_to_rounding) {
  for (auto& problem : {corpus::box_on_ground(Vec3(.05, .02, corpus::kDrop), .5), corpus::stack(10, .5, unit_mass),
                        corpus::pyramid(6, .5), corpus::one_object(1, .5)}) {
    Ready p(problem);
    solvers::ProxNewton newton;
    ASSERT_TRUE(newton.run(p.scaled, p.matrix, {}, p.r).reached);
    EXPECT_LT(newton.polish(p.scaled, p.matrix, 6, 1e-16, 1e-16, p.r), 1e-14);
    EXPECT_LT(p.error(), 1e-14);
  }
}

TEST(ProxNewton, solves_where_sweeps_crawl) {
  Ready p(corpus::stack(20, .5, unit_mass));
  solvers::ProxNewton newton;
  const auto outcome = newton.run(p.scaled, p.matrix, {}, p.r);
  EXPECT_TRUE(outcome.reached);
  EXPECT_LE(outcome.newton_steps, 60);
}

TEST(Solver, auto_goes_by_the_name_users_type) {
  ASSERT_NE(solvers::find_solver_type("auto"), nullptr);
  EXPECT_EQ(solvers::find_solver_type("auto"), &solvers::solver_types()[0]);
  EXPECT_EQ(solvers::find_solver_type("automatic"), nullptr);
  EXPECT_EQ(solvers::find_solver_type(""), nullptr);
}

TEST(Solver, auto_checks_a_resting_pyramid_without_a_single_iteration) {
  const auto problem = corpus::pyramid(20, .5);
  const auto solver = solvers::find_solver_type("auto")->make();
  solvers::Solution solution;
  solution.Lambda.assign(problem.size(), Vec3::Zero());
  solver->solve(problem, {}, solution);
  EXPECT_EQ(solution.report.status, solvers::Status::solved);
  EXPECT_LT(solution.report.errors.over_c, 1e-12);
  solver->solve(problem, {}, solution);
  EXPECT_EQ(solution.report.iterations, 0);
  EXPECT_EQ(solution.report.method, "warm start");
}

TEST(Solver, faces_whose_points_contradict_each_other_by_a_little_are_solved) {
  // Four points per face and gaps that no rigid motion closes all at once: some point of each face must let go, which
  // takes impulses of order 1 to undo velocities of 1e-7. The ground is pulled, so that friction takes part.
  contact::ContactProblem problem = corpus::pyramid(5, .5);
  for (std::size_t i = 0; i < problem.size(); ++i) {
    if (problem.c[i][0] < .5 * corpus::kDrop) problem.c[i][1] -= .3 * corpus::kDrop;
    problem.c[i][0] -= 1e-7 * corpus::kDrop * static_cast<double>((i * 7919) % 13) / 13;
  }
  for (const char* name : {"auto", "prox_newton"}) {
    solvers::Solution solution;
    solution.Lambda.assign(problem.size(), Vec3::Zero());
    solvers::find_solver_type(name)->make()->solve(problem, {}, solution);
    EXPECT_EQ(solution.report.status, solvers::Status::solved) << name;
  }
}

TEST(Solver, packings_at_the_edge_of_rigidity_are_solved) {
  // 125 balls with about 8 neighbours each. Of these draws 5, 6, 8 and 12 are the ones that sweeps, Newton and an
  // interior point near the edges of the cones leave at 3e-8 to 2e-7.
  for (const unsigned draw : {1U, 5U, 6U, 8U, 10U, 12U}) {
    const contact::ContactProblem problem = corpus::packing(5, .3, 1.03, draw);
    solvers::Solution solution;
    solution.Lambda.assign(problem.size(), Vec3::Zero());
    solvers::find_solver_type("auto")->make()->solve(problem, {.tol = 1e-8, .polish = false}, solution);
    EXPECT_EQ(solution.report.status, solvers::Status::solved) << "draw " << draw;
    std::vector<Vec3> xi;
    std::vector<double> z;
    EXPECT_LE(contact::measure(problem, solution.Lambda, z, xi).scaled, 1e-8) << "draw " << draw;
  }
}

TEST(Solver, a_budget_is_kept_and_reported) {
  const auto problem = corpus::pyramid(20, .5, 1);
  for (const solvers::SolverType& type : solvers::solver_types()) {
    solvers::Solution solution;
    solution.Lambda.assign(problem.size(), Vec3::Zero());
    type.make()->solve(problem, {.max_iterations = 30}, solution);
    EXPECT_NE(solution.report.status, solvers::Status::solved) << type.name;
    EXPECT_LE(solution.report.iterations, 30) << type.name;
    EXPECT_LT(solution.report.errors.scaled, 1) << type.name;
  }
}
