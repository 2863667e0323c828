// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A force that changes sign with x.                                                 theory/glocker-1998.md, tests 20
// and 23
//   V = F_0|x|;   ∂V(0) = [−|F_0|, |F_0|].
// F_0 < 0: a ridge. Not convex and not regular: V^(0; p) = |F_0||p| while the true slope is −|F_0||p|.
#include "vinculum/potentials/registry.hpp"

#include <cmath>

namespace vinculum::potentials {
namespace {

struct Step final : Superpotential {
  double F_0;

  explicit Step(double force) : F_0(force) {}
  Level level() const override { return Level::displacement; }
  int rows() const override { return 1; }
  bool is_convex() const override { return F_0 >= 0; }
  bool is_regular() const override { return F_0 >= 0; }
  bool is_homogeneous() const override { return F_0 >= 0; }
  double potential(const Vec& x) const override { return F_0 * std::abs(x[0]); }

  SetPtr gradient_set(const Vec& x, double tol) const override {
    if (std::abs(x[0]) <= tol) return convex::make_interval(-std::abs(F_0), std::abs(F_0));
    return convex::make_point(convex::vec(std::copysign(1.0, x[0]) * F_0));
  }

  // Downhill from a ridge, to the right from its top.
  Vec prox(const Vec& x, double r) const override {
    if (F_0 < 0) return convex::vec(x[0] >= 0 ? x[0] - r * F_0 : x[0] + r * F_0);
    return convex::vec(std::copysign(std::max(0.0, std::abs(x[0]) - r * F_0), x[0]));
  }
};

}  // namespace

LawFactory step_factory() {
  static const Parameter parameters[] = {
      {.name = "force", .unit = "N", .text = "F_0; negative: a ridge, neither convex nor regular"},
  };
  return {Level::displacement, parameters,
          [](const Values& v) -> LawPtr { return std::make_shared<Step>(v.at("force")); }};
}

}  // namespace vinculum::potentials
