// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Prestressed spring with play.                                                     theory/glocker-1998.md, Sec 2, test
// 13
//   V = 0 for |x| ≤ c, else F_0(|x| − c) + k/2 (|x| − c)²;   ∂V(c) = [0, F_0].
//   At c:  Φ(p) = F_0 max(p, 0);   u > 0: Ψ = F_0 a,  u < 0: 0,  u = 0: F_0 max(a, 0).
#include "vinculum/potentials/registry.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::potentials {
namespace {

struct PlaySpring final : Superpotential {
  double c, F_0, k;

  PlaySpring(double play, double prestress, double stiffness) : c(play), F_0(prestress), k(stiffness) {}
  Level level() const override { return Level::displacement; }
  int rows() const override { return 1; }
  double potential(const Vec& x) const override {
    const double over = std::max(0.0, std::abs(x[0]) - c);
    return over * (F_0 + k / 2 * over);
  }

  SetPtr gradient_set(const Vec& x, double tol) const override {
    const double over = std::abs(x[0]) - c;
    if (c <= tol && std::abs(x[0]) <= tol) return convex::make_interval(-F_0, F_0);
    if (over < -tol) return convex::make_point(convex::vec(0));
    if (over > tol) return convex::make_point(convex::vec(std::copysign(F_0 + k * over, x[0])));
    return x[0] > 0 ? convex::make_interval(0, F_0) : convex::make_interval(-F_0, 0);
  }
};

}  // namespace

LawFactory play_spring_factory() {
  static const Parameter parameters[] = {
      {.name = "play", .unit = "m", .text = "half the play, c", .low = 0},
      {.name = "prestress", .unit = "N", .text = "force at first touch, F_0", .low = 0},
      {.name = "stiffness", .unit = "N/m", .text = "k beyond the play", .low = 0, .fallback = 0},
  };
  return {Level::displacement, parameters, [](const Values& v) -> LawPtr {
            return std::make_shared<PlaySpring>(v.at("play"), v.at("prestress"), v.at("stiffness"));
          }};
}

}  // namespace vinculum::potentials
