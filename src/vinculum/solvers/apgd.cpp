// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Projected gradient with Nesterov's acceleration, backtracking and adaptive restart (Mazhar, Heyn, Negrut & Tasora
// 2015; O'Donoghue & Candès 2015), matrix-free: one product with W per trial.
//   g = W y + q + s n,   r⁺ = P_K(y − g/L),   d = r⁺ − y,   L doubled until dᵀ W d ≤ L |d|², and let down a little
//   after θ⁺ = θ (√(θ² + 4) − θ)/2,   y ← r⁺ + θ(1 − θ)/(θ² + θ⁺) (r⁺ − r),   from the start again where gᵀ(r⁺ − r) > 0
// That solves the convex relaxation for a shift s. De Saxcé's shift s = μ |u_T| is renewed at r⁺ in every iteration.
#include "vinculum/solvers/explicit_run.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::solvers {
namespace {

constexpr int kCheck = 20;

template <int Rows>
struct Apgd {
  static constexpr bool rolling = true;
  static constexpr int stride = ContactSpace<Rows>::stride;

  void run(ContactRun<Rows>& run);

 private:
  void step(const ContactSpace<Rows>& s);
  void renew_shift(const ContactSpace<Rows>& s);

  double L_ = 1, theta_ = 1;
  std::vector<double> r_, Wr_, y_, Wy_, next_, d_, Wd_, g_, shift_, point_;
};

// s from u = W r + q.
template <int Rows>
void Apgd<Rows>::renew_shift(const ContactSpace<Rows>& s) {
  for (std::size_t i = 0; i < s.size(); ++i) {
    shift_[i] = 0;
    for (int g = 0; g < ContactSpace<Rows>::groups; ++g) {
      const std::size_t at = stride * i + 1 + 2 * static_cast<std::size_t>(g);
      shift_[i] += s.mu(i, g) * std::hypot(Wr_[at] + s.q[at], Wr_[at + 1] + s.q[at + 1]);
    }
  }
}

template <int Rows>
void Apgd<Rows>::step(const ContactSpace<Rows>& s) {
  for (std::size_t k = 0; k < g_.size(); ++k) g_[k] = Wy_[k] + s.q[k];
  for (std::size_t i = 0; i < s.size(); ++i) g_[stride * i] += shift_[i];
  for (;; L_ *= 2) {
    for (std::size_t k = 0; k < g_.size(); ++k) next_[k] = y_[k] - g_[k] / L_;
    s.project(next_);
    double square = 0, curvature = 0;
    for (std::size_t k = 0; k < g_.size(); ++k) d_[k] = next_[k] - y_[k];
    s.product(d_, Wd_);
    for (std::size_t k = 0; k < g_.size(); ++k) {
      square += d_[k] * d_[k];
      curvature += d_[k] * Wd_[k];
    }
    if (!(curvature > L_ * square) || L_ > 1e12) break;
  }
  double along = 0;
  for (std::size_t k = 0; k < g_.size(); ++k) along += g_[k] * (next_[k] - r_[k]);
  const bool restart = along > 0;
  const double theta = restart ? 1.0 : 0.5 * theta_ * (std::sqrt(theta_ * theta_ + 4) - theta_);
  const double beta = restart ? 0.0 : theta_ * (1 - theta_) / (theta_ * theta_ + theta);
  theta_ = theta;
  for (std::size_t k = 0; k < g_.size(); ++k) {
    const double W_next = Wy_[k] + Wd_[k];
    y_[k] = next_[k] + beta * (next_[k] - r_[k]);
    Wy_[k] = W_next + beta * (W_next - Wr_[k]);
    r_[k] = next_[k];
    Wr_[k] = W_next;
  }
  L_ *= 0.98;
}

template <int Rows>
void Apgd<Rows>::run(ContactRun<Rows>& run) {
  const ContactSpace<Rows>& s = run.space;
  r_ = y_ = run.best();
  for (std::vector<double>* x : {&next_, &d_, &g_}) x->assign(s.numbers(), 0.0);
  shift_.assign(s.size(), 0.0);
  s.product(r_, Wr_);
  Wy_ = Wr_;
  L_ = theta_ = 1;
  while (!run.solved() && run.next()) {
    renew_shift(s);
    step(s);
    if (run.iterations() % kCheck != 0 && run.left() > 0) continue;
    point_ = r_;
    run.judge(point_, "apgd");
    s.product(r_, Wr_);  // rounding of the updates
    s.product(y_, Wy_);
  }
}

}  // namespace

std::unique_ptr<ExplicitSolver> make_explicit_apgd() { return std::make_unique<FramedSolver<Apgd>>(); }

}  // namespace vinculum::solvers
