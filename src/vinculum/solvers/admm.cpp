// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// ADMM (Douglas-Rachford) on  ½ rᵀ W r + (q + s n)ᵀ r + I_K(z),  r = z,  with De Saxcé's shift s = μ |u_T| renewed in
// every iteration from the multiplier, which carries the velocity: −w = u + s n ∈ K*.
//   (W + ρ I) r = ρ z − w − q − s n
//   y = ω r + (1 − ω) z + w/ρ,   z ← P_K(y),   w ← ρ (y − z)
// One factor of W + ρ I is kept as long as ρ stays. ρ balances the residuals |r − z| and |Δz| (He, Yang & Wang 2000);
// checks grow apart, so that ρ settles and the method converges as for fixed ρ where it does.
#include "vinculum/solvers/explicit_run.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::solvers {
namespace {

constexpr double kRelaxation = 1.6;
constexpr double kUnbalanced = 5, kFactor = 3;
constexpr int kFirstCheck = 10;

template <int Rows>
struct Admm {
  static constexpr bool rolling = true;
  static constexpr int stride = ContactSpace<Rows>::stride;

  void run(ContactRun<Rows>& run);

 private:
  bool factor(ContactRun<Rows>& run);
  void step(ContactRun<Rows>& run);

  double rho_ = 1, primal_ = 0, dual_ = 0;
  std::vector<double> r_, z_, w_, point_;
};

template <int Rows>
bool Admm<Rows>::factor(ContactRun<Rows>& run) {
  const ContactSpace<Rows>& s = run.space;
  ContactMatrix<Rows>& matrix = run.matrix();
  matrix.clear();
  for (std::size_t i = 0; i < s.size(); ++i) {
    for (int e = s.row[i]; e < s.row[i + 1]; ++e) {
      std::copy_n(s.W_rows(e), ContactSpace<Rows>::block_size, matrix.block(e));
    }
    for (int k = 0; k < Rows; ++k) matrix.block(s.diagonal[i])[stride * k + k] += rho_;
  }
  return matrix.factor();
}

template <int Rows>
void Admm<Rows>::step(ContactRun<Rows>& run) {
  const ContactSpace<Rows>& s = run.space;
  for (std::size_t i = 0; i < s.size(); ++i) {
    const std::size_t at = stride * i;
    for (std::size_t k = at; k < at + stride; ++k) r_[k] = rho_ * z_[k] - w_[k] - s.q[k];
    for (int g = 0; g < ContactSpace<Rows>::groups; ++g) {
      const double* w_T = w_.data() + at + 1 + 2 * g;
      r_[at] -= s.mu(i, g) * std::sqrt(w_T[0] * w_T[0] + w_T[1] * w_T[1]);
    }
  }
  run.matrix().solve(r_);
  primal_ = dual_ = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    double y[stride] = {}, z[stride] = {};
    for (int k = 0; k < Rows; ++k) {
      const std::size_t at = stride * i + static_cast<std::size_t>(k);
      y[k] = z[k] = kRelaxation * r_[at] + (1 - kRelaxation) * z_[at] + w_[at] / rho_;
    }
    s.project_block(i, z);
    for (int k = 0; k < Rows; ++k) {
      const std::size_t at = stride * i + static_cast<std::size_t>(k);
      primal_ += (r_[at] - z[k]) * (r_[at] - z[k]);
      dual_ += (z[k] - z_[at]) * (z[k] - z_[at]);
      z_[at] = z[k];
      w_[at] = rho_ * (y[k] - z[k]);
    }
  }
}

template <int Rows>
void Admm<Rows>::run(ContactRun<Rows>& run) {
  const ContactSpace<Rows>& s = run.space;
  rho_ = 1;
  z_ = run.best();
  r_ = z_;
  s.velocity(z_, w_);
  for (std::size_t i = 0; i < s.size(); ++i) {
    double* w = w_.data() + stride * i;
    for (int g = 0; g < ContactSpace<Rows>::groups; ++g) w[0] += s.mu(i, g) * std::hypot(w[1 + 2 * g], w[2 + 2 * g]);
    for (int k = 0; k < Rows; ++k) w[k] = -w[k];
  }
  if (!factor(run)) return run.give_up();
  int next_balance = kFirstCheck, interval = kFirstCheck;
  while (!run.solved() && run.next()) {
    step(run);
    const int k = run.iterations();
    if (k % kFirstCheck == 0 || run.left() == 0) {
      point_ = z_;
      run.judge(point_, "admm");
    }
    if (k != next_balance) continue;
    const double ratio = std::sqrt(primal_) / std::max(std::sqrt(dual_), 1e-300);
    const double before = rho_;
    if (ratio > kUnbalanced) rho_ = std::min(1e8, kFactor * rho_);
    if (ratio < 1 / kUnbalanced) rho_ = std::max(1e-8, rho_ / kFactor);
    if (rho_ != before && !factor(run)) return run.give_up();
    interval += interval / 4;
    next_balance += interval;
  }
}

}  // namespace

std::unique_ptr<ExplicitSolver> make_explicit_admm() { return std::make_unique<FramedSolver<Admm>>(); }

}  // namespace vinculum::solvers
