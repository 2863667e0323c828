// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/interior.hpp"

#include "vinculum/solvers/kernels.hpp"
#include "vinculum/solvers/lorentz.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::solvers {
namespace {

using laws::Mat3;
constexpr double kBond = 1e-6;    // δ of bonds
constexpr double kSmooth = 1e-4;  // ε/√τ: at 1e-2 the smoothed |u_T| sets a floor to the error
constexpr double kShort = 0.05;   // a step that short, twice: rounding has taken over
constexpr double kLargest = 1e8;  // |r|/|c'| of a contradiction: the error, divided by |r|, means nothing any more

}  // namespace

void InteriorPoint::start(const ScaledProblem& scaled, BodyMatrix& matrix, const Limits& limits,
                          const std::vector<Vec3>& r) {
  scaled_ = &scaled;
  matrix_ = &matrix;
  const std::size_t n = scaled.size();
  block_.resize(n);
  D_.resize(n);
  q_.resize(n);
  scaled.impulse_to_nodes(r, z_);
  scaled.velocity(z_, u_);
  const double shift = limits.shift / std::sqrt(static_cast<double>(n));
  cones_ = 0;
  for (std::size_t i = 0; i < n; ++i) {
    Block& b = block_[i];
    const double mu = scaled.mu[i];
    const laws::Kind law = scaled.problem->law[i];
    b.cone = law == laws::Kind::bilateral || law == laws::Kind::dry ? Cone::none
             : law == laws::Kind::coulomb && mu > 0                 ? Cone::lorentz
                                                                    : Cone::ray;
    b.x = b.y = Vec3::Zero();
    if (b.cone == Cone::none) {
      b.x = r[i];
      continue;
    }
    cones_ += 1;
    b.x[0] = r[i][0];
    b.y[0] = std::max(0.0, u_[i][0]);
    if (b.cone == Cone::lorentz) {
      b.x.tail<2>() = r[i].tail<2>() / mu;
      b.x[0] = std::max(b.x[0], b.x.tail<2>().norm());
      b.y.tail<2>() = mu * u_[i].tail<2>();
      b.y[0] = std::max(b.y[0], 0.0) + b.y.tail<2>().norm();
    }
    b.x[0] += shift;
    b.y[0] += shift;
  }
}

// Everything of a Newton step that does not depend on the right-hand side.
void InteriorPoint::linearise(double delta) {
  const double tau = complementarity(0);
  const double eps = kSmooth * std::sqrt(tau);
  for (std::size_t i = 0; i < block_.size(); ++i) {
    Block& b = block_[i];
    const double mu = scaled_->mu[i];
    const Vec3& u = u_[i];
    b.S.setZero();
    if (b.cone == Cone::none) {
      b.g = u;
      b.S = Mat3::Identity() / kBond;
    } else if (b.cone == Cone::ray) {
      b.g = Vec3(u[0] - b.y[0], 0, 0);
      b.S(0, 0) = 1 / (b.y[0] / b.x[0] + delta);
    } else {
      const double s = std::sqrt(b.y[1] * b.y[1] + b.y[2] * b.y[2] + eps * eps);
      b.g = Vec3(u[0] + s, mu * u[1], mu * u[2]) - b.y;
      b.inverse_X = lorentz::inverse_arrow(b.x);
      b.Y = lorentz::arrow(b.y);
      b.CX = b.inverse_X;
      b.CX.row(0) -= (b.y[1] / s) * b.inverse_X.row(1) + (b.y[2] / s) * b.inverse_X.row(2);
      b.S = (b.CX * b.Y + delta * Mat3::Identity()).inverse();
    }
    // The matrix is kept in terms of J: Ĵᵀ S Ĵ = Jᵀ (m S m) J, m = diag(1, μ, μ).
    const Vec3 m = b.cone == Cone::lorentz ? Vec3(1, mu, mu) : Vec3::Ones();
    D_[i] = m.asDiagonal() * b.S * m.asDiagonal();
  }
}

// dx, dy for the right-hand sides w.
bool InteriorPoint::direction() {
  if (!matrix_->factor(D_, 1)) return false;
  zeta_.assign(6 * scaled_->nodes(), 0.0);
  for (std::size_t i = 0; i < block_.size(); ++i) {
    const Block& b = block_[i];
    if (b.cone == Cone::none) {
      q_[i] = -b.g;
    } else if (b.cone == Cone::ray) {
      q_[i] = Vec3(b.w[0] / b.x[0] - b.g[0], 0, 0);
    } else {
      q_[i] = b.CX * b.w - b.g;
    }
    add_impulse(i, b.S * q_[i], zeta_);
  }
  matrix_->solve(zeta_);
  back_substitute();
  refine();
  return back_substitute();
}

// z += Ĵᵀ p
void InteriorPoint::add_impulse(std::size_t i, Vec3 p, std::vector<double>& z) const {
  if (block_[i].cone == Cone::lorentz) p.tail<2>() *= scaled_->mu[i];
  for (int e = scaled_->begin(i); e < scaled_->end(i); ++e) {
    add_transposed(scaled_->J_entry(e), p[0], p[1], p[2], z.data() + 6 * scaled_->node(e));
  }
}

