// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Stages of the portfolio that factor the whole: splitting, Newton, interior points, polish.
#include "vinculum/solvers/portfolio.hpp"

#include <algorithm>

namespace vinculum::solvers {
namespace {

constexpr int kInsideTurns = 2;  // of sweeps and Newton after an interior point from far inside
constexpr int kPolish = 6;       // factorisations
constexpr double kRounding = 1e-16;

}  // namespace

bool Portfolio::split(double alpha, double omega, int steps, double target) {
  if (budget() <= 0) return false;
  Splitting::Limits limits;
  limits.target = target;
  limits.alpha = alpha;
  limits.omega = omega;
  limits.steps = std::min(steps, budget());
  limits.patience = std::max(80, steps / 4);
  const bool at_rest = alpha < 1e-3;
  limits.balance_every = at_rest ? 0 : 20;
  r_ = at_rest ? start_ : best_;  // sweeps would spoil the guess
  const Splitting::Outcome outcome = splitting_.run(scaled_, matrix_, limits, r_);
  report_->iterations += outcome.steps;
  keep_if_better(r_, outcome.error, "splitting");
  return judge();
}

bool Portfolio::newton(const std::vector<Vec3>& from, double alpha, int steps) {
  if (budget() <= 0) return false;
  ProxNewton::Limits limits;
  limits.alpha = alpha;
  r_ = from;
  int left = std::min(steps, budget());
  // A second round when the judged error asks for more than the scaled one.
  for (int round = 0; round < 4 && left > 0; ++round) {
    limits.target = target_;
    limits.newton_steps = left;
    const ProxNewton::Outcome outcome = newton_.run(scaled_, matrix_, limits, r_);
    report_->iterations += outcome.newton_steps;
    left -= outcome.newton_steps;
    keep_if_better(r_, outcome.error, "prox_newton");
    if (judge()) return true;
    if (!outcome.reached) return false;
    limits.alpha = 1e-4;
  }
  return false;
}

// Interior point, then Newton; if that fails, a decade further and again. Packings (where factors are dear) need the
// proximal weight and are handed over early. Faces with more points than rank must shift impulses of order 1 to undo
// velocities of 1e-7: next to no weight, and Newton goes on with an α as small.
bool Portfolio::interior(int steps, bool packing) {
  InteriorPoint::Limits limits;
  limits.delta = packing ? 1e-3 : 1e-8;
  limits.shift = packing ? 10 : 1;
  r_ = best_;
  interior_.start(scaled_, matrix_, limits, r_);
  for (limits.target = packing ? 1e-4 : 1e-6; budget() > 0 && steps > 0; limits.target *= 0.1) {
    limits.steps = std::min(steps, budget());
    const InteriorPoint::Outcome outcome = interior_.run(limits, r_);
    report_->iterations += outcome.steps;
    steps -= outcome.steps;
    keep_if_better(r_, outcome.error, "interior point");
    if (newton(best_, packing ? 1e-3 : 1e-7, 15)) return true;
    if (!outcome.reached || limits.target < target_) return false;
  }
  return false;
}

// Wedged bodies carry, beside their load, any impulse along which nothing moves. Where such impulses must grow before
// the bodies stop, sweeps and Newton, which start below, raise them step by step, with contacts on the edge of opening
// and slipping all the while. The interior point comes from above when it starts far inside and has next to no weight:
// nearly every contact sticks then, and what is left for sweeps is little (decisions/heaps.md).
bool Portfolio::from_inside() {
  InteriorPoint::Limits limits;
  limits.target = 1e-5;
  limits.delta = 1e-8;
  limits.shift = 100;
  limits.steps = std::min(40, budget());
  r_.assign(scaled_.size(), Vec3::Zero());
  interior_.start(scaled_, matrix_, limits, r_);
  const InteriorPoint::Outcome outcome = interior_.run(limits, r_);
  report_->iterations += outcome.steps;
  make_admissible(scaled_, r_);
  // Where factors are dear there is nothing better to do with the rest of the budget.
  const bool cheap = factors_are_cheap();
  double last = kNone;
  for (int turn = 0; !cheap || turn < kInsideTurns || best_error_ < 0.67 * last; ++turn) {
    last = best_error_;
    if (leap(false, cheap ? 1500 : 6000)) return true;
    if (runs_away(r_)) return false;
    const double swept = best_error_;
    inside_ = r_;
    if (newton(best_, 1e-2, cheap ? 300 : 10)) return true;
    if (budget() <= 2 * kShortChunk) break;
    r_ = best_error_ < 0.5 * swept ? best_ : inside_;
  }
  return false;
}

// A few Newton steps towards rounding, then steps with small α from there.
void Portfolio::polish() {
  const std::string_view method = report_->method == "warm start" ? polished_warm_start : report_->method;
  r_ = best_;
  double error = newton_.polish(scaled_, matrix_, kPolish, kRounding, kRounding, r_);
  report_->iterations += newton_.newton_steps;
  keep_if_better(r_, error, method);
  if (best_error_ <= 1e-3 * target_) return;
  ProxNewton::Limits limits;
  limits.target = 1e-4 * target_;
  limits.alpha = 1e-3;
  limits.newton_steps = 2 * kPolish;
  limits.failures = 4;
  r_ = best_;
  error = newton_.run(scaled_, matrix_, limits, r_).error;
  report_->iterations += newton_.newton_steps;
  keep_if_better(r_, error, method);
  r_ = best_;
  error = newton_.polish(scaled_, matrix_, kPolish, kRounding, kRounding, r_);
  report_->iterations += newton_.newton_steps;
  keep_if_better(r_, error, method);
}

// Near the solution polishing alone is the shortest way there. What moves needs no more than to look at rest.
bool Portfolio::polish_warm_start() {
  const bool near = best_error_ < 0.1 && squared_norm(start_) > 0;
  const bool sharp = settings_->tol <= kLoose || scaled_.size() <= kSmall;
  if (!settings_->polish || !near || !sharp || !factors_are_cheap()) return false;
  r_ = best_;
  keep_if_better(r_, newton_.polish(scaled_, matrix_, kPolish, kRounding, kRest, r_), "prox_newton");
  report_->iterations += newton_.newton_steps;
  return judge();
}

}  // namespace vinculum::solvers
