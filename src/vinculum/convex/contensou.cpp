// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Coulomb–Contensou: sliding and drilling of a disc (radius R) pressed uniformly, load F = μN.
//
//   Φ(v, ω) = F · mean over the disc of |v + ω × r|,     C = ∂Φ(0),   h_C = Φ
//
// With a = |v|, b = R|ω| the mean is that of the distance to the instantaneous centre, at a/b radii from the middle.
// It is a complete elliptic integral of the modulus k = min(a, b)/max(a, b). In terms of
//   B = ∫cos²/Δ,  D = ∫sin²/Δ,  C = (D − B)/k²,  Δ = √(1 − k² sin²) over (0, π/2),  k'² = 1 − k²
// (K = B + D, E = B + k'² D; all without cancellation from the arithmetic-geometric mean):
//   a ≤ b, k = a/b:   Φ = F (4/9π) b [(7 + k²)E − 4k'²K],   Φ_a = F (4/3π) k [2B + k'²D],   Φ_b = (Φ − a Φ_a)/b
//   a ≥ b, k = b/a:   Φ = F (4/9π) a [(5 + 3k²)B + 4k'²D],  Φ_b = F (4/9π) k [C + 3B − D],  Φ_a = (Φ − b Φ_b)/a
// derived with dB/dk = (D − B)/k, dD/dk = (B/k'² − D)/k.  Φ(v, 0) = F|v|, Φ(0, ω) = (2/3) F R|ω|.
// Φ is smooth away from 0, so every face but C itself is the point ∇Φ.
//
// Projection of y ∉ C: the distance is max over unit d of ⟨d, y⟩ − Φ(d); C is a body of revolution, so that d = (cos θ
// y_T/|y_T|, sin θ sign y_τ), and θ is the root of ⟨d⊥, y − ∇Φ(d)⟩, bracketed by 0 and π/2.
#include "vinculum/base/error.hpp"
#include "vinculum/convex/members.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace vinculum::convex {
namespace {

constexpr double kPi = std::numbers::pi;

struct Elliptic {
  double B, D, C, kc2_D;  // kc2_D = k'² D, zero in the limit k = 1
};

// Arithmetic-geometric mean with c_n² summed: K = π/(2 agm), D = K/k² Σ 2^{n−1} c_n², c_0 = k, c_{n+1} = c_n²/(4
// a_{n+1}).
Elliptic complete(double k, double kc) {
  if (kc < 1e-150) return {1, INFINITY, INFINITY, 0};
  double a = 1, g = kc, power = 1, tail = 0;
  double ratio = 1 / (2 * (1 + kc));  // c_1/k²
  for (int n = 1; n < 40; ++n) {
    const double mean = .5 * (a + g);
    g = std::sqrt(a * g);
    a = mean;
    const double term = power * ratio * ratio;  // 2^{n−1} c_n²/k⁴
    tail += term;
    if (term <= 1e-18 * tail) break;
    const double c = ratio * k * k;
    ratio = ratio * c / (4 * .5 * (a + g));
    power *= 2;
  }
  const double K = kPi / (a + g);
  const double D = K * (.5 + k * k * tail), C = 2 * K * tail;
  return {D - k * k * C, D, C, kc * kc * D};
}

// Φ and its slopes for F = 1.
struct Mean {
  double value, slope_a, slope_b;
};

Mean mean_speed(double a, double b) {
  const double large = std::max(a, b), small = std::min(a, b);
  if (large == 0) return {0, 0, 0};
  const double k = small / large;
  const Elliptic e = complete(k, std::sqrt((1 - k) * (1 + k)));
  if (a <= b) {
    const double E = e.B + e.kc2_D;
    const double kc2_K = (1 - k) * (1 + k) * e.B + e.kc2_D;
    const double per = 4 / (9 * kPi) * ((7 + k * k) * E - 4 * kc2_K);
    const double slope = 4 / (3 * kPi) * k * (2 * e.B + e.kc2_D);
    return {b * per, slope, per - k * slope};
  }
  const double per = 4 / (9 * kPi) * ((5 + 3 * k * k) * e.B + 4 * e.kc2_D);
  // k(C − D) = (k'²D − B)/k, the better form where C and D are large.
  const double bracket = k > .5 ? (e.kc2_D - e.B + 3 * k * k * e.B) / k : k * (e.C + 3 * e.B - e.D);
  const double slope = 4 / (9 * kPi) * bracket;
  return {a * per, per - k * slope, slope};
}

struct Contensou final : Set {
  double load, radius;

