// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Linear damper, the same in every row.                                             theory/glocker-1998.md, Sec 2
//   Φ(u) = d/2 |u|²;   f = −d u,  Ψ linear.
#include "vinculum/potentials/registry.hpp"

#include <limits>

namespace vinculum::potentials {
namespace {

struct Viscous final : Superpotential {
  int rows_;
  double d;  // N s/m

  Viscous(int n, double damping) : rows_(n), d(damping) {}
  Level level() const override { return Level::velocity; }
  int rows() const override { return rows_; }
  bool is_dissipative() const override { return true; }
  double potential(const Vec& u) const override { return d / 2 * u.squaredNorm(); }
  SetPtr gradient_set(const Vec& u, double) const override { return convex::make_point(d * u); }
  Vec prox(const Vec& x, double r) const override { return x / (1 + r * d); }
  double conjugate(const Vec& y) const override {
    if (d > 0) return y.squaredNorm() / (2 * d);
    return y.isZero(0) ? 0 : std::numeric_limits<double>::infinity();
  }
};

}  // namespace

LawFactory viscous_factory() {
  static const Parameter parameters[] = {
      {.name = "damping", .unit = "N s/m", .text = "force per speed, d", .low = 0},
      {.name = "rows", .unit = "1", .text = "number of rows", .low = 1, .high = 3, .integer = true, .fallback = 1},
  };
  return {Level::velocity, parameters, [](const Values& v) -> LawPtr {
            return std::make_shared<Viscous>(static_cast<int>(v.at("rows")), v.at("damping"));
          }};
}

}  // namespace vinculum::potentials
