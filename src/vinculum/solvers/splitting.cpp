// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/splitting.hpp"

#include "vinculum/solvers/kernels.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::solvers {

// p = PC(y); z by the factor; y += ω (p − u/α − y).
bool Splitting::step(double omega) {
  const ScaledProblem& s = *scaled_;
  std::fill(z_.begin(), z_.end(), 0.0);
  const double inverse = 1 / alpha_;
  for (std::size_t i = 0; i < s.size(); ++i) {
    p_[i] = s.law[i]->project(y_[i], s.mu[i]);
    const Vec3 x = 2 * p_[i] - y_[i] - s.c[i] * inverse;
    for (int e = s.begin(i); e < s.end(i); ++e) {
      add_transposed(s.J_entry(e), x[0], x[1], x[2], z_.data() + 6 * s.node(e));
    }
  }
  if (!matrix_->factor(D_, alpha_)) return false;
  matrix_->solve(z_);
  s.velocity(z_, u_);
  for (std::size_t i = 0; i < s.size(); ++i) y_[i] += omega * (p_[i] - u_[i] * inverse - y_[i]);
  return true;
}

// Compares how far impulses and velocities moved since the last call; true when α changed.
bool Splitting::balance() {
  double dp = 0, dw = 0;
  for (std::size_t i = 0; i < p_.size(); ++i) {
    const Vec3 w = alpha_ * (p_[i] - y_[i]);
    dp += (p_[i] - p_last_[i]).squaredNorm();
    dw += (w - w_last_[i]).squaredNorm();
    p_last_[i] = p_[i];
    w_last_[i] = w;
  }
  if (!(dp > 0 && dw > 0)) return false;
  const double q = alpha_ * std::sqrt(dp / dw);
  const double factor = q > 5 ? 1.0 / 3 : q < 0.2 ? 3.0 : 1.0;
  if (factor == 1) return false;
  alpha_ *= factor;
  for (std::size_t i = 0; i < p_.size(); ++i) y_[i] = p_[i] - w_last_[i] / alpha_;
  return true;
}

double Splitting::error_of_p() {
  scaled_->impulse_to_nodes(p_, z_);
  scaled_->velocity(z_, u_);
  return scaled_->error(p_, u_);
}

Splitting::Outcome Splitting::run(const ScaledProblem& scaled, BodyMatrix& matrix, const Limits& limits,
                                  std::vector<Vec3>& r) {
  scaled_ = &scaled;
  matrix_ = &matrix;
  alpha_ = limits.alpha;
  const std::size_t n = scaled.size();
  D_.assign(n, laws::Mat3::Identity());
  z_.resize(6 * scaled.nodes());
  y_ = p_ = p_last_ = r;
  w_last_.assign(n, Vec3::Zero());
  Outcome outcome;
  outcome.error = error_of_p();
  double halved = outcome.error;
  int halved_at = 0;
  while (outcome.steps < limits.steps && outcome.error > limits.target) {
    if (!step(limits.omega)) break;
    const int k = ++outcome.steps;
    if (k % 4 == 0 || k == limits.steps || k == 1) {
      const double error = error_of_p();
      if (error < outcome.error) {
        outcome.error = error;
        r = p_;
      }
      if (outcome.error < 0.5 * halved) {
        halved = outcome.error;
        halved_at = k;
      }
      if (k - halved_at > limits.patience) break;
    }
    if (limits.balance_every > 0 && k % limits.balance_every == 0) balance();
  }
  outcome.reached = outcome.error <= limits.target;
  return outcome;
}

}  // namespace vinculum::solvers
