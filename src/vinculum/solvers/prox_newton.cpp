// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The proximal Newton method of prox.hpp as a solver of its own. It shares with the sweeps only the laws' PC and the
// scaling of variables; the verdict is contact::measure's.
#include "vinculum/solvers/prox.hpp"
#include "vinculum/solvers/solver.hpp"

namespace vinculum::solvers {
namespace {

class ProxNewtonSolver final : public Solver {
 public:
  void solve(const ContactProblem& problem, const Settings& settings, Solution& solution) override;

 private:
  ScaledProblem scaled_;
  BodyMatrix matrix_;
  ProxNewton newton_;
  std::vector<Vec3> r_;
  std::vector<double> z_;
};

void ProxNewtonSolver::solve(const ContactProblem& problem, const Settings& settings, Solution& solution) {
  Report& report = solution.report;
  report = {};
  report.method = "warm start";
  scaled_.build(problem);
  scaled_.scale(solution.Lambda, r_);
  make_admissible(scaled_, r_);
  auto judge = [&] {
    scaled_.unscale(r_, solution.Lambda);
    report.errors = contact::measure(problem, solution.Lambda, z_, solution.xi);
    return meets(report.errors, settings.tol);
  };
  bool done = judge();
  if (done && (!settings.polish || report.errors.scaled == 0)) return;

  matrix_.prepare(scaled_);
  // The scaled target is tightened until the judged error follows.
  ProxNewton::Limits limits;
  limits.target = settings.tol;
  limits.alpha = std::clamp(report.errors.scaled, 1e-6, 0.1);
  bool idle = false;
  for (int round = 0; !done && !idle && round < 12 && report.iterations < settings.max_iterations; ++round) {
    report.method = "prox_newton";
    limits.newton_steps = settings.max_iterations - report.iterations;
    const ProxNewton::Outcome outcome = newton_.run(scaled_, matrix_, limits, r_);
    report.iterations += outcome.newton_steps;
    idle = outcome.idle;
    done = judge();
    limits.target = 0.1 * outcome.error;
    limits.alpha = 1e-3;
  }
  if (done && settings.polish) {
    newton_.polish(scaled_, matrix_, 6, 1e-16, 1e-16, r_);
    report.iterations += newton_.newton_steps;
    judge();
    report.method = "prox_newton";
  }
  report.factorisations = matrix_.factorisations;
  const bool out = report.iterations >= settings.max_iterations;
  report.status = done ? Status::solved : out ? Status::exhausted : Status::stalled;
}

}  // namespace

std::unique_ptr<Solver> make_prox_newton() { return std::make_unique<ProxNewtonSolver>(); }

}  // namespace vinculum::solvers
