// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// "auto" in contact space (theory/solving-friction.md 6). Stages, each from the best point so far, until both errors
// are within the tolerance:
//   warm start good?  →  chunks of sweeps, as long as they promise to finish soon  →  (warm: Newton from there)  →
//   interior point, handed to Newton when near  →  Newton to the end of the budget
// Impulses that grow without end are asked for a certificate that there is no solution.
// One default for all problems; every constant is a pure number because variables are unit-free.
#include "vinculum/solvers/explicit_certificate.hpp"
#include "vinculum/solvers/explicit_interior.hpp"
#include "vinculum/solvers/explicit_prox.hpp"
#include "vinculum/solvers/explicit_sweep.hpp"
#include "vinculum/solvers/solver.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::solvers {
namespace {

constexpr int kChunk = 20;        // sweeps
constexpr double kPatience = 60;  // further sweeps that may be predicted
constexpr int kInteriorSteps = 60;
constexpr double kDiverging = 1e8;  // |r'|² beyond which impulses may be growing without end
constexpr double kHandOver = 1e-5;  // scaled error at which Newton takes over from the interior point

template <int Rows>
class Stages {
 public:
  void solve(const contact::ExplicitProblem& problem, const Settings& settings, ExplicitSolution& solution);

 private:
  bool keep_if_better(double error, const char* method);
  bool sweep();
  bool interior();
  bool newton(const std::vector<double>& from, const typename ContactProx<Rows>::Limits& limits);
  void prepare_matrix() {
    if (!matrix_ready_) matrix_.prepare(space_);
    matrix_ready_ = true;
  }
  bool shown_infeasible() const { return largest_square_ > 0 && least_impulse(space_, largest_) >= kNoSolution; }
  int budget() const { return settings_->max_iterations - report_->iterations; }
  bool solved() const { return best_error_ <= settings_->tol; }

  const Settings* settings_ = nullptr;
  Report* report_ = nullptr;
  ContactSpace<Rows> space_;
  ContactMatrix<Rows> matrix_;
  ContactSweeper<Rows> sweeper_;
  ContactProx<Rows> prox_;
  ContactInterior interior_;
  bool matrix_ready_ = false, idle_ = false;
  std::vector<double> best_, r_, u_, largest_;
  double best_error_ = 0, largest_square_ = 0;
};

template <int Rows>
bool Stages<Rows>::keep_if_better(double error, const char* method) {
  const double size = square(r_);
  if (size > std::max(kDiverging, largest_square_) && std::isfinite(size)) {
    largest_square_ = size;
    largest_ = r_;
  }
  if (error < best_error_) {
    best_error_ = error;
    best_ = r_;
    report_->method = method;
  }
  return solved();
}

template <int Rows>
bool Stages<Rows>::sweep() {
  sweeper_.prepare(space_);
  r_ = best_;
  double last = best_error_;
  for (;;) {
    report_->iterations += sweeper_.run_chunk(std::min(kChunk, budget()), 0.01 * settings_->tol, r_);
    space_.velocity(r_, u_);
    const double error = space_.errors(r_, u_).steer(settings_->tol);
    if (keep_if_better(error, "nsgs")) return true;
    const double rate = std::log(last / error) / kChunk;  // per sweep
    if (budget() <= 0 || !(rate > 0) || std::log(error / settings_->tol) > kPatience * rate) return false;
    last = error;
  }
}

template <int Rows>
bool Stages<Rows>::newton(const std::vector<double>& from, const typename ContactProx<Rows>::Limits& limits) {
  prepare_matrix();
  std::vector<double> start = from;
  r_.swap(start);
  const auto outcome = prox_.run(space_, matrix_, limits, r_);
  report_->iterations += outcome.newton_steps;
  idle_ = outcome.idle;
  return keep_if_better(outcome.error, "prox_newton");
}

// Hands over at 1e-5; where Newton then fails the interior point goes on to 1e-6, 1e-7 ...
template <int Rows>
bool Stages<Rows>::interior() {
  if constexpr (Rows == 3) {
    prepare_matrix();
    interior_.start(space_, matrix_, best_);
    int steps = kInteriorSteps;
    for (double target = kHandOver; target > 1e-14 && steps > 0 && budget() > 0; target *= 0.1) {
      const ContactInterior::Outcome outcome = interior_.run(target, std::min(steps, budget()), r_);
      steps -= outcome.steps;
      report_->iterations += outcome.steps;
      space_.velocity(r_, u_);
      if (keep_if_better(space_.errors(r_, u_).steer(settings_->tol), "interior point")) return true;
      if (!outcome.reached) return false;
      typename ContactProx<Rows>::Limits limits;
      limits.tol = settings_->tol;
      limits.alpha = 1e-3;
      limits.outer = 6;
      limits.failures = 2;
      limits.newton_steps = budget();
      const std::vector<double> near = r_;
      if (newton(near, limits)) return true;
    }
  }
  return false;
}

template <int Rows>
void Stages<Rows>::solve(const contact::ExplicitProblem& problem, const Settings& settings,
                         ExplicitSolution& solution) {
  settings_ = &settings;
  report_ = &solution.report;
  *report_ = {};
  report_->method = "warm start";
  matrix_ready_ = idle_ = false;
  largest_square_ = 0;
  space_.build(problem);
  space_.scale(solution.r, best_);
  const bool warm = square(best_) > 0;
  if (warm) space_.project(best_);
  warm ? space_.velocity(best_, u_) : void(u_ = space_.q);
  best_error_ = space_.errors(best_, u_).steer(settings.tol);
  bool no_solution = false;
  if (!solved() && !sweep()) {
    typename ContactProx<Rows>::Limits limits;
    limits.tol = settings.tol;
    bool done = false;
    if (warm) {
      limits.alpha = std::clamp(best_error_, 1e-6, 0.1);
      limits.newton_steps = std::min(100, budget());
      done = newton(best_, limits);
    }
    if (!done) done = interior();
    no_solution = !done && shown_infeasible();
    if (!done && !no_solution) {
      limits.alpha = 0.1;
      limits.newton_steps = budget();
      done = newton(best_, limits);
      no_solution = !done && shown_infeasible();
    }
  }
  space_.unscale(best_, solution.r);
  report_->errors = contact::measure(problem, solution.r, solution.u);
  report_->factorisations = matrix_ready_ ? matrix_.factorisations : 0;
  if (no_solution) {
    report_->method = "certificate";
    witness_along<Rows>(largest_, r_);
    space_.unscale(r_, solution.witness);
  }
  report_->status = meets_both(report_->errors, settings.tol) ? Status::solved
                    : no_solution                             ? Status::infeasible
                    : idle_ && budget() > 0                   ? Status::stalled
                                                              : Status::exhausted;
}

class ExplicitAutomatic final : public ExplicitSolver {
 public:
  void solve(const contact::ExplicitProblem& problem, const Settings& settings, ExplicitSolution& solution) override {
    problem.dimension == 5 ? rolling_.solve(problem, settings, solution) : coulomb_.solve(problem, settings, solution);
  }

 private:
  Stages<3> coulomb_;
  Stages<5> rolling_;
};

}  // namespace

std::unique_ptr<ExplicitSolver> make_explicit_automatic() { return std::make_unique<ExplicitAutomatic>(); }

}  // namespace vinculum::solvers
