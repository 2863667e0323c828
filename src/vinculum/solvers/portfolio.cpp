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
constexpr double kOverRelaxed = 1.3;    // splitting of walls: 64 steps instead of 75 for 5,050 boxes, 1.6 takes 70
constexpr double kWallTarget = 1e-5;    // of a wall met for the first time
constexpr double kUnchanged = 1e-28;    // squared: rounding
constexpr std::size_t kWall = 1000;     // blocks: below, sweeps solve a cold wall as soon

}  // namespace

bool runs_away(const std::vector<Vec3>& r) {
  constexpr double largest = 1e8;  // |r|/|c'|
  return !(squared_norm(r) < largest * largest);
}

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
  if (settings_->tol > kLoose && moves()) return !out_of_date();  // creep is the trouble of what rests
  return errors.over_c <= rounding_level();
}

// A warm start of what moves that meets a rough tolerance all the same. Where it is wrong at one contact, the same
// impulse would throw the same body again in every step.
bool Portfolio::out_of_date() { return settings_->tol > kRough && moves(); }

// The same known beforehand: then it need not be measured either.
bool Portfolio::is_swept_anyway() const {
  return settings_->tol > kRough && settings_->moving && scaled_.size() > kSmall && budget() >= kRoughChunk;
}

void Portfolio::keep_if_better(const std::vector<Vec3>& r, double error, std::string_view method) {
  if (!(error < best_error_) || runs_away(r)) return;
  best_error_ = error;
  best_ = r;
  moves_.reset();
  report_->method = method;
}

// Measures the best point.
bool Portfolio::judge() {
  scaled_.unscale(best_, solution_->Lambda);
  report_->errors = contact::measure(*problem_, solution_->Lambda, z_, solution_->xi);
  look_at_motion();
  return is_good();
}

bool Portfolio::is_good() {
  const contact::Errors& e = report_->errors;
  if (meets(e, settings_->tol, settings_->over_c)) return true;
  // Only over_c fails: impulses far above the free velocity ask for more than tol, by about the ratio of the two.
  if (e.scaled <= settings_->tol) target_ = std::min(target_, 0.9 * settings_->over_c * e.scaled / e.over_c);
  return false;
}

// At the point that was measured last, ξ = σ D⁻¹ u.
void Portfolio::look_at_motion() {
  u_.resize(scaled_.size());
  for (std::size_t i = 0; i < u_.size(); ++i) u_[i] = scaled_.d[i] / scaled_.sigma * solution_->xi[i];
  moves_ = is_moving(u_);
}

// At the best point.
bool Portfolio::moves() {
  if (moves_) return *moves_;
  scaled_.impulse_to_nodes(best_, z_);
  scaled_.velocity(z_, u_);
  moves_ = is_moving(u_);
  return *moves_;
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

// The warm start, made admissible; what is known of it holds if that changed no more than its last digits.
void Portfolio::judge_start(const contact::Errors* known) {
  scaled_.scale(solution_->Lambda, start_);
  r_ = start_;
  make_admissible(scaled_, start_);
  best_ = start_;
  moves_.reset();
  if (!known && is_swept_anyway()) {
    moves_ = true;
    best_error_ = kNone;
    return;
  }
  double change = 0;
  for (std::size_t i = 0; known && i < r_.size(); ++i) change += (r_[i] - start_[i]).squaredNorm();
  if (known && change <= kUnchanged * squared_norm(start_)) {
    report_->errors = *known;
    look_at_motion();
    is_good();
  } else {
    judge();
  }
  best_error_ = report_->errors.scaled;
}

void Portfolio::solve(const ContactProblem& problem, const Settings& settings, Solution& solution,
                      const contact::Errors* known) {
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
  judge_start(known);
  const bool looked = best_error_ < kNone;
  if (looked && accept_warm_start()) return;

  bool solved = looked && meets(report_->errors, settings.tol, settings.over_c) && !out_of_date();
  const bool polished = looked && !solved && polish_warm_start();
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
