// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/prox.hpp"

#include "vinculum/solvers/kernels.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::solvers {
namespace {

constexpr int kInnerSteps = 10;
constexpr double kSmallestAlpha = 1e-9, kLargestAlpha = 1e3;
constexpr double kRho[] = {3, 1, 5, 2};
// In hyperstatic faces impulses of order 1 answer velocities of order α: ρ must weigh them alike, or Newton decides
// which contacts open and slip by rounding noise of F. Larger shares of 1/α than 1 % make F too crooked.
constexpr double kRhoAlpha = 3e-3;
constexpr double kChord = 1e-2;  // of the error, left by one outer step

}  // namespace

// u(r) and the error there.
void ProxNewton::centre(const std::vector<Vec3>& r) {
  scaled_->impulse_to_nodes(r, z_);
  scaled_->velocity(z_, u_);
  error_ = scaled_->error(r, u_);
}

// |F|² at x + t dx; y_ and F_ are left there.
double ProxNewton::residual(const std::vector<Vec3>& r, double t) {
  double sum = 0;
  for (std::size_t i = 0; i < r.size(); ++i) {
    const Vec3 x = x_[i] + t * dx_[i];
    y_[i] = x - rho_ * (v_[i] + t * dv_[i] + alpha_ * (x - r[i]));
    F_[i] = x - scaled_->law[i]->project(y_[i], scaled_->mu[i]);
    sum += F_[i].squaredNorm();
  }
  return sum;
}

// D, E and S at the inner point, and the factors of I + Jᵀ S J.
bool ProxNewton::linearise() {
  const ScaledProblem& s = *scaled_;
  const double beta = 1 - rho_ * alpha_;
  for (std::size_t i = 0; i < s.size(); ++i) {
    D_[i] = s.law[i]->project_derivative(y_[i], s.mu[i]);
    if (D_[i].isZero(0)) {
      E_[i].setIdentity();
      S_[i].setZero();
    } else {
      E_[i] = (laws::Mat3::Identity() - beta * D_[i]).inverse();
      S_[i].noalias() = rho_ * (E_[i] * D_[i]);
    }
  }
  return matrix_->factor(S_, 1);
}

// dx and dv = J ζ from F at the inner point.
bool ProxNewton::direction() {
  const ScaledProblem& s = *scaled_;
  if (!chord_ && !linearise()) return false;
  std::fill(z_.begin(), z_.end(), 0.0);
  for (std::size_t i = 0; i < s.size(); ++i) {
    const Vec3 f = E_[i] * F_[i];
    for (int e = s.begin(i); e < s.end(i); ++e) {
      add_transposed(s.J_entry(e), -f[0], -f[1], -f[2], z_.data() + 6 * s.node(e));
    }
  }
  matrix_->solve(z_);
  for (std::size_t i = 0; i < s.size(); ++i) {
    RowSums sums;
    for (int e = s.begin(i); e < s.end(i); ++e) sums.add(s.J_entry(e), z_.data() + 6 * s.node(e));
    dv_[i] = Vec3(sums.row0(), sums.row1(), sums.row2());
    dx_[i] = -(E_[i] * (F_[i] + rho_ * (D_[i] * dv_[i])));
    if (!dx_[i].allFinite()) return false;
  }
  return true;
}

// Newton on F from x = r with ρ at most 1/α, nonmonotone over the last four, until |F| has fallen to a tenth
// and x is known to a hundredth of its step (what PC takes off x shows undiminished in the velocities).
bool ProxNewton::solve_inner(const std::vector<Vec3>& r, double alpha, double rho, int most_steps) {
  alpha_ = alpha;
  rho_ = std::min(rho, 1 / alpha);
  const std::size_t n = scaled_->size();
  x_ = r;
  v_ = u_;
  dx_.assign(n, Vec3::Zero());
  dv_.assign(n, Vec3::Zero());
  y_.resize(n);
  F_.resize(n);
  D_.resize(n);
  E_.resize(n);
  S_.resize(n);
  double merit = residual(r, 0);
  const double start = merit, floor = 1e-32 * std::max(1.0, rho_ * rho_) * (1 + squared_norm(r));
  // An error F in the inner problem is an error F/(ρα) in x, which must stay below the step.
  auto solved = [&] {
    if (merit <= floor) return true;
    if (merit > 0.01 * start) return false;
    double moved = 0;
    for (std::size_t i = 0; i < n; ++i) moved += (x_[i] - r[i]).squaredNorm();
    return merit <= 1e-4 * rho_ * rho_ * alpha * alpha * moved;
  };
  double history[4] = {merit, merit, merit, merit};
  for (inner_steps_ = 0; !solved();) {
    if (inner_steps_ == most_steps || !direction()) return false;
    ++inner_steps_;
    ++newton_steps;
    const double reference = *std::max_element(history, history + 4);
    double t = 1;
    for (;; t *= 0.5) {
      if (t < 1e-3) return false;
      merit = residual(r, t);
      if (merit < (1 - 2e-4 * t) * reference) break;
    }
    for (std::size_t i = 0; i < n; ++i) {
      x_[i] += t * dx_[i];
      v_[i] += t * dv_[i];
    }
    history[inner_steps_ % 4] = merit;
  }
  return true;
}

