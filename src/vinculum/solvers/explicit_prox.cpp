// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/explicit_prox.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::solvers {
namespace {

constexpr int kInnerSteps = 10;
constexpr double kRho[] = {3, 1, 5, 2};
constexpr int kPatience = 300;    // outer steps without 20 % gain before a restart
constexpr int kRestarts = 8;      // twice through kRho
constexpr double kRelaxed = 1.3;  // over-relaxation where outer steps converge slowly
constexpr double kSmallestAlpha = 1e-12, kLargestAlpha = 1e6;

}  // namespace

// |F|² at x − t dx; point_ is left there.
template <int Rows>
double ContactProx<Rows>::residual(double t) {
  double sum = 0;
  for (std::size_t i = 0; i < space_->size(); ++i) {
    const std::size_t at = stride * i;
    double x[Rows], u[Rows];
    for (int k = 0; k < Rows; ++k) {
      x[k] = x_[at + k] - t * dx_[at + k];
      u[k] = v_[at + k] - t * dv_[at + k] + alpha_ * (x[k] - r_[at + k]);
    }
    sum += evaluate_law<Rows>(space_->mu_of(i), x, u, rho_, point_[i]);
  }
  return sum;
}

// dx with N dx = F, and dv = W dx.
template <int Rows>
bool ContactProx<Rows>::direction() {
  const ContactSpace<Rows>& s = *space_;
  matrix_->clear();
  double P[Rows * stride], Q[Rows * stride];
  for (std::size_t i = 0; i < s.size(); ++i) {
    const LawPoint<Rows>& point = point_[i];
    linearise_law<Rows>(s.mu_of(i), rho_, point, P, Q, stride);
    double* diagonal = matrix_->block(s.diagonal[i]);
    for (int k = 0; k < Rows * stride; ++k) diagonal[k] += Q[k] + alpha_ * P[k];
    if (point.closed) {
      for (int e = s.row[i]; e < s.row[i + 1]; ++e) {
        add_block_product<Rows, stride>(P, s.W_rows(e), matrix_->block(e));
      }
    }
    for (int k = 0; k < Rows; ++k) dx_[stride * i + k] = point.F[k];
    for (int k = Rows; k < stride; ++k) dx_[stride * i + k] = 0;
  }
  if (!matrix_->factor()) return false;
  matrix_->solve(dx_);
  for (double x : dx_) {
    if (!std::isfinite(x)) return false;
  }
  s.product(dx_, dv_);
  return true;
}

// Newton on F from x = r, nonmonotone over the last four, until |F| has fallen to a tenth.
template <int Rows>
bool ContactProx<Rows>::solve_inner(double alpha, double rho, int most_steps) {
  alpha_ = alpha;
  rho_ = rho;
  x_ = r_;
  v_ = u_;
  std::fill(dx_.begin(), dx_.end(), 0.0);
  std::fill(dv_.begin(), dv_.end(), 0.0);
  double merit = residual(0);
  const double target = 0.01 * merit;
  double history[4] = {merit, merit, merit, merit};
  for (inner_steps_ = 0; merit > target;) {
    if (inner_steps_ == most_steps || !direction()) return false;
    ++inner_steps_;
    const double reference = *std::max_element(history, history + 4);
    double t = 1;
    for (;; t *= 0.5) {
      if (t < 1e-3) return false;
      merit = residual(t);
      if (merit < (1 - 1e-4 * t) * (1 - 1e-4 * t) * reference) break;
    }
    for (std::size_t k = 0; k < x_.size(); ++k) {
      x_[k] -= t * dx_[k];
      v_[k] -= t * dv_[k];
    }
    history[inner_steps_ % 4] = merit;
  }
  return true;
}

template <int Rows>
typename ContactProx<Rows>::Outcome ContactProx<Rows>::run(const ContactSpace<Rows>& space, ContactMatrix<Rows>& matrix,
                                                           const Limits& limits, std::vector<double>& r) {
  space_ = &space;
  matrix_ = &matrix;
  point_.resize(space.size());
  dx_.assign(space.numbers(), 0.0);
  dv_.assign(space.numbers(), 0.0);
  r_ = r;
  space.velocity(r_, u_);
  Outcome outcome;
  outcome.errors = space.errors(r_, u_);
  double best = outcome.errors.miss(limits.aim);
  double alpha = limits.alpha, rho = kRho[0], last = best, gained = best;
  int slow = 0, since_gain = 0, restarts = 0, failures = 0;
  for (int outer = 0; outer < limits.outer && best > 1; ++outer) {
    const int most = std::min(kInnerSteps, limits.newton_steps - outcome.newton_steps);
    if (most <= 0) break;
    const bool converged = solve_inner(alpha, rho, most);
    outcome.newton_steps += inner_steps_;
    if (converged) {
      const bool relaxed = slow >= 2 && restarts == 0;
      for (std::size_t k = 0; k < r_.size(); ++k) r_[k] = relaxed ? r_[k] + kRelaxed * (x_[k] - r_[k]) : x_[k];
      space.project(r_);
      space.velocity(r_, u_);
      const typename ContactSpace<Rows>::Errors errors = space.errors(r_, u_);
      const double error = errors.miss(limits.aim);
      slow = error > 0.3 * last ? slow + 1 : 0;
      last = error;
      if (inner_steps_ <= 3) alpha = std::max(kSmallestAlpha, 0.5 * alpha);
      if (error < best) {
        best = error;
        outcome.errors = errors;
        r = r_;
      }
    } else {
      alpha = std::min(kLargestAlpha, 3 * alpha);
      if (++failures > limits.failures) break;
    }
    if (best < 0.8 * gained) {
      gained = best;
      since_gain = 0;
    } else if (++since_gain >= kPatience) {
      if (++restarts > kRestarts) {
        outcome.idle = true;
        break;
      }
      since_gain = slow = 0;
      rho = kRho[restarts % 4];
      alpha = 0.1;
    }
  }
  outcome.reached = best <= 1;
  outcome.alpha = alpha;
  return outcome;
}

template class ContactProx<3>;
template class ContactProx<5>;

}  // namespace vinculum::solvers
