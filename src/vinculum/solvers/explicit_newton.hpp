// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Damped semi-smooth Newton in contact space on F(r, W r + q) = 0 for a law written as equations, dF = P du + Q dr:
//   (P (W + α I) + Q) d = F,   r ← r − t d,   merit ½|F|²
// Globalisation: α = min(0.1, |F|) keeps the matrix regular where impulses are not unique and vanishes with the
// residual (fast end as without it). t is halved until the merit falls below the largest of the last four (Grippo,
// Lampariello & Lucidi 1986). Where no t ≥ 2⁻¹⁰ does, α is raised tenfold; after three such the step is along the
// gradient
//   ∇½|F|² = (Wᵀ Pᵀ + Qᵀ) F,
// and where the merit, which is not smooth, does not fall along that either, a projected step r ← P_K(r − u − s n) is
// taken as it is. A law offers
//   Point; double evaluate(mu, r, u, Point&) -> |F|²; void linearise(mu, Point, P, Q, stride); void restart(merit)
// and keeps its parameters; restart() is called at every accepted point and may change them (then returns true).
#pragma once

#include "vinculum/solvers/explicit_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::solvers {

template <int Rows, class Law>
class DampedNewton {
 public:
  static constexpr int stride = ContactSpace<Rows>::stride;

  /// From the best point so far until solved, out of budget or without hope.
  void run(ContactRun<Rows>& run, Law& law, std::string_view name) { start(run, law, name, run.best(), kPatience); }
  /// From x. Without hope: `patience` iterations did not reduce the error by 10 %.
  void start(ContactRun<Rows>& run, Law& law, std::string_view name, const std::vector<double>& x, int patience);

 private:
  static constexpr int kMemory = 4, kHalvings = 10, kRaises = 3, kPatience = 160;

  double residual(double t);
  bool direction(double alpha);
  void gradient();
  bool search(double reference, double slope, int halvings);
  void move(double t);
  void projected_step();

  ContactRun<Rows>* run_ = nullptr;
  Law* law_ = nullptr;
  std::vector<double> x_, u_, dx_, dv_;
  std::vector<typename Law::Point> point_;
};

// |F|² at x − t dx; point_ is left there.
template <int Rows, class Law>
double DampedNewton<Rows, Law>::residual(double t) {
  const ContactSpace<Rows>& s = run_->space;
  double sum = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    double x[Rows], u[Rows];
    for (int k = 0; k < Rows; ++k) {
      const std::size_t at = stride * i + static_cast<std::size_t>(k);
      x[k] = x_[at] - t * dx_[at];
      u[k] = u_[at] - t * dv_[at];
    }
    sum += law_->evaluate(s.mu_of(i), x, u, point_[i]);
  }
  return sum;
}

template <int Rows, class Law>
bool DampedNewton<Rows, Law>::direction(double alpha) {
  const ContactSpace<Rows>& s = run_->space;
  ContactMatrix<Rows>& matrix = run_->matrix();
  matrix.clear();
  double P[Rows * stride], Q[Rows * stride];
  for (std::size_t i = 0; i < s.size(); ++i) {
    law_->linearise(s.mu_of(i), point_[i], P, Q, stride);
    double* diagonal = matrix.block(s.diagonal[i]);
    for (int k = 0; k < Rows * stride; ++k) diagonal[k] += Q[k] + alpha * P[k];
    for (int e = s.row[i]; e < s.row[i + 1]; ++e) {
      const double* W = s.W_rows(e);
      double* to = matrix.block(e);
      for (int a = 0; a < Rows; ++a) {
        for (int p = 0; p < Rows; ++p) {
          const double f = P[stride * a + p];
          for (int b = 0; f != 0 && b < Rows; ++b) to[stride * a + b] += f * W[stride * p + b];
        }
      }
    }
    for (int k = 0; k < stride; ++k) dx_[stride * i + k] = k < Rows ? point_[i].F[k] : 0.0;
  }
  if (!matrix.factor()) return false;
  matrix.solve(dx_);
  for (double d : dx_) {
    if (!std::isfinite(d)) return false;
  }
  s.product(dx_, dv_);
  return true;
}

