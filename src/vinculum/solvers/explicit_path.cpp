// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/explicit_path.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::solvers {
namespace {

constexpr double kRho = 3, kRhoAlpha = 3e-3;  // ρ = max of kRho and kRhoAlpha/α, at most 1/α
constexpr double kLargestAlpha = 30, kSmallestAlpha = 1e-13;
constexpr double kStart = 1e7;  // α over the error at the start: |x − r₀| well above rounding
constexpr double kFirst = 0.5, kLongest = 1, kShortest = 1e-13;  // h
constexpr double kClose = 1e-6;                                  // |F| over what α (x − r₀) contributes
constexpr int kCorrections = 8;
constexpr double kAtKink = 1e-4, kBeforeKink = 3;  // nearer than that, and no farther than so many times beyond it
constexpr double kHandOver = 0.3;                  // of the error at the last attempt
constexpr int kHandOverSteps = 40;
constexpr int kFlips = 40;  // folds in a row: a place that the arithmetic cannot resolve

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

bool finite(const std::vector<double>& x) {
  return std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); });
}

}  // namespace

// As in proximal Newton, impulses of order 1 answer velocities of order α, and both must weigh alike.
template <int Rows>
double ContactPath<Rows>::rho(double alpha) const {
  return std::min(1 / alpha, std::max(kRho, kRhoAlpha / alpha));
}

template <int Rows>
double ContactPath<Rows>::distance() const {
  double sum = 0;
  for (std::size_t k = 0; k < centre_.size(); ++k) sum += (at_.x[k] - centre_[k]) * (at_.x[k] - centre_[k]);
  return sum;
}

// |F|; point_ and v_ are left there.
template <int Rows>
double ContactPath<Rows>::residual(const Point& at) {
  const double alpha = std::exp(at.s), rho_now = rho(alpha);
  space_->velocity(at.x, v_);
  double sum = 0;
  for (std::size_t i = 0; i < space_->size(); ++i) {
    const std::size_t first = stride * i;
    double u[Rows];
    for (int k = 0; k < Rows; ++k) u[k] = v_[first + k] + alpha * (at.x[first + k] - centre_[first + k]);
    sum += evaluate_law<Rows>(space_->mu_of(i), at.x.data() + first, u, rho_now, point_[i]);
  }
  return std::sqrt(sum);
}

template <int Rows>
double ContactPath<Rows>::close_enough(const Point& at) const {
  double moved = 0, size = 1;
  for (std::size_t k = 0; k < centre_.size(); ++k) {
    moved += (at.x[k] - centre_[k]) * (at.x[k] - centre_[k]);
    size += at.x[k] * at.x[k];
  }
  const double alpha = std::exp(at.s);
  return rho(alpha) * (kClose * alpha * std::sqrt(moved) + 1e-15 * std::sqrt(size));
}

// Factors of G at the point last evaluated, G⁻¹F, G⁻¹F_s and the sign of det G.
template <int Rows>
bool ContactPath<Rows>::linearise(const Point& at) {
  const ContactSpace<Rows>& s = *space_;
  const double alpha = std::exp(at.s), rho_now = rho(alpha);
  matrix_->clear();
  newton_.assign(s.numbers(), 0.0);
  slope_.assign(s.numbers(), 0.0);
  double P[Rows * stride], Q[Rows * stride];
  for (std::size_t i = 0; i < s.size(); ++i) {
    linearise_law<Rows>(s.mu_of(i), rho_now, point_[i], P, Q, stride);
    double* diagonal = matrix_->block(s.diagonal[i]);
    for (int k = 0; k < Rows * stride; ++k) diagonal[k] += Q[k] + alpha * P[k];
    for (int e = s.row[i]; point_[i].closed && e < s.row[i + 1]; ++e) {
      add_block_product<Rows, stride>(P, s.W_rows(e), matrix_->block(e));
    }
    for (int a = 0; a < Rows; ++a) {
      newton_[stride * i + a] = point_[i].F[a];
      for (int b = 0; b < Rows; ++b) {
        slope_[stride * i + a] += P[stride * a + b] * alpha * (at.x[stride * i + b] - centre_[stride * i + b]);
      }
    }
  }
  ++outcome_.newton_steps;
  if (!matrix_->factor()) return false;
  sign_ = 1;
  for (std::size_t i = 0; i < s.size(); ++i) {  // the factors hold the inverses of the pivots
    Eigen::Matrix<double, Rows, Rows> pivot;
    for (int a = 0; a < Rows; ++a) {
      for (int b = 0; b < Rows; ++b) pivot(a, b) = matrix_->block(s.diagonal[i])[stride * a + b];
    }
    if (pivot.determinant() < 0) sign_ = -sign_;
  }
  matrix_->solve(newton_);
  matrix_->solve(slope_);
  return finite(newton_) && finite(slope_);
}