// ζ += (I + Ĵᵀ S Ĵ)⁻¹ (Ĵᵀ dx − ζ)
void InteriorPoint::refine() {
  rest_.resize(zeta_.size());
  for (std::size_t k = 0; k < rest_.size(); ++k) rest_[k] = -zeta_[k];
  for (std::size_t i = 0; i < block_.size(); ++i) add_impulse(i, block_[i].dx, rest_);
  matrix_->solve(rest_);
  for (std::size_t k = 0; k < rest_.size(); ++k) zeta_[k] += rest_[k];
}

// dx and dy from ζ.
bool InteriorPoint::back_substitute() {
  for (std::size_t i = 0; i < block_.size(); ++i) {
    Block& b = block_[i];
    RowSums sums;
    for (int e = scaled_->begin(i); e < scaled_->end(i); ++e) {
      sums.add(scaled_->J_entry(e), zeta_.data() + 6 * scaled_->node(e));
    }
    Vec3 v(sums.row0(), sums.row1(), sums.row2());
    if (b.cone == Cone::lorentz) v.tail<2>() *= scaled_->mu[i];
    b.dx = b.S * (q_[i] - v);
    if (b.cone == Cone::ray) b.dy = Vec3((b.w[0] - b.y[0] * b.dx[0]) / b.x[0], 0, 0);
    if (b.cone == Cone::lorentz) b.dy = b.inverse_X * (b.w - b.Y * b.dx);
    if (!b.dx.allFinite()) return false;
  }
  return true;
}

double InteriorPoint::longest_step() const {
  double t = 1e3;
  for (const Block& b : block_) {
    if (b.cone == Cone::none) continue;
    t = std::min(t, lorentz::longest_step(b.cone == Cone::lorentz, b.x, b.dx, b.y, b.dy));
  }
  return t;
}

// Mean of x·y after a step t.
double InteriorPoint::complementarity(double t) const {
  double sum = 0;
  for (const Block& b : block_) {
    if (b.cone == Cone::none) continue;
    sum += t == 0 ? b.x.dot(b.y) : (b.x + t * b.dx).dot(b.y + t * b.dy);
  }
  return cones_ > 0 ? sum / cones_ : 0.0;
}

// Error of the impulses r(x), made admissible; u_ is left at the velocity of x itself.
double InteriorPoint::error_of_x() {
  r_.resize(block_.size());
  for (std::size_t i = 0; i < block_.size(); ++i) {
    const Block& b = block_[i];
    r_[i] = b.x;
    if (b.cone == Cone::lorentz) r_[i].tail<2>() *= scaled_->mu[i];
  }
  scaled_->impulse_to_nodes(r_, z_);
  scaled_->velocity(z_, u_);
  return scaled_->error(r_, u_);
}

InteriorPoint::Outcome InteriorPoint::run(const Limits& limits, std::vector<Vec3>& r) {
  Outcome outcome;
  outcome.error = error_of_x();
  r = r_;
  double gained = outcome.error;
  int since_gain = 0, short_steps = 0;
  while (outcome.error > limits.target && outcome.steps < limits.steps) {
    linearise(limits.delta);
    const double tau = complementarity(0);
    for (Block& b : block_) b.w = -lorentz::circle(b.x, b.y);
    if (!direction()) break;
    const double t_affine = std::min(1.0, longest_step());
    const double ratio = tau > 0 ? complementarity(t_affine) / tau : 0.0;
    const double sigma = ratio * ratio * ratio;
    for (Block& b : block_) {
      b.w = -lorentz::circle(b.x, b.y);
      if (b.cone != Cone::none) b.w -= lorentz::circle(b.dx, b.dy);
      b.w[0] += sigma * tau;
    }
    if (!direction()) break;
    double t = std::min(1.0, (.9 + .09 * t_affine) * longest_step());
    if (t < .1) {
      for (Block& b : block_) {
        b.w = -lorentz::circle(b.x, b.y);
        b.w[0] += .5 * tau;
      }
      if (!direction()) break;
      t = std::min(1.0, .9 * longest_step());
    }
    for (Block& b : block_) {
      b.x += t * b.dx;
      if (b.cone != Cone::none) b.y += t * b.dy;
    }
    ++outcome.steps;
    const double error = error_of_x();
    if (!std::isfinite(error) || squared_norm(r_) > kLargest * kLargest) break;
    if (error < outcome.error) {
      outcome.error = error;
      r = r_;
    }
    since_gain = outcome.error < .9 * gained ? 0 : since_gain + 1;
    if (since_gain == 0) gained = outcome.error;
    short_steps = t < kShort ? short_steps + 1 : 0;
    if (short_steps >= 2 || (outcome.steps >= 12 && since_gain >= 5)) break;
  }
  outcome.reached = outcome.error <= limits.target;
  return outcome;
}

}  // namespace vinculum::solvers
