// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Stribeck friction under a given normal force.                                     theory/glocker-1998.md, Sec 2, test
// 14
//   Φ(v) = N [μ_d|v| + (μ_s − μ_d) v_s (1 − exp(−|v|/v_s))],   Φ'(v) = N [μ_d + (μ_s − μ_d) exp(−v/v_s)] for v > 0
//   ∂Φ(0) = [−μ_s N, μ_s N].
// Not convex if μ_s > μ_d, yet regular: the kink at 0 opens upwards. No convex solver on velocity level.
#include "vinculum/potentials/registry.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::potentials {
namespace {

struct Stribeck final : Superpotential {
  double N, mu_s, mu_d, v_s;

  Stribeck(double load, double statics, double dynamics, double velocity)
      : N(load), mu_s(statics), mu_d(dynamics), v_s(velocity) {}
  Level level() const override { return Level::velocity; }
  int rows() const override { return 1; }
  bool is_convex() const override { return mu_s <= mu_d || N == 0; }
  bool is_dissipative() const override { return true; }
  double value(double v) const { return N * (mu_d * v - (mu_s - mu_d) * v_s * std::expm1(-v / v_s)); }
  double force(double v) const { return N * (mu_d + (mu_s - mu_d) * std::exp(-v / v_s)); }
  double potential(const Vec& u) const override { return value(std::abs(u[0])); }

  SetPtr gradient_set(const Vec& u, double tol) const override {
    if (std::abs(u[0]) <= tol) return convex::make_interval(-mu_s * N, mu_s * N);
    return convex::make_point(convex::vec(std::copysign(force(std::abs(u[0])), u[0])));
  }

  // z + r Φ'(z) − |x| is convex in z > 0 with its least value at z_m; beyond z_m its root is a local minimum, to be
  // compared with z = 0.
  Vec prox(const Vec& x, double r) const override {
    if (is_convex()) return Superpotential::prox(x, r);
    const double size = std::abs(x[0]), steep = r * N * (mu_s - mu_d) / v_s;
    double low = steep > 1 ? v_s * std::log(steep) : 0, high = size;
    if (low >= high || low + r * force(low) - size > 0) return convex::vec(0);
    for (int k = 0; k < 200; ++k) {
      const double z = .5 * (low + high);
      if (z <= low || z >= high) break;
      (z + r * force(z) - size < 0 ? low : high) = z;
    }
    const double there = value(low) + (low - size) * (low - size) / (2 * r), rest = size * size / (2 * r);
    return convex::vec(there < rest ? std::copysign(low, x[0]) : 0);
  }
};

}  // namespace

LawFactory stribeck_factory() {
  static const Parameter parameters[] = {
      {.name = "normal_force", .unit = "N", .text = "given normal force", .low = 0},
      {.name = "mu_static", .unit = "1", .text = "friction coefficient at rest", .low = 0},
      {.name = "mu_dynamic", .unit = "1", .text = "friction coefficient at high speed", .low = 0},
      {.name = "velocity", .unit = "m/s", .text = "speed over which it falls", .low = 0, .open = true},
  };
  return {Level::velocity, parameters, [](const Values& v) -> LawPtr {
            return std::make_shared<Stribeck>(v.at("normal_force"), v.at("mu_static"), v.at("mu_dynamic"),
                                              v.at("velocity"));
          }};
}

}  // namespace vinculum::potentials