// The point of the path at a given α, by plain Newton steps from the centre.
template <int Rows>
bool ContactPath<Rows>::start(double alpha) {
  at_.x = centre_;
  at_.s = std::log(alpha);
  for (int k = 0; k < 30 && !spent(); ++k) {
    const double size = residual(at_);
    if (k > 0 && size <= close_enough(at_)) return true;
    if (!linearise(at_)) return false;
    for (std::size_t j = 0; j < at_.x.size(); ++j) at_.x[j] -= newton_[j];
  }
  return false;
}

template <int Rows>
bool ContactPath<Rows>::find_tangent() {
  residual(at_);
  if (!linearise(at_)) return false;
  scale_ = std::max(distance(), std::numeric_limits<double>::min());
  outcome_.folds += direction_ != -sign_;
  direction_ = -sign_;
  tangent_s_ = direction_ / std::sqrt(1 + dot(slope_, slope_) / scale_);
  tangent_.resize(slope_.size());
  for (std::size_t k = 0; k < slope_.size(); ++k) tangent_[k] = -tangent_s_ * slope_[k];
  return true;
}

// The least h > 0 at which some y = x − ρ (u + α (x − r₀)) reaches y_N = 0 or |y_g| = μ y_N along the tangent.
template <int Rows>
double ContactPath<Rows>::first_kink() {
  const double alpha = std::exp(at_.s), rho_now = rho(alpha);
  space_->product(tangent_, product_);
  double nearest = std::numeric_limits<double>::max();
  auto consider = [&](double h) {
    if (h > 1e-14 && h < nearest) nearest = h;
  };
  for (std::size_t i = 0; i < space_->size(); ++i) {
    double y[Rows], dy[Rows];
    for (int k = 0; k < Rows; ++k) {
      const std::size_t n = stride * i + static_cast<std::size_t>(k);
      const double d = at_.x[n] - centre_[n];
      y[k] = at_.x[n] - rho_now * (v_[n] + alpha * d);
      dy[k] = tangent_[n] - rho_now * (product_[n] + alpha * (tangent_[n] + tangent_s_ * d));
    }
    if (dy[0] != 0) consider(-y[0] / dy[0]);
    for (int g = 0; y[0] > 0 && g < ContactSpace<Rows>::groups; ++g) {
      const double mu = space_->mu(i, g), *t = y + 1 + 2 * g, *dt = dy + 1 + 2 * g;
      const double a = dt[0] * dt[0] + dt[1] * dt[1] - mu * mu * dy[0] * dy[0];
      const double b = t[0] * dt[0] + t[1] * dt[1] - mu * mu * y[0] * dy[0];
      const double c = t[0] * t[0] + t[1] * t[1] - mu * mu * y[0] * y[0];
      const double under = b * b - a * c;  // a h² + 2 b h + c = 0
      if (!(mu > 0) || under < 0) continue;
      const double root = -(b + std::copysign(std::sqrt(under), b));
      if (a != 0) consider(root / a);
      if (root != 0) consider(c / root);
    }
  }
  return nearest;
}

template <int Rows>
void ContactPath<Rows>::advance(double h, Point& to) const {
  to = at_;
  to.s += h * tangent_s_;
  for (std::size_t k = 0; k < to.x.size(); ++k) to.x[k] += h * tangent_[k];
}

// Newton from the predicted point in the plane x'ᵀΔx/|x − r₀|² + s' Δs = h; the result in trial_.
template <int Rows>
bool ContactPath<Rows>::correct(double h) {
  advance(h, trial_);
  double last = std::numeric_limits<double>::infinity();
  for (corrections_ = 0;; ++corrections_) {
    const double size = residual(trial_);
    if (size <= close_enough(trial_)) break;
    if (corrections_ == kCorrections || size > (corrections_ >= 2 ? 1 : 3) * last || spent()) return false;
    last = size;
    if (!linearise(trial_)) return false;
    double off = -h + tangent_s_ * (trial_.s - at_.s);
    for (std::size_t k = 0; k < trial_.x.size(); ++k) off += tangent_[k] * (trial_.x[k] - at_.x[k]) / scale_;
    const double ds = (dot(tangent_, newton_) / scale_ - off) / (tangent_s_ - dot(tangent_, slope_) / scale_);
    if (!(std::abs(ds) < 3)) return false;
    trial_.s += ds;
    for (std::size_t k = 0; k < trial_.x.size(); ++k) trial_.x[k] -= newton_[k] + ds * slope_[k];
  }
  double moved = 0;
  for (std::size_t k = 0; k < trial_.x.size(); ++k) {
    moved += (trial_.x[k] - at_.x[k]) * (trial_.x[k] - at_.x[k]);
  }
  return std::sqrt(moved / scale_) <= 2 * h + 1e-9;  // else it is another path
}

