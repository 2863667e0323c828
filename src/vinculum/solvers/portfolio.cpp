// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/portfolio.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::solvers {
namespace {

constexpr double kCheapFlops = 5e4;     // of a factorisation per block: stacks, walls, small problems
constexpr double kBearableFlops = 1e6;  // worth trying before thousands of sweeps
constexpr int kChunk = 20;
constexpr int kAcceleratedChunks = 5;  // on long runs acceleration can cycle
constexpr double kOverRelaxed = 1.3;   // splitting of walls: 64 steps instead of 75 for 5,050 boxes, 1.6 takes 70
constexpr double kWallTarget = 1e-5;   // of a wall met for the first time
constexpr std::size_t kWall = 1000;    // blocks: below, sweeps solve a cold wall as soon
constexpr double kRough = 1e-3;        // a tolerance above it takes a few plain sweeps
constexpr int kRoughChunk = 4, kRoughChunks = 3;
constexpr int kShortChunk = 10;     // sweeps, in heaps
constexpr double kSlowChunk = 0.8;  // a chunk that leaves more of the error than this gets help
constexpr int kPatchRounds = 48;    // of sweeps with help without gain
constexpr int kInsideTurns = 2;     // of sweeps and Newton after an interior point from far inside
constexpr int kInsideRounds = 150;  // of sweeps without gain
constexpr int kPatience = 8;        // rounds without gain after which help comes from patches
constexpr double kNone = std::numeric_limits<double>::infinity();
constexpr double kLargest = 1e8;  // |r|/|c'|
constexpr int kPolish = 6;        // factorisations
constexpr double kRounding = 1e-16;
constexpr std::size_t kSmall = 32;  // blocks, that cost nothing
constexpr double kLoose = 1e-7;     // a tolerance above it is reached by sweeps sooner than by Newton steps

// Impulses of a contradiction grow without end, by long steps fast: c is lost in their rounding, and with it the error.
bool runs_away(const std::vector<Vec3>& r) { return !(squared_norm(r) < kLargest * kLargest); }

}  // namespace

// What rounding alone can make of the natural map over |c'|:  ε (|J'| |J'|ᵀ |r| + |c'| + |r|), in the same norm.
double Portfolio::rounding_level() {
  bound_.assign(6 * scaled_.nodes(), 0.0);
  for (std::size_t i = 0; i < scaled_.size(); ++i) {
    for (int e = scaled_.begin(i); e < scaled_.end(i); ++e) {
      const double* J = scaled_.J_entry(e);
      double* z = bound_.data() + 6 * scaled_.node(e);
      for (int k = 0; k < 18; ++k) z[k % 6] += std::abs(J[k] * best_[i][k / 6]);
    }
  }
  double sum = 0;
  for (std::size_t i = 0; i < scaled_.size(); ++i) {
    for (int row = 0; row < 3; ++row) {
      double bound = std::abs(scaled_.c[i][row]) + std::abs(best_[i][row]);
      for (int e = scaled_.begin(i); e < scaled_.end(i); ++e) {
        const double* J = scaled_.J_entry(e) + 6 * row;
        const double* z = bound_.data() + 6 * scaled_.node(e);
        for (int k = 0; k < 6; ++k) bound += std::abs(J[k]) * z[k];
      }
      sum += bound * bound;
    }
  }
  return std::numeric_limits<double>::epsilon() * std::sqrt(sum);
}

bool Portfolio::accept_warm_start() {
  const contact::Errors& errors = report_->errors;
  if (!meets(errors, settings_->tol, settings_->over_c)) return false;
  if (!settings_->polish || errors.over_c <= kRest) return true;
  if (settings_->tol > kLoose && moves()) return true;  // creep is the trouble of what rests
  return errors.over_c <= rounding_level();
}

void Portfolio::keep_if_better(const std::vector<Vec3>& r, double error, std::string_view method) {
  if (!(error < best_error_) || runs_away(r)) return;
  best_error_ = error;
  best_ = r;
  report_->method = method;
}

