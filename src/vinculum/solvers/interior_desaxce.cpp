// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// De Saxcé's fixed point around an interior point (Cadoux 2009; Acary, Cadoux, Lemaréchal & Malick 2011). With m =
// diag(1, μ, μ), Ŵ = m W m, q̂ = m q, L the Lorentz cone and s held:
//   x = (r_N, r_T/μ) ∈ L,   y = Ŵ x + q̂ + s e₀ ∈ L,   x ⊥ y          a convex program where W is symmetric
// is solved by Mehrotra's predictor and corrector, then s ← |y_T| and again, s accelerated by Anderson. The inner
// tolerance follows the change of s. Directions of Nesterov & Todd: the symmetric T with T x = T⁻¹ y = λ, and with g =
// Ŵ x + q̂ + s e₀ − y
//   (Ŵ + T²) dx = T (λ \ c) − g,   dy = T (λ \ c) − T² dx,   c = στ e − λ ∘ λ − (T dx_a) ∘ (T⁻¹ dy_a)
// where λ \ c solves λ ∘ z = c. dy is taken from the equal Ŵ dx + g: T² is huge near the end, and its rounding would
// spoil the equations.
// Frictionless contacts are the ray x ≥ 0. `interior` of the portfolio differentiates s as well and needs no outer
// loop; this is the method of the books.
#include "vinculum/solvers/anderson.hpp"
#include "vinculum/solvers/explicit_run.hpp"
#include "vinculum/solvers/lorentz.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::solvers {
namespace {

using lorentz::Mat3;
using lorentz::Vec3;

constexpr int kInnerSteps = 40;
constexpr int kPatience = 400;    // iterations without gain
constexpr double kRunaway = 100;  // the inner iteration ends where its merit grows by this: rounding has taken over

struct Cone {
  bool lorentz;
  double mu, s;
  Vec3 x, y, dx, dy, g, c;
  Mat3 T, inverse_T;
  Vec3 lambda;
};

// Nesterov-Todd scaling of x, y inside L: with x̄, ȳ of unit determinant, γ² = (1 + x̄·ȳ)/2 and w = (ȳ + J x̄)/(2γ),
//   T = η [w₀ w_Tᵀ; w_T I + w_T w_Tᵀ/(1 + w₀)],   η⁴ = det y / det x
void scale_cone(Cone& b) {
  const auto root_det = [](const Vec3& v) {
    const double t = std::hypot(v[1], v[2]);
    return std::sqrt(std::max(1e-300, (v[0] - t) * (v[0] + t)));
  };
  const double det_x = root_det(b.x), det_y = root_det(b.y);
  const Vec3 x = b.x / det_x, y = b.y / det_y;
  const double gamma = std::sqrt(0.5 * (1 + x.dot(y))), eta = std::sqrt(det_y / det_x);
  const Vec3 w(0.5 * (y[0] + x[0]) / gamma, 0.5 * (y[1] - x[1]) / gamma, 0.5 * (y[2] - x[2]) / gamma);
  const Eigen::Vector2d w_T = w.tail<2>();
  const Eigen::Matrix2d tangents = Eigen::Matrix2d::Identity() + w_T * w_T.transpose() / (1 + w[0]);
  b.T << w[0], w_T.transpose(), w_T, tangents;
  b.inverse_T << w[0], -w_T.transpose(), -w_T, tangents;
  b.T *= eta;
  b.inverse_T /= eta;
  b.lambda = b.T * b.x;
}

class Relaxation {
 public:
  void start(ContactRun<3>& run);
  /// Until the residual of the equations and Σ x·y are below `target`. False when rounding or the budget ends it
  /// before; the best point is left all the same.
  bool solve(double target);
  /// Away from the boundary, keeping x and y where they are otherwise.
  void centre(double shift);
  void point(std::vector<double>& r) const;

  std::vector<Cone> cone;

 private:
  static constexpr int stride = ContactSpace<3>::stride;
  double tau() const { return tau_after(0); }
  double tau_after(double t) const;
  double linearise();
  bool direction();
  double longest_step() const;
  bool step_once(double middle);

