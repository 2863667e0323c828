// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The proximal Newton method of explicit_prox.hpp as a solver of its own.
#include "vinculum/solvers/explicit_prox.hpp"
#include "vinculum/solvers/solver.hpp"

#include <algorithm>

namespace vinculum::solvers {
namespace {

template <int Rows>
class Newton {
 public:
  void solve(const contact::ExplicitProblem& problem, const Settings& settings, ExplicitSolution& solution) {
    Report& report = solution.report;
    report = {};
    report.method = "warm start";
    space_.build(problem);
    space_.scale(solution.r, r_);
    space_.project(r_);
    space_.velocity(r_, u_);
    const double error = space_.errors(r_, u_).steer(settings.tol);
    bool idle = false;
    if (error > settings.tol) {
      report.method = "prox_newton";
      matrix_.prepare(space_);
      typename ContactProx<Rows>::Limits limits;
      limits.tol = settings.tol;
      limits.alpha = std::clamp(error, 1e-6, 0.1);
      limits.newton_steps = settings.max_iterations;
      const auto outcome = prox_.run(space_, matrix_, limits, r_);
      report.iterations = outcome.newton_steps;
      report.factorisations = matrix_.factorisations;
      idle = outcome.idle;
    }
    space_.unscale(r_, solution.r);
    report.errors = contact::measure(problem, solution.r, solution.u);
    report.status = meets_both(report.errors, settings.tol) ? Status::solved
                    : idle                                  ? Status::stalled
                                                            : Status::exhausted;
  }

 private:
  ContactSpace<Rows> space_;
  ContactMatrix<Rows> matrix_;
  ContactProx<Rows> prox_;
  std::vector<double> r_, u_;
};

class ExplicitProxNewton final : public ExplicitSolver {
 public:
  void solve(const contact::ExplicitProblem& problem, const Settings& settings, ExplicitSolution& solution) override {
    problem.dimension == 5 ? rolling_.solve(problem, settings, solution) : coulomb_.solve(problem, settings, solution);
  }

 private:
  Newton<3> coulomb_;
  Newton<5> rolling_;
};

}  // namespace

std::unique_ptr<ExplicitSolver> make_explicit_prox_newton() { return std::make_unique<ExplicitProxNewton>(); }

}  // namespace vinculum::solvers
