// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// V = c xᵖ on x ≥ 0, +inf below.
//   x > 0: −f = c p xᵖ⁻¹;   x = 0: −f ∈ (−∞, V'(0+)], a wall with a nonlinear spring before it.
// p < 1 is refused (theory/glocker-1998.md, test 25): the slope at 0 is infinite. c > 0, √x: Φ(p) = +inf for every p >
// 0, no motion away from 0 has finite power. c < 0, −√x: Φ(p) = −inf for p > 0, Φ is not proper.
#include "vinculum/base/error.hpp"
#include "vinculum/potentials/registry.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace vinculum::potentials {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

struct Power final : Superpotential {
  double c, p;

  Power(double coefficient, double exponent) : c(coefficient), p(exponent) {}
  Level level() const override { return Level::displacement; }
  int rows() const override { return 1; }
  bool is_convex() const override { return c >= 0 || p == 1; }
  SetPtr domain() const override { return convex::make_interval(0, kInf); }
  double potential(const Vec& x) const override { return x[0] < 0 ? kInf : c * std::pow(x[0], p); }
  double slope(double x) const { return c * p * std::pow(x, p - 1); }

  SetPtr gradient_set(const Vec& x, double tol) const override {
    if (x[0] < -tol) return convex::make_empty(1);
    return x[0] <= tol ? convex::make_interval(-kInf, slope(0)) : convex::make_point(convex::vec(slope(x[0])));
  }

  Vec prox(const Vec& x, double r) const override {
    return is_convex() ? Superpotential::prox(x, r) : convex::vec(find_hollow(x[0], r));
  }

  // c < 0: g(z) = z − x + r c p zᵖ⁻¹ is the slope of the objective, turning once, at z_m. A rising root is a local
  // minimum: beyond z_m if p < 2, before z_m if p > 2. z = 0 is one if x ≤ 0. NaN if there is none: V falls faster than
  // |z|²/2r.
  double find_hollow(double x, double r) const {
    const auto g = [&](double z) { return z - x + r * slope(z); };
    const double steep = -r * c * p * (p - 1);
    if (p == 2) return x <= 0 ? 0 : steep < 1 ? x / (1 - steep) : std::nan("");
    const double turn = std::pow(steep, 1 / (2 - p));
    double low = p < 2 ? turn : 0, high = p < 2 ? turn + 1 : turn;
    while (p < 2 && g(high) < 0) high *= 2;
    if (!(g(low) <= 0 && g(high) >= 0)) return x <= 0 ? 0 : std::nan("");
    for (int k = 0; k < 200; ++k) {
      const double z = .5 * (low + high);
      if (z <= low || z >= high) break;
      (g(z) < 0 ? low : high) = z;
    }
    const auto cost = [&](double z) { return potential(convex::vec(z)) + (z - x) * (z - x) / (2 * r); };
    return x <= 0 && cost(0) < cost(low) ? 0 : low;
  }
};

LawPtr make(const Values& v) {
  const double c = v.at("coefficient"), p = v.at("exponent");
  if (p < 1 && c > 0) {
    throw base::InputError(fmt::format(
        "power.exponent: found {}, expected a number >= 1: c x^p has an infinite slope at 0, Phi(p) = +inf for p > 0",
        p));
  }
  if (p < 1 && c < 0) {
    throw base::InputError(fmt::format(
        "power.exponent: found {}, expected a number >= 1: c x^p falls without bound at 0, Phi is not proper", p));
  }
  return std::make_shared<Power>(c, p);
}

}  // namespace

LawFactory power_factory() {
  static const Parameter parameters[] = {
      {.name = "coefficient", .unit = "N m^(1-p)", .text = "factor c of c x^p"},
      {.name = "exponent", .unit = "1", .text = "exponent p of c x^p", .low = 0, .open = true},
  };
  return {Level::displacement, parameters, make};
}

}  // namespace vinculum::potentials