  ContactRun<3>* run_ = nullptr;
  std::vector<double> r_, u_, dx_;
  std::vector<Vec3> best_;  // x and y of every cone
};

void Relaxation::start(ContactRun<3>& run) {
  run_ = &run;
  const ContactSpace<3>& s = run.space;
  cone.resize(s.size());
  dx_.assign(s.numbers(), 0.0);
  r_ = run.best();
  s.velocity(r_, u_);
  for (std::size_t i = 0; i < cone.size(); ++i) {
    Cone& b = cone[i];
    const double* r = r_.data() + stride * i;
    const double* u = u_.data() + stride * i;
    b.mu = s.mu(i, 0);
    b.lorentz = b.mu > 0;
    b.x = Vec3(r[0], 0, 0);
    b.y = Vec3(std::max(0.0, u[0]), 0, 0);
    if (b.lorentz) {
      b.x.tail<2>() = Vec3(0, r[1], r[2]).tail<2>() / b.mu;
      b.x[0] = std::max(b.x[0], b.x.tail<2>().norm());
      b.y.tail<2>() = b.mu * Vec3(0, u[1], u[2]).tail<2>();
      b.y[0] += b.y.tail<2>().norm();
    }
    b.s = b.y.tail<2>().norm();
  }
  centre(1 / std::sqrt(static_cast<double>(std::max<std::size_t>(1, cone.size()))));
}

void Relaxation::centre(double shift) {
  for (Cone& b : cone) {
    b.x[0] = std::max(b.x[0], b.x.tail<2>().norm()) + shift;
    b.y[0] = std::max(b.y[0], b.y.tail<2>().norm()) + shift;
  }
}

void Relaxation::point(std::vector<double>& r) const {
  r.assign(stride * cone.size(), 0.0);
  for (std::size_t i = 0; i < cone.size(); ++i) {
    r[stride * i] = cone[i].x[0];
    r[stride * i + 1] = cone[i].mu * cone[i].x[1];
    r[stride * i + 2] = cone[i].mu * cone[i].x[2];
  }
}

double Relaxation::tau_after(double t) const {
  double sum = 0;
  for (const Cone& b : cone) sum += (b.x + t * b.dx).dot(b.y + t * b.dy);
  return cone.empty() ? 0.0 : sum / static_cast<double>(cone.size());
}

// g, and the matrix Ŵ + T² with its factors; returns |g|, or −1 when the factorisation fails.
double Relaxation::linearise() {
  const ContactSpace<3>& s = run_->space;
  ContactMatrix<3>& matrix = run_->matrix();
  point(r_);
  s.velocity(r_, u_);
  matrix.clear();
  double square = 0;
  for (std::size_t i = 0; i < cone.size(); ++i) {
    Cone& b = cone[i];
    const double* u = u_.data() + stride * i;
    const double m[3] = {1, b.mu, b.mu};
    for (int e = s.row[i]; e < s.row[i + 1]; ++e) {
      const double mu_j = cone[static_cast<std::size_t>(s.column[e])].mu;
      const double n[3] = {1, mu_j, mu_j};
      for (int a = 0; a < 3; ++a) {
        for (int c = 0; c < 3; ++c) matrix.block(e)[stride * a + c] = m[a] * s.W_rows(e)[stride * a + c] * n[c];
      }
    }
    double* D = matrix.block(s.diagonal[i]);
    if (b.lorentz) {
      b.g = Vec3(u[0] + b.s, b.mu * u[1], b.mu * u[2]) - b.y;
      scale_cone(b);
      const Mat3 barrier = b.T * b.T;
      for (int a = 0; a < 3; ++a) {
        for (int c = 0; c < 3; ++c) D[stride * a + c] += barrier(a, c);
      }
    } else {
      b.g = Vec3(u[0] - b.y[0], 0, 0);
      D[0] += b.y[0] / b.x[0];
      D[stride + 1] = D[2 * stride + 2] = 1;
    }
    square += b.g.squaredNorm();
  }
  return matrix.factor() ? std::sqrt(square) : -1;
}

// dx, dy for the right-hand sides c.
bool Relaxation::direction() {
  for (std::size_t i = 0; i < cone.size(); ++i) {
    Cone& b = cone[i];
    b.c = b.lorentz ? Vec3(b.T * (lorentz::inverse_arrow(b.lambda) * b.c)) : Vec3(b.c[0] / b.x[0], 0, 0);
    const Vec3 rhs = b.c - b.g;
    for (int k = 0; k < 3; ++k) dx_[stride * i + static_cast<std::size_t>(k)] = rhs[k];
  }
  run_->matrix().solve(dx_);
  r_.assign(dx_.size(), 0.0);
  for (std::size_t i = 0; i < cone.size(); ++i) {
    Cone& b = cone[i];
    const double m[3] = {1, b.mu, b.mu};
    for (int k = 0; k < 3; ++k) {
      b.dx[k] = dx_[stride * i + static_cast<std::size_t>(k)];
      r_[stride * i + static_cast<std::size_t>(k)] = m[k] * b.dx[k];
    }
    if (!b.dx.allFinite()) return false;
  }
  run_->space.product(r_, u_);
  for (std::size_t i = 0; i < cone.size(); ++i) {
    Cone& b = cone[i];
    const double* u = u_.data() + stride * i;
    b.dy = b.g + Vec3(u[0], b.mu * u[1], b.mu * u[2]);
  }
  return true;
}

double Relaxation::longest_step() const {
  double t = 1e3;
  for (const Cone& b : cone) t = std::min(t, lorentz::longest_step(b.lorentz, b.x, b.dx, b.y, b.dy));
  return t;
}

bool Relaxation::solve(double target) {
  for (Cone& b : cone) b.dx = b.dy = Vec3::Zero();
  double lowest = std::numeric_limits<double>::infinity();
  bool reached = false;
  for (int step = 0; step < kInnerSteps; ++step) {
    const double residual = linearise();
    const double middle = tau();
    const double merit = std::max(residual, middle * static_cast<double>(cone.size()));
    if (!(residual >= 0) || !(merit < kRunaway * lowest)) break;
    if (merit < lowest) {
      lowest = merit;
      best_.clear();
      for (const Cone& b : cone) best_.insert(best_.end(), {b.x, b.y});
    }
    reached = merit <= target;
    if (reached || !run_->next() || !step_once(middle)) break;
  }
  for (std::size_t i = 0; 2 * i < best_.size(); ++i) {
    cone[i].x = best_[2 * i];
    cone[i].y = best_[2 * i + 1];
  }
  return reached;
}

// Predictor, corrector, step. False where no step is left.
bool Relaxation::step_once(double middle) {
  for (Cone& b : cone) b.c = b.lorentz ? Vec3(-lorentz::circle(b.lambda, b.lambda)) : Vec3(-b.x[0] * b.y[0], 0, 0);
  if (!direction()) return false;
  const double t_affine = std::min(1.0, longest_step());
  const double ratio = middle > 0 ? std::max(0.0, tau_after(t_affine) / middle) : 0.0;
  for (Cone& b : cone) {
    b.c = b.lorentz ? Vec3(-lorentz::circle(b.lambda, b.lambda) - lorentz::circle(b.T * b.dx, b.inverse_T * b.dy))
                    : Vec3(-b.x[0] * b.y[0] - b.dx[0] * b.dy[0], 0, 0);
    b.c[0] += ratio * ratio * ratio * middle;
  }
  if (!direction()) return false;
  const double t = std::min(1.0, (.9 + .09 * t_affine) * longest_step());
  for (Cone& b : cone) {
    b.x += t * b.dx;
    b.y += t * b.dy;
    b.dx = b.dy = Vec3::Zero();
  }
  return t >= 1e-6;
}

template <int Rows>
struct InteriorDeSaxce {
  static constexpr bool rolling = false;

