// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/explicit_interior.hpp"

#include "vinculum/solvers/lorentz.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::solvers {
namespace {

constexpr double kSmooth = 0.01, kSmoothFar = 1e-4;  // ε/√τ
constexpr double kShift = 1, kShiftFar = 100;
constexpr int kStride = ContactSpace<3>::stride;
constexpr int kEarliest = 12, kPatience = 5;  // gives up after kPatience steps without 10 % gain, from the 12th on

}  // namespace

void ContactInterior::start(const ContactSpace<3>& space, ContactMatrix<3>& matrix, const std::vector<double>& r,
                            bool far) {
  space_ = &space;
  matrix_ = &matrix;
  const std::size_t n = space.size();
  block_.resize(n);
  dx_.assign(space.numbers(), 0.0);
  r_.assign(space.numbers(), 0.0);
  space.velocity(r, u_);
  const double shift = (far ? kShiftFar : kShift) / std::sqrt(static_cast<double>(n));
  smooth_ = far ? kSmoothFar : kSmooth;
  for (std::size_t i = 0; i < n; ++i) {
    Block& b = block_[i];
    const double* r_i = r.data() + kStride * i;
    const double* u_i = u_.data() + kStride * i;
    b.mu = space.mu(i, 0);
    b.lorentz = b.mu > 0;
    b.x = Vec3(r_i[0], 0, 0);
    b.y = Vec3(std::max(0.0, u_i[0]), 0, 0);
    if (b.lorentz) {
      b.x.tail<2>() = Eigen::Vector2d(r_i[1], r_i[2]) / b.mu;
      b.x[0] = std::max(b.x[0], b.x.tail<2>().norm());
      b.y.tail<2>() = b.mu * Eigen::Vector2d(u_i[1], u_i[2]);
      b.y[0] += b.y.tail<2>().norm();
    }
    b.x[0] += shift;
    b.y[0] += shift;
  }
  steps_ = since_gain_ = 0;
  best_ = gained_ = std::numeric_limits<double>::infinity();
}

// The matrix Ŵ + C X⁻¹ Y and its factors; g.
bool ContactInterior::linearise() {
  const ContactSpace<3>& s = *space_;
  const double eps = smooth_ * std::sqrt(complementarity(0));
  matrix_->clear();
  for (std::size_t i = 0; i < block_.size(); ++i) {
    Block& b = block_[i];
    const double* u = u_.data() + kStride * i;
    double* D = matrix_->block(s.diagonal[i]);
    const double m[3] = {1, b.lorentz ? b.mu : 0.0, b.lorentz ? b.mu : 0.0};
    for (int e = s.row[i]; e < s.row[i + 1]; ++e) {
      const double* W = s.W_rows(e);
      double* to = matrix_->block(e);
      const double mu_j = std::max(0.0, block_[static_cast<std::size_t>(s.column[e])].mu);
      for (int a = 0; a < 3; ++a) {
        to[kStride * a] = m[a] * W[kStride * a];
        to[kStride * a + 1] = m[a] * W[kStride * a + 1] * mu_j;
        to[kStride * a + 2] = m[a] * W[kStride * a + 2] * mu_j;
      }
    }
    if (!b.lorentz) {
      b.g = Vec3(u[0] - b.y[0], 0, 0);
      D[0] += b.y[0] / b.x[0];
      D[kStride + 1] = D[2 * kStride + 2] = 1;
      continue;
    }
    const double slip = std::sqrt(b.y[1] * b.y[1] + b.y[2] * b.y[2] + eps * eps);
    b.g = Vec3(u[0] + slip, b.mu * u[1], b.mu * u[2]) - b.y;
    b.inverse_X = lorentz::inverse_arrow(b.x);
    b.Y = lorentz::arrow(b.y);
    b.CX = b.inverse_X;
    b.CX.row(0) -= (b.y[1] / slip) * b.inverse_X.row(1) + (b.y[2] / slip) * b.inverse_X.row(2);
    const Mat3 barrier = b.CX * b.Y;
    for (int a = 0; a < 3; ++a) {
      for (int c = 0; c < 3; ++c) D[kStride * a + c] += barrier(a, c);
    }
  }
  return matrix_->factor();
}