template <int Rows, class Law>
void DampedNewton<Rows, Law>::gradient() {
  const ContactSpace<Rows>& s = run_->space;
  std::fill(dx_.begin(), dx_.end(), 0.0);
  double P[Rows * stride], Q[Rows * stride];
  for (std::size_t i = 0; i < s.size(); ++i) {
    law_->linearise(s.mu_of(i), point_[i], P, Q, stride);
    double PF[Rows] = {};
    for (int a = 0; a < Rows; ++a) {
      for (int b = 0; b < Rows; ++b) {
        PF[b] += P[stride * a + b] * point_[i].F[a];
        dx_[stride * i + static_cast<std::size_t>(b)] += Q[stride * a + b] * point_[i].F[a];
      }
    }
    for (int e = s.row[i]; e < s.row[i + 1]; ++e) {
      const double* W = s.W_rows(e);
      double* to = dx_.data() + stride * s.column[e];
      for (int a = 0; a < Rows; ++a) {
        for (int b = 0; b < Rows; ++b) to[b] += W[stride * a + b] * PF[a];
      }
    }
  }
  s.product(dx_, dv_);
}

// Moves by the first t = 1, ½, ¼ … with |F|² < reference − t slope; false, and no move, where there is none.
template <int Rows, class Law>
bool DampedNewton<Rows, Law>::search(double reference, double slope, int halvings) {
  double t = 1;
  for (int k = 0; k <= halvings; ++k, t *= 0.5) {
    if (residual(t) < reference - t * slope) {
      move(t);
      return true;
    }
  }
  return false;
}

template <int Rows, class Law>
void DampedNewton<Rows, Law>::move(double t) {
  for (std::size_t k = 0; k < x_.size(); ++k) {
    x_[k] -= t * dx_[k];
    u_[k] -= t * dv_[k];
  }
}

template <int Rows, class Law>
void DampedNewton<Rows, Law>::projected_step() {
  const ContactSpace<Rows>& s = run_->space;
  for (std::size_t i = 0; i < s.size(); ++i) {
    double* x = x_.data() + stride * i;
    const double* u = u_.data() + stride * i;
    for (int g = 0; g < ContactSpace<Rows>::groups; ++g) x[0] -= s.mu(i, g) * std::hypot(u[1 + 2 * g], u[2 + 2 * g]);
    for (int k = 0; k < Rows; ++k) x[k] -= u[k];
  }
  s.project(x_);
  s.velocity(x_, u_);
}

template <int Rows, class Law>
void DampedNewton<Rows, Law>::start(ContactRun<Rows>& run, Law& law, std::string_view name,
                                    const std::vector<double>& x, int patience) {
  run_ = &run;
  law_ = &law;
  const ContactSpace<Rows>& s = run.space;
  point_.resize(s.size());
  dx_.assign(s.numbers(), 0.0);
  dv_.assign(s.numbers(), 0.0);
  x_ = x;
  s.velocity(x_, u_);
  double lowest = std::numeric_limits<double>::infinity();
  int gained_at = run.iterations();
  double merit = residual(0);
  double history[kMemory];
  std::fill(history, history + kMemory, merit);
  std::vector<double> candidate;
  for (int k = 0; !run.solved(); ++k) {
    if (law.restart(merit)) {
      merit = residual(0);
      std::fill(history, history + kMemory, merit);
    }
    const double reference = *std::max_element(history, history + kMemory);
    double alpha = std::min(0.1, std::sqrt(merit));
    bool moved = false;
    for (int raise = 0; !moved && raise <= kRaises; ++raise, alpha = 10 * std::max(alpha, 1e-10)) {
      if (!run.next()) return;
      if (raise > 0) residual(0);  // back to the point from where the search left it
      moved = direction(alpha) && search(reference, 1e-4 * merit, kHalvings);
    }
    if (!moved) {
      residual(0);
      gradient();
      double slope = 0;
      for (double g : dx_) slope += 1e-4 * g * g;
      moved = search(merit, slope, 30);
    }
    if (!moved) projected_step();
    dx_.assign(dx_.size(), 0.0);
    dv_.assign(dv_.size(), 0.0);
    merit = residual(0);
    if (!moved) std::fill(history, history + kMemory, merit);
    history[k % kMemory] = merit;
    candidate = x_;
    const double error = run.judge(candidate, name);
    if (error < 0.9 * lowest) {
      lowest = error;
      gained_at = run.iterations();
    }
    if (k % 50 == 49) s.velocity(x_, u_);  // rounding of the updates
    if (run.iterations() - gained_at > patience) return run.give_up();
  }
}

}  // namespace vinculum::solvers