  void run(ContactRun<Rows>& run);

  Relaxation relaxation;
  Anderson anderson;
  std::vector<double> s, next, point;
};

template <int Rows>
void InteriorDeSaxce<Rows>::run(ContactRun<Rows>& run) {
  relaxation.start(run);
  const std::size_t n = relaxation.cone.size();
  anderson.reset(n);
  s.assign(n, 0.0);
  next.assign(n, 0.0);
  double change = 1, inside = 1;
  while (!run.solved() && run.left() > 0) {
    const bool exact = relaxation.solve(std::max(1e-11, 0.01 * std::min(change, run.best_error())));
    relaxation.point(point);
    run.judge(point, "interior_desaxce");
    double square = 0;
    for (std::size_t i = 0; i < n; ++i) {
      s[i] = relaxation.cone[i].s;
      next[i] = relaxation.cone[i].y.template tail<2>().norm();
      square += (next[i] - s[i]) * (next[i] - s[i]);
    }
    change = std::sqrt(square);
    if (exact) anderson.accelerate(s.data(), next.data());
    if (!exact) anderson.reset(n);
    for (std::size_t i = 0; i < n; ++i) relaxation.cone[i].s = std::max(0.0, next[i]);
    // Far enough inside for the change of s to be taken up; farther where that was not enough.
    inside = exact ? std::max(1.0, inside / 3) : std::min(1e3, 10 * inside);
    relaxation.centre(std::clamp(inside * std::sqrt(change), 1e-10, 1.0) / std::sqrt(static_cast<double>(n)));
    if (run.since_gain() > kPatience) return run.give_up();
  }
}

}  // namespace

std::unique_ptr<ExplicitSolver> make_explicit_interior_desaxce() {
  return std::make_unique<FramedSolver<InteriorDeSaxce>>();
}

}  // namespace vinculum::solvers