  Contensou(double f, double r) : Set(3), load(f), radius(r) {}
  bool is_bounded() const override { return true; }
  double support(const Vec& d) const override {
    return load * mean_speed(std::hypot(d[0], d[1]), radius * std::abs(d[2])).value;
  }

  Vec gradient(const Vec& d) const {
    const double a = std::hypot(d[0], d[1]);
    const Mean m = mean_speed(a, radius * std::abs(d[2]));
    const double along = a > 0 ? load * m.slope_a / a : 0;
    return vec(along * d[0], along * d[1], std::copysign(load * radius * m.slope_b, d[2]));
  }

  SetPtr face(const Vec& d, double tol) const override {
    if (d.norm() <= tol || d.norm() == 0) return shared_from_this();
    return make_point(gradient(d));
  }

  // In the half plane (|y_T|, |y_τ|): ⟨d, y⟩ − Φ(d) and its derivative by θ.
  double gain(double theta, double y_T, double y_tau, double* slope) const {
    const double c = std::cos(theta), s = std::sin(theta);
    const Mean m = mean_speed(c, radius * s);
    *slope = -s * (y_T - load * m.slope_a) + c * (y_tau - load * radius * m.slope_b);
    return c * y_T + s * y_tau - load * m.value;
  }

  Vec project(const Vec& y) const override {
    const double y_T = std::hypot(y[0], y[1]), y_tau = std::abs(y[2]);
    // The gain is quasi-concave where it is positive; a scan finds the hill, bracketed root finding its top.
    constexpr int n = 32;
    int best = 0;
    double top = -INFINITY, slope;
    for (int i = 0; i <= n; ++i) {
      const double value = gain(.5 * kPi * i / n, y_T, y_tau, &slope);
      if (value > top) {
        top = value;
        best = i;
      }
    }
    const double theta =
        find_top(.5 * kPi * std::max(best - 1, 0) / n, .5 * kPi * std::min(best + 1, n) / n, y_T, y_tau);
    if (gain(theta, y_T, y_tau, &slope) <= 0) return y;
    const double c = std::cos(theta), s = std::sin(theta);
    const double unit_0 = y_T > 0 ? y[0] / y_T : 1, unit_1 = y_T > 0 ? y[1] / y_T : 0;
    return gradient(vec(c * unit_0, c * unit_1, std::copysign(s, y[2])));
  }

  // Root of the slope, positive on the left and negative on the right: regula falsi (Illinois), guarded by bisection.
  double find_top(double left, double right, double y_T, double y_tau) const {
    double f_left, f_right;
    gain(left, y_T, y_tau, &f_left);
    gain(right, y_T, y_tau, &f_right);
    if (f_left <= 0) return left;
    if (f_right >= 0) return right;
    for (int k = 0, side = 0; k < 100 && right - left > 2e-16 * right; ++k) {
      double middle = (left * -f_right + right * f_left) / (f_left - f_right);
      if (k % 8 == 7 || !(middle > left && middle < right)) middle = .5 * (left + right);
      if (middle <= left || middle >= right) break;
      double f;
      gain(middle, y_T, y_tau, &f);
      if (f == 0) return middle;
      if (f > 0) {
        left = middle;
        f_left = f;
        if (side == 1) f_right *= .5;
        side = 1;
      } else {
        right = middle;
        f_right = f;
        if (side == -1) f_left *= .5;
        side = -1;
      }
    }
    return .5 * (left + right);
  }

  std::string text() const override { return fmt::format("Contensou set of load {:.6g}, radius {:.6g}", load, radius); }
};

}  // namespace

SetPtr make_contensou(double load, double radius) {
  VINCULUM_DEMAND(load >= 0 && radius >= 0);
  if (load == 0) return make_point(Vec::Zero(3));
  if (radius == 0) return make_product(make_ball(Vec::Zero(2), load), make_point(Vec::Zero(1)));
  return std::make_shared<Contensou>(load, radius);
}

}  // namespace vinculum::convex
