// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/prox.hpp"

#include "vinculum/solvers/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::solvers {
namespace {

constexpr int kInnerSteps = 10;
constexpr double kSmallestAlpha = 1e-9, kLargestAlpha = 1e3;

double squared_norm(const std::vector<double>& x) {
  double sum = 0;
  for (double v : x) sum += v * v;
  return sum;
}

}  // namespace

// u(r) and the error there.
void ProxNewton::centre(const std::vector<Vec3>& r) {
  scaled_->impulse_to_nodes(r, z_);
  scaled_->velocity(z_, u_);
  error_ = scaled_->error(r, u_);
}

// y = r − (u + J δ)/α,  p = PC(y),  G = δ − Jᵀ(p − r).
void ProxNewton::evaluate(const std::vector<Vec3>& r, const std::vector<double>& delta) {
  const ScaledProblem& s = *scaled_;
  G_ = delta;
  moved_ = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    const int begin = s.begin(i), end = s.end(i);
    RowSums sums;
    for (int e = begin; e < end; ++e) sums.add(s.J_entry(e), delta.data() + 6 * s.node(e));
    y_[i] = r[i] - (u_[i] + Vec3(sums.row0(), sums.row1(), sums.row2())) / alpha_;
    p_[i] = s.law[i]->project(y_[i], s.problem->mu[i]);
    const Vec3 step = p_[i] - r[i];
    moved_ += step.squaredNorm();
    for (int e = begin; e < end; ++e) {
      add_transposed(s.J_entry(e), -step[0], -step[1], -step[2], G_.data() + 6 * s.node(e));
    }
  }
  merit_ = squared_norm(G_);
}

// δ ← δ − t d with |G| below (1 − 1e-4 t) of the reference, t = 1, 1/2, ... 1e-3.
bool ProxNewton::search_line(const std::vector<Vec3>& r, double reference) {
  for (double t = 1; t > 1e-3; t *= 0.5) {
    for (std::size_t k = 0; k < delta_.size(); ++k) trial_[k] = delta_[k] - t * d_[k];
    evaluate(r, trial_);
    if (merit_ < (1 - 2e-4 * t) * reference) {
      delta_.swap(trial_);
      return true;
    }
  }
  return false;
}

// Newton on G from δ = 0, nonmonotone over the last four. True: p_ is r⁺ to a tenth of the step |r⁺ − r|.
bool ProxNewton::solve_inner(const std::vector<Vec3>& r, double alpha, int most_steps) {
  alpha_ = alpha;
  const std::size_t n = scaled_->size();
  delta_.assign(6 * scaled_->nodes(), 0.0);
  trial_.resize(delta_.size());
  y_.resize(n);
  p_.resize(n);
  D_.resize(n);
  evaluate(r, delta_);
  const double floor = 1e-30 * (1 + solvers::squared_norm(r));
  double history[4] = {merit_, merit_, merit_, merit_};
  for (inner_steps_ = 0; inner_steps_ < most_steps;) {
    if (merit_ <= floor || (inner_steps_ > 0 && merit_ <= 0.01 * alpha * alpha * moved_)) return true;
    for (std::size_t i = 0; i < n; ++i) D_[i] = scaled_->law[i]->project_derivative(y_[i], scaled_->problem->mu[i]);
    if (!matrix_->factor(D_, alpha)) return false;
    d_ = G_;
    matrix_->solve(d_);
    ++inner_steps_;
    ++newton_steps;
    if (!search_line(r, *std::max_element(history, history + 4))) return merit_ <= 1e4 * floor;
    history[inner_steps_ % 4] = merit_;
  }
  return merit_ <= 0.01 * alpha * alpha * moved_;
}

ProxNewton::Outcome ProxNewton::run(const ScaledProblem& scaled, BodyMatrix& matrix, const Limits& limits,
                                    std::vector<Vec3>& r) {
  scaled_ = &scaled;
  matrix_ = &matrix;
  newton_steps = 0;
  Outcome outcome;
  r_ = r;
  centre(r_);
  outcome.error = error_;
  double alpha = limits.alpha, gained = error_, last_error = error_;
  int since_gain = 0, slow = 0, failures = 0, restarts = 0;
  bool may_relax = true;
  while (outcome.error > limits.target && newton_steps < limits.newton_steps) {
    const int most = std::min(kInnerSteps, limits.newton_steps - newton_steps);
    if (solve_inner(r_, alpha, most)) {
      const bool relax = may_relax && slow >= 2;
      for (std::size_t i = 0; i < r_.size(); ++i) {
        r_[i] = relax ? scaled.law[i]->project(r_[i] + 1.3 * (p_[i] - r_[i]), scaled.problem->mu[i]) : p_[i];
      }
      centre(r_);
      slow = error_ > 0.3 * last_error ? slow + 1 : 0;
      last_error = error_;
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
      may_relax = false;
      alpha = 0.1;
    }
  }
  outcome.reached = outcome.error <= limits.target;
  outcome.newton_steps = newton_steps;
  return outcome;
}

double ProxNewton::polish(const ScaledProblem& scaled, BodyMatrix& matrix, int factorisations, std::vector<Vec3>& r) {
  scaled_ = &scaled;
  matrix_ = &matrix;
  newton_steps = 0;
  const int before = matrix.factorisations;
  r_ = r;
  centre(r_);
  double best = error_;
  double alpha = 1e-4;
  while (best > 1e-16 && newton_steps < 20) {
    const int left = factorisations - (matrix.factorisations - before);
    if (left < 0) break;
    if (!solve_inner(r_, alpha, std::max(1, left))) break;
    r_ = p_;
    centre(r_);
    const double ratio = error_ / best;
    if (error_ < best) {
      best = error_;
      r = r_;
    }
    // The error falls by α/(α + λ), λ the softest mode that matters: too little means α is too large for this problem.
    if (ratio > 0.5 && alpha < 1e-8) break;
    if (ratio > 0.1) alpha *= 1e-2;
    if (ratio > 1) break;
  }
  return best;
}

}  // namespace vinculum::solvers