// Measures the best point.
bool Portfolio::judge() {
  scaled_.unscale(best_, solution_->Lambda);
  report_->errors = contact::measure(*problem_, solution_->Lambda, z_, solution_->xi);
  const contact::Errors& e = report_->errors;
  if (meets(e, settings_->tol, settings_->over_c)) return true;
  // Only over_c fails: impulses far above the free velocity ask for more than tol.
  if (e.scaled <= settings_->tol) target_ = std::min(target_, 0.5 * settings_->over_c * e.scaled / e.over_c);
  return false;
}

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

// So many sweeps from r_; returns the error there.
double Portfolio::sweep_chunk(int sweeps, bool accelerated) {
  for (int k = 1; k <= sweeps; ++k) {
    if (k == 1) sweeper_.start(r_);  // each chunk afresh, so that rounding does not accumulate
    if (accelerated) before_ = r_;
    sweeper_.sweep(r_);
    if (accelerated && k < sweeps) sweeper_.accelerate(anderson_, before_, r_);
  }
  report_->iterations += sweeps;
  scaled_.impulse_to_nodes(r_, z_);
  scaled_.velocity(z_, u_);
  const double error = scaled_.error(r_, u_);
  keep_if_better(r_, error, "nsgs");
  return error;
}

bool Portfolio::sweep_and_patch() {
  patches_.prepare(scaled_);
  r_ = best_;
  if (!sweeper_ready_) sweeper_.prepare(scaled_);
  sweeper_ready_ = true;
  for (int k = 0; k < kRoughChunks && settings_->tol > kRough && budget() >= kRoughChunk; ++k) {
    sweep_chunk(kRoughChunk, false);
    if (best_error_ <= target_ && judge()) return true;
  }
  return leap(true, budget());
}

// From r_. Accelerated chunks while each gains; then a step along the drift, or, if asked for and where those have
// brought nothing for a while, patches where the error is; each time the acceleration starts afresh. Ends without
// success after `most` iterations, or when the error has not fallen by a third in so many rounds.
bool Portfolio::leap(bool patches, int most) {
  if (!sweeper_ready_) sweeper_.prepare(scaled_);
  sweeper_ready_ = true;
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
  if (!sweeper_ready_) sweeper_.prepare(scaled_);
  sweeper_ready_ = true;
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
  if (!sweeper_ready_) sweeper_.prepare(scaled_);
  sweeper_ready_ = true;
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

// |u| > |c'|/1000 at the best point: not at rest, whatever the tolerance.
bool Portfolio::moves() {
  scaled_.impulse_to_nodes(best_, z_);
  scaled_.velocity(z_, u_);
  return squared_norm(u_) > 1e-6;
}

// A few Newton steps towards rounding, then steps with small α from there.
void Portfolio::polish() {
  const std::string_view method = report_->method == "warm start" ? polished_warm_start : report_->method;
  r_ = best_;
  double error = newton_.polish(scaled_, matrix_, kPolish, kRounding, r_);
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
  error = newton_.polish(scaled_, matrix_, kPolish, kRounding, r_);
  report_->iterations += newton_.newton_steps;
  keep_if_better(r_, error, method);
}

// Near the solution polishing alone is the shortest way there. What moves needs no more than to look at rest.
bool Portfolio::polish_warm_start() {
  const bool near = best_error_ < 0.1 && squared_norm(start_) > 0;
  const bool sharp = settings_->tol <= kLoose || scaled_.size() <= kSmall;
  if (!settings_->polish || !near || !sharp || !factors_are_cheap()) return false;
  const double enough = moves() ? kRest : kRounding;
  r_ = best_;
  keep_if_better(r_, newton_.polish(scaled_, matrix_, kPolish, enough, r_), "prox_newton");
  report_->iterations += newton_.newton_steps;
  return judge();
}

Vec3 solve_alone(const ContactProblem& problem, std::size_t i, const Vec3& guess) {
  laws::Mat3 G = laws::Mat3::Zero();
  for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) G += problem.J[e] * problem.J[e].transpose();
  return laws::law_of(problem.law[i]).solve_local(G, problem.c[i], problem.mu[i], guess);
}

void Portfolio::solve_one() {
  solution_->Lambda[0] = solve_alone(*problem_, 0, solution_->Lambda[0]);
  report_->iterations = 1;
  report_->method = "local";
  report_->errors = contact::measure(*problem_, solution_->Lambda, z_, solution_->xi);
  report_->status = meets(report_->errors, settings_->tol, settings_->over_c) ? Status::solved : Status::stalled;
}