// One step along the path, or, where that cannot be done, past the next kink, off the path by next to nothing.
template <int Rows>
bool ContactPath<Rows>::step(double& h) {
  const double kink = first_kink();
  while (!spent() && h > kShortest) {
    if (correct(h)) {
      std::swap(at_, trial_);
      if (corrections_ <= 3) h = std::min(kLongest, 2 * h);
      if (corrections_ > 5) h *= 0.7;
      return true;
    }
    if (kink < kAtKink && h < kBeforeKink * kink) {
      advance(kink * (1 + 1e-7) + 1e-15, trial_);
      std::swap(at_, trial_);
      h = std::max(h, 1e-9);
      return true;
    }
    h *= 0.3;
  }
  return false;
}

template <int Rows>
bool ContactPath<Rows>::offer(const Errors& errors, std::vector<double>& r) {
  if (errors.miss(limits_.aim) < outcome_.errors.miss(limits_.aim)) {
    outcome_.errors = errors;
    r = candidate_;
  }
  outcome_.reached = outcome_.errors.miss(limits_.aim) <= 1 && outcome_.errors.judged <= limits_.tol;
  return outcome_.reached;
}

// The error without the weight; whether it is solved.
template <int Rows>
bool ContactPath<Rows>::look(std::vector<double>& r) {
  candidate_ = at_.x;
  space_->project(candidate_);
  space_->velocity(candidate_, v_);
  const Errors errors = space_->errors(candidate_, v_);
  if (offer(errors, r)) return true;
  if (errors.miss(limits_.aim) > kHandOver * handed_) return false;
  handed_ = errors.miss(limits_.aim);
  return hand_over(r);
}

// A few steps of proximal Newton, to rounding if they can: masses far apart need it.
template <int Rows>
bool ContactPath<Rows>::hand_over(std::vector<double>& r) {
  typename ContactProx<Rows>::Limits limits;
  limits.aim = 1e-5 * limits_.aim;
  limits.alpha = std::exp(at_.s);
  limits.outer = 10;
  limits.failures = 2;
  limits.newton_steps = std::min(kHandOverSteps, limits_.newton_steps - outcome_.newton_steps);
  const auto outcome = prox_.run(*space_, *matrix_, limits, candidate_);
  outcome_.newton_steps += outcome.newton_steps;
  return offer(outcome.errors, r);
}

template <int Rows>
typename ContactPath<Rows>::Outcome ContactPath<Rows>::run(const ContactSpace<Rows>& space, ContactMatrix<Rows>& matrix,
                                                           const Limits& limits, std::vector<double>& r) {
  space_ = &space;
  matrix_ = &matrix;
  limits_ = limits;
  outcome_ = {};
  point_.resize(space.size());
  centre_ = r;
  space.velocity(centre_, v_);
  outcome_.errors = space.errors(centre_, v_);
  handed_ = 1e-2 / limits.aim;
  direction_ = -1;
  double alpha = std::clamp(kStart * outcome_.errors.scaled, 1e-3, kLargestAlpha);
  while (!start(alpha)) {
    if (alpha >= kLargestAlpha || spent()) return outcome_;
    alpha = std::min(kLargestAlpha, 10 * alpha);
  }
  double h = kFirst;
  for (int flips = 0, folds = 0; !spent() && !look(r); folds = outcome_.folds) {
    if (!find_tangent() || !step(h)) break;
    flips = outcome_.folds > folds ? flips + 1 : 0;
    if (flips > kFlips || at_.s > std::log(alpha) + 3 || at_.s < std::log(kSmallestAlpha)) break;
  }
  return outcome_;
}

template <int Rows>
void ContactPath<Rows>::follow(ContactRun<Rows>& frame, int steps) {
  const double mean = std::sqrt(square(frame.best()) / static_cast<double>(frame.space.size()));
  std::vector<double> centre = frame.best();
  for (int k = 0; k < 3 && !frame.solved() && frame.left() > 0; ++k) {
    if (k > 0) std::fill(centre.begin(), centre.end(), 0.0);
    for (std::size_t i = 0; k == 2 && i < frame.space.size(); ++i) centre[stride * i] = mean;
    const Limits limits{frame.aim(), frame.tol(), std::min(frame.left(), steps)};
    const Outcome outcome = run(frame.space, frame.matrix(), limits, centre);
    frame.spend(outcome.newton_steps);
    frame.keep(centre, outcome.errors, "path");
  }
}

template class ContactPath<3>;
template class ContactPath<5>;

}  // namespace vinculum::solvers
