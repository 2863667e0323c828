// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What every solver of the registry gets on request, after its own work: the proof that there is no solution
// (Settings::certify, witness.hpp), the impulse of least norm (Settings::minimum_norm, least_norm.hpp). The latter
// reads open, slip and stick off the velocity, so the solver is asked for three digits more; what counts is still tol.
#include "vinculum/solvers/finished.hpp"

#include "vinculum/solvers/least_norm.hpp"
#include "vinculum/solvers/witness.hpp"

#include <algorithm>

namespace vinculum::solvers {
namespace {

Settings sharper(const Settings& settings) {
  Settings out = settings;
  out.tol = std::min(settings.tol, std::max(1e-12, 1e-3 * settings.tol));
  return out;
}

bool good(const contact::ContactProblem&, const Report& report, const Settings& settings) {
  return meets(report.errors, settings.tol, settings.over_c);
}
bool good(const contact::ExplicitProblem&, const Report& report, const Settings& settings) {
  return meets_both(report.errors, settings.tol);
}

template <class Base, class Problem, class Answer>
class Finished final : public Base {
 public:
  explicit Finished(std::unique_ptr<Base> solver) : solver_(std::move(solver)) {}

  void solve(const Problem& problem, const Settings& settings, Answer& solution) override {
    solution.witness.clear();
    solver_->solve(problem, settings.minimum_norm ? sharper(settings) : settings, solution);
    Report& report = solution.report;
    if (settings.minimum_norm && good(problem, report, settings)) report.status = Status::solved;
    if (settings.minimum_norm && report.status == Status::solved) minimise_norm(problem, settings, solution);
    const bool open = report.status == Status::stalled || report.status == Status::exhausted;
    if (settings.certify && open) find_witness(problem, solution);
  }

 private:
  std::unique_ptr<Base> solver_;
};

}  // namespace

std::unique_ptr<Solver> finish(std::unique_ptr<Solver> solver) {
  return std::make_unique<Finished<Solver, contact::ContactProblem, Solution>>(std::move(solver));
}

std::unique_ptr<ExplicitSolver> finish(std::unique_ptr<ExplicitSolver> solver) {
  return std::make_unique<Finished<ExplicitSolver, contact::ExplicitProblem, ExplicitSolution>>(std::move(solver));
}

}  // namespace vinculum::solvers