void Portfolio::solve(const ContactProblem& problem, const Settings& settings, Solution& solution) {
  problem_ = &problem;
  settings_ = &settings;
  solution_ = &solution;
  report_ = &solution.report;
  *report_ = {};
  if (problem.size() == 1) return solve_one();
  report_->method = "warm start";
  sweeper_ready_ = matrix_ready_ = gained_late_ = false;
  target_ = settings.tol;
  scaled_.build(problem);
  scaled_.scale(solution.Lambda, start_);
  make_admissible(scaled_, start_);
  best_ = start_;
  judge();
  best_error_ = report_->errors.scaled;
  if (accept_warm_start()) return;

  bool solved = meets(report_->errors, settings.tol, settings.over_c);
  const bool polished = !solved && polish_warm_start();
  solved = solved || polished;
  if (!solved && settings.tol > kLoose && moves()) {
    // A large one met for the first time may be a wall, which rests once it is solved: splitting does that.
    // (Without friction, as in every projection, sweeps are sooner.)
    const bool friction = std::find(problem.law.begin(), problem.law.end(), laws::Kind::coulomb) != problem.law.end();
    const bool wall = problem.size() > kWall && friction && squared_norm(start_) == 0 && factors_are_cheap();
    // Solved well enough to be seen at rest, which pays in every step that follows.
    if (wall && !solved) solved = split(1e-4, kOverRelaxed, 80, std::min(target_, kWallTarget));
    // A heap that moves: not even the order of a factorisation is needed.
    if (!solved) solved = sweep_and_patch();
  }
  if (!solved) solved = solve_by_factors();
  if (solved && !polished && settings.polish && (!moves() || problem.size() <= kSmall)) {
    factors_are_cheap() ? polish() : sweep_on();
    judge();
  }
  if (matrix_ready_) report_->factorisations += matrix_.factorisations;
  report_->status = solved ? Status::solved : gained_late_ || budget() <= 0 ? Status::exhausted : Status::stalled;
}

bool Portfolio::factors_are_cheap() {
  if (!matrix_ready_) matrix_.prepare(scaled_, kBearableFlops);
  matrix_ready_ = true;
  return matrix_.flops() <= kCheapFlops * static_cast<double>(scaled_.size());
}

// Stages with factors of the whole, and sweeps in between.
bool Portfolio::solve_by_factors() {
  const bool cheap = factors_are_cheap(), loose = settings_->tol > kLoose;
  const double blocks = static_cast<double>(scaled_.size());
  const bool bearable = matrix_.flops() <= kBearableFlops * blocks;
  const bool started = squared_norm(start_) > 0;
  const bool warm = started && best_error_ < 0.1;
  if (loose && !cheap && sweep_and_patch()) return true;
  if (cheap && warm && newton(best_, std::clamp(best_error_, 1e-6, 0.1), best_error_ < 1e-3 ? 8 : 4)) return true;
  if (cheap && started && moves()) {
    if (interior(40, false)) return true;
    if (newton(best_, 1e-3, 400)) return true;
  }
  if (cheap && split(1e-4, scaled_.size() > kWall ? kOverRelaxed : 1, 80, target_)) return true;
  if (!loose && sweep_chunks(5, cheap ? 60 : 1e9)) return true;
  if (cheap && !warm && newton(start_, 0.1, 30)) return true;
  if (!loose && !cheap && warm) {
    r_ = best_;
    if (leap(false, 2000)) return true;
  }
  if (!loose && !cheap && bearable && from_inside()) return true;
  if (bearable && (loose || cheap) && interior(40, !cheap)) return true;
  const bool small = scaled_.size() <= kWall;
  if (!loose && cheap && small && from_inside()) return true;
  if (bearable && newton(best_, 1e-2, cheap ? 600 : 30)) return true;
  if (!loose && cheap && !small && from_inside()) return true;
  if (bearable && split(0.03, 1.6, 400, target_)) return true;
  if (cheap && newton(best_, 1e-2, 600)) return true;
  return sweep_plain();
}

}  // namespace vinculum::solvers
