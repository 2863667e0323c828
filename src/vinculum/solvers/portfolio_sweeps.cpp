// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Stages of the portfolio that sweep: in chunks, with long steps and patches, plainly to the end of the budget.
#include "vinculum/solvers/portfolio.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::solvers {
namespace {

constexpr int kChunk = 20;
constexpr int kAcceleratedChunks = 5;  // on long runs acceleration can cycle
constexpr int kRoughChunks = 3;
constexpr int kRoughSlip = 3,
              kSlip = 100;          // Newton steps on the λ of a block that begins to slip: to three digits, to all
constexpr double kSlowChunk = 0.8;  // a chunk that leaves more of the error than this gets help
constexpr int kPatchRounds = 48;    // of sweeps with help without gain
constexpr int kInsideRounds = 150;  // of sweeps without gain
constexpr int kPatience = 8;        // rounds without gain after which help comes from patches

}  // namespace

void Portfolio::prepare_sweeps() {
  if (!sweeper_ready_) sweeper_.prepare(scaled_, Order::index, settings_->tol > kRough ? kRoughSlip : kSlip);
  sweeper_ready_ = true;
}

// So many sweeps from r_.
void Portfolio::sweep(int sweeps, bool accelerated) {
  for (int k = 1; k <= sweeps; ++k) {
    if (k == 1) sweeper_.start(r_);  // each chunk afresh, so that rounding does not accumulate
    if (accelerated) before_ = r_;
    sweeper_.sweep(r_);
    if (accelerated && k < sweeps) sweeper_.accelerate(anderson_, before_, r_);
  }
  report_->iterations += sweeps;
}

// The same; returns the error there.
double Portfolio::sweep_chunk(int sweeps, bool accelerated) {
  sweep(sweeps, accelerated);
  scaled_.impulse_to_nodes(r_, z_);
  scaled_.velocity(z_, u_);
  const double error = scaled_.error(r_, u_);
  keep_if_better(r_, error, "nsgs");
  return error;
}

// A few sweeps mostly meet a rough tolerance, and are then measured once: as what is handed out.
bool Portfolio::sweep_roughly() {
  for (int k = 0; k < kRoughChunks && budget() >= kRoughChunk; ++k) {
    sweep(kRoughChunk, false);
    before_.swap(best_);
    best_ = r_;
    const bool good = judge();
    const double error = report_->errors.scaled;
    if (runs_away(r_) || (!good && !(error < best_error_))) {
      best_.swap(before_);
      moves_.reset();
      continue;
    }
    best_error_ = error;
    report_->method = "nsgs";
    if (good) return true;
  }
  if (best_error_ == kNone) {  // sweeps only ran away from a start that was not looked at
    judge();
    best_error_ = report_->errors.scaled;
  }
  return false;
}

bool Portfolio::sweep_and_patch() {
  r_ = best_;
  prepare_sweeps();
  if (settings_->tol > kRough && sweep_roughly()) return true;
  patches_.prepare(scaled_);
  return leap(true, budget());
}

// From r_. Accelerated chunks while each gains; then a step along the drift, or, if asked for and where those have
// brought nothing for a while, patches where the error is; each time the acceleration starts afresh. Ends without
// success after `most` iterations, or when the error has not fallen by a third in so many rounds.
bool Portfolio::leap(bool patches, int most) {
  prepare_sweeps();
  const int last_iteration = report_->iterations + std::min(most, budget()) - 2 * kShortChunk;
  const int rounds = patches ? kPatchRounds : kInsideRounds;
  double gained = best_error_;
  for (int since_gain = 0; since_gain < rounds && report_->iterations <= last_iteration;) {
    anderson_.reset(3 * scaled_.size());
    for (double last = kNone, error = kNone; budget() >= kShortChunk; last = error) {
      error = sweep_chunk(kShortChunk, true);
      if (best_error_ <= target_ && judge()) return true;
      if (error > kSlowChunk * last) break;
    }
    since_gain = best_error_ < 0.67 * gained ? 0 : since_gain + 1;
    if (since_gain == 0) gained = best_error_;
    if (patches && since_gain > 0 && since_gain % kPatience == 0) {
      const Patches::Outcome outcome = patches_.improve(target_, 1 << std::min(4, since_gain / (4 * kPatience)), r_);
      report_->iterations += outcome.newton_steps;
      report_->factorisations += outcome.factorisations;
      continue;
    }
    const double error = drift_.step(scaled_, sweeper_, kShortChunk / 2, r_, before_);
    report_->iterations += kShortChunk;
    keep_if_better(before_, error, "nsgs");
    if (best_error_ <= target_ && judge()) return true;
    if (runs_away(r_)) return false;
  }
  return false;
}

// Chunks of 20 sweeps; the first five are accelerated but for the last sweep of each. Goes on while the rest is
// predicted to take no more than `patience` sweeps.
bool Portfolio::sweep_chunks(int most, double patience) {
  prepare_sweeps();
  anderson_.reset(3 * scaled_.size());
  r_ = best_;
  double last = best_error_;
  for (int chunk = 0; chunk < most && budget() >= kChunk; ++chunk) {
    sweep_chunk(kChunk, chunk < kAcceleratedChunks);
    if (best_error_ <= target_ && judge()) return true;
    // The rate over the last chunks, so that one bad chunk does not end it.
    if (chunk % kAcceleratedChunks != kAcceleratedChunks - 1 && chunk != 1) continue;
    const double rate = std::log(last / best_error_) / (chunk == 1 ? 2 : kAcceleratedChunks);  // per chunk
    if (!(rate > 0 && kChunk * std::log(best_error_ / target_) <= patience * rate)) break;
    if (chunk > 1) last = best_error_;
  }
  return false;
}

bool Portfolio::sweep_plain() {
  prepare_sweeps();
  r_ = best_;
  gained_late_ = false;
  double reference = best_error_;
  for (int interval = kChunk; budget() > 0; interval = std::min(2 * interval, 500)) {
    const int sweeps = std::min(interval, budget());
    sweeper_.start(r_);
    double change = 0;
    for (int k = 0; k < sweeps; ++k) change = sweeper_.sweep(r_);
    report_->iterations += sweeps;
    scaled_.impulse_to_nodes(r_, z_);
    scaled_.velocity(z_, u_);
    keep_if_better(r_, scaled_.error(r_, u_), "nsgs");
    if (best_error_ <= target_ && judge()) return true;
    if (change <= 1e-32 * squared_norm(r_)) break;
    gained_late_ = best_error_ < 0.9 * reference;
    if (interval == 500 && !gained_late_) break;  // 500 sweeps for less than 10 %: cycling or infeasible
    reference = best_error_;
  }
  return judge();
}

// Where a factor is too dear to polish, a few sweeps keep a state at rest from creeping.
void Portfolio::sweep_on() {
  if (report_->method != "warm start") return;
  sweeper_.prepare(scaled_);
  r_ = best_;
  sweeper_.start(r_);
  for (int k = 0; k < 5; ++k) sweeper_.sweep(r_);
  report_->iterations += 5;
  scaled_.impulse_to_nodes(r_, z_);
  scaled_.velocity(z_, u_);
  keep_if_better(r_, scaled_.error(r_, u_), polished_warm_start);
}

}  // namespace vinculum::solvers