ProxNewton::Outcome ProxNewton::run(const ScaledProblem& scaled, BodyMatrix& matrix, const Limits& limits,
                                    std::vector<Vec3>& r) {
  scaled_ = &scaled;
  matrix_ = &matrix;
  newton_steps = 0;
  chord_ = false;
  Outcome outcome;
  r_ = r;
  centre(r_);
  outcome.error = error_;
  double rho = kRho[0];
  double alpha = limits.alpha, gained = error_;
  int since_gain = 0, failures = 0, restarts = 0;
  while (outcome.error > limits.target && newton_steps < limits.newton_steps) {
    const int most = std::min(kInnerSteps, limits.newton_steps - newton_steps);
    if (solve_inner(r_, alpha, std::max(rho, kRhoAlpha / alpha), most)) {
      for (std::size_t i = 0; i < r_.size(); ++i) r_[i] = scaled.law[i]->project(x_[i], scaled.mu[i]);
      centre(r_);
      if (inner_steps_ <= 3) alpha = std::max(kSmallestAlpha, alpha * (inner_steps_ <= 1 ? 0.2 : 0.5));
    } else {
      alpha *= 3;
      if (++failures > limits.failures || alpha > kLargestAlpha) {
        outcome.idle = true;
        break;
      }
    }
    if (error_ < outcome.error) {
      outcome.error = error_;
      r = r_;
    }
    if (outcome.error < 0.8 * gained) {
      gained = outcome.error;
      since_gain = failures = 0;
    } else if (++since_gain >= 300) {
      if (++restarts > 4) {
        outcome.idle = true;
        break;
      }
      since_gain = 0;
      alpha = 0.1;
      rho = kRho[restarts % 4];
    }
  }
  outcome.reached = outcome.error <= limits.target;
  outcome.newton_steps = newton_steps;
  return outcome;
}

double ProxNewton::polish(const ScaledProblem& scaled, BodyMatrix& matrix, int factorisations, double enough,
                          double enough_moving, std::vector<Vec3>& r) {
  scaled_ = &scaled;
  matrix_ = &matrix;
  newton_steps = 0;
  const int before = matrix.factorisations;
  r_ = r;
  centre(r_);
  if (enough_moving > enough && is_moving(u_)) enough = enough_moving;
  double best = error_;
  // From afar a weight as small as the error saves a step; what is solved already is done with fewer factors by 1e-4.
  double alpha = best > 1e-7 ? std::clamp(best, 1e-6, 1e-4) : 1e-4;
  chord_ = false;
  while (best > enough && newton_steps < 20) {
    const int left = factorisations - (matrix.factorisations - before);
    if (left < 0) break;
    if (!solve_inner(r_, alpha, kRho[0], std::max(1, left))) {
      if (!chord_) break;
      chord_ = false;
      continue;
    }
    for (std::size_t i = 0; i < r_.size(); ++i) r_[i] = scaled.law[i]->project(x_[i], scaled.mu[i]);
    centre(r_);
    const double ratio = error_ / best;
    if (error_ < best) {
      best = error_;
      r = r_;
    }
    // The error falls by α/(α + λ), λ the softest mode that matters: too little means α is too large for this problem.
    if (ratio > 0.5 && alpha < 1e-8) break;
    chord_ = ratio < kChord;  // what is linear to so much stays so: the factors serve again
    if (ratio > 0.1) alpha *= 1e-2;
    if (ratio > 1) break;
  }
  return best;
}

}  // namespace vinculum::solvers
