// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/last_resort.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::solvers {

namespace {

constexpr std::size_t kMost = 1000;  // blocks: W of more fills in
constexpr double kWork = 1e6;        // blocks times iterations: some seconds

/// Contact space knows no friction with a given load.
bool is_applicable(const contact::ContactProblem& problem, const Settings& settings) {
  if (settings.passing || problem.size() < 2 || problem.size() > kMost) return false;
  return std::find(problem.law.begin(), problem.law.end(), laws::Kind::dry) == problem.law.end();
}

}  // namespace

void LastResort::improve(const contact::ContactProblem& problem, const Settings& settings, Solution& solution) {
  if (solution.report.status == Status::solved || !is_applicable(problem, settings)) return;
  if (!solver_) solver_ = adapt(solver_types().front().make_explicit());
  Settings own = settings;
  own.max_iterations = std::min(settings.max_iterations, static_cast<int>(kWork / static_cast<double>(problem.size())));
  other_.Lambda.assign(problem.size(), contact::Vec3::Zero());
  solver_->solve(problem, own, other_);
  Report& report = solution.report;
  const int iterations = report.iterations + other_.report.iterations;
  const int factorisations = report.factorisations + other_.report.factorisations;
  const bool better = other_.report.status == Status::solved || other_.report.errors.scaled < report.errors.scaled;
  if (better) {
    std::swap(solution.Lambda, other_.Lambda);
    std::swap(solution.xi, other_.xi);
    report = other_.report;
    if (report.status == Status::infeasible) report.status = Status::stalled;  // proofs are not looked for here
  }
  report.iterations = iterations;
  report.factorisations = factorisations;
}

}  // namespace vinculum::solvers