// dx, dy for the right-hand sides c.
bool ContactInterior::direction() {
  for (std::size_t i = 0; i < block_.size(); ++i) {
    const Block& b = block_[i];
    double* to = dx_.data() + kStride * i;
    const Vec3 rhs = b.lorentz ? Vec3(b.CX * b.c - b.g) : Vec3(b.c[0] / b.x[0] - b.g[0], 0, 0);
    for (int k = 0; k < 3; ++k) to[k] = rhs[k];
    to[3] = 0;
  }
  matrix_->solve(dx_);
  for (std::size_t i = 0; i < block_.size(); ++i) {
    Block& b = block_[i];
    const double* from = dx_.data() + kStride * i;
    b.dx = Vec3(from[0], from[1], from[2]);
    if (!b.dx.allFinite()) return false;
    b.dy = b.lorentz ? Vec3(b.inverse_X * (b.c - b.Y * b.dx)) : Vec3((b.c[0] - b.y[0] * b.dx[0]) / b.x[0], 0, 0);
  }
  return true;
}

double ContactInterior::longest_step() const {
  double t = 1e3;
  for (const Block& b : block_) t = std::min(t, lorentz::longest_step(b.lorentz, b.x, b.dx, b.y, b.dy));
  return t;
}

// Mean of x·y after a step t.
double ContactInterior::complementarity(double t) const {
  double sum = 0;
  for (const Block& b : block_) sum += t == 0 ? b.x.dot(b.y) : (b.x + t * b.dx).dot(b.y + t * b.dy);
  return block_.empty() ? 0.0 : sum / static_cast<double>(block_.size());
}

// Scaled error of r(x); u_ is left at its velocity.
double ContactInterior::error_of_x() {
  for (std::size_t i = 0; i < block_.size(); ++i) {
    const Block& b = block_[i];
    double* to = r_.data() + kStride * i;
    to[0] = b.x[0];
    to[1] = b.lorentz ? b.mu * b.x[1] : 0.0;
    to[2] = b.lorentz ? b.mu * b.x[2] : 0.0;
  }
  space_->velocity(r_, u_);
  return space_->errors(r_, u_).scaled;
}

// A short step: the direction towards the middle of the cone may reach farther. The longer one is left in dx, dy.
double ContactInterior::try_centre(double tau, double t) {
  for (Block& b : block_) {
    b.dx_kept = b.dx;
    b.dy_kept = b.dy;
    b.c = -lorentz::circle(b.x, b.y);
    b.c[0] += .5 * tau;
  }
  const double t_centre = direction() ? std::min(1.0, .9 * longest_step()) : 0.0;
  if (t_centre > t) return t_centre;
  for (Block& b : block_) {
    b.dx = b.dx_kept;
    b.dy = b.dy_kept;
  }
  return t;
}

ContactInterior::Outcome ContactInterior::run(double target, int steps, std::vector<double>& r) {
  Outcome outcome;
  outcome.error = error_of_x();
  while (outcome.error > target && outcome.steps < steps) {
    if (!linearise()) break;
    const double tau = complementarity(0);
    for (Block& b : block_) b.c = -lorentz::circle(b.x, b.y);
    if (!direction()) break;
    const double t_affine = std::min(1.0, longest_step());
    const double ratio = tau > 0 ? std::max(0.0, complementarity(t_affine) / tau) : 0.0;
    const double sigma = ratio * ratio * ratio;
    for (Block& b : block_) {
      b.c = -lorentz::circle(b.x, b.y) - lorentz::circle(b.dx, b.dy);
      b.c[0] += sigma * tau;
    }
    if (!direction()) break;
    double t = std::min(1.0, (.9 + .09 * t_affine) * longest_step());
    if (t < .1) t = try_centre(tau, t);
    for (Block& b : block_) {
      b.x += t * b.dx;
      b.y += t * b.dy;
    }
    ++outcome.steps;
    ++steps_;
    outcome.error = error_of_x();
    if (!std::isfinite(outcome.error)) break;
    best_ = std::min(best_, outcome.error);
    since_gain_ = best_ < .9 * gained_ ? 0 : since_gain_ + 1;
    if (since_gain_ == 0) gained_ = best_;
    if (steps_ >= kEarliest && since_gain_ >= kPatience) break;
  }
  outcome.reached = outcome.error <= target;
  if (std::isfinite(outcome.error)) {
    r = r_;
    space_->project(r);
  }
  return outcome;
}

}  // namespace vinculum::solvers
