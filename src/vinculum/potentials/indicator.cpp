// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Indicators I_D: hard constraints.                                              theory/glocker-1998.md, Sec 8 and 9
//   ∂I_D(x) = N_D(x),  Φ = I_{T_D(x)},  ∂Φ(u) = N_{T_D(x)}(u),  prox = projection.
#include "vinculum/base/error.hpp"
#include "vinculum/potentials/compose.hpp"

#include <cmath>
#include <limits>

namespace vinculum::potentials {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

struct BoxIndicator final : Superpotential {
  Level level_;
  Vec low, high;
  SetPtr box;

  BoxIndicator(Level l, const Vec& a, const Vec& b) : level_(l), low(a), high(b), box(convex::make_box(a, b)) {}
  Level level() const override { return level_; }
  int rows() const override { return static_cast<int>(low.size()); }
  bool is_dissipative() const override { return level_ == Level::velocity && box->contains(Vec::Zero(rows())); }
  SetPtr domain() const override { return box; }
  double potential(const Vec& x) const override { return box->contains(x) ? 0 : kInf; }
  Vec prox(const Vec& x, double) const override { return box->project(x); }
  double conjugate(const Vec& y) const override { return box->support(y); }

  SetPtr gradient_set(const Vec& x, double tol) const override {
    Vec a = Vec::Zero(rows()), b = a;
    for (int i = 0; i < rows(); ++i) {
      if (!(x[i] >= low[i] - tol && x[i] <= high[i] + tol)) return convex::make_empty(rows());
      if (x[i] <= low[i] + tol) a[i] = -kInf;
      if (x[i] >= high[i] - tol) b[i] = kInf;
    }
    return convex::make_box(a, b);
  }
};

struct Indicator final : Superpotential {
  Level level_;
  convex::RegionPtr region;
  bool regular;

  Indicator(Level l, convex::RegionPtr r, bool all) : level_(l), region(std::move(r)), regular(all) {}
  static double rounding(const Vec& x) { return 4 * std::numeric_limits<double>::epsilon() * (1 + x.norm()); }
  Level level() const override { return level_; }
  int rows() const override { return region->dimension(); }
  bool is_convex() const override { return region->is_convex(); }
  bool is_regular() const override { return regular; }
  SetPtr domain() const override { return nullptr; }
  double potential(const Vec& x) const override { return region->contains(x, rounding(x)) ? 0 : kInf; }
  Vec prox(const Vec& x, double) const override { return region->project(x); }

  SetPtr gradient_set(const Vec& x, double tol) const override {
    const convex::ConePtr N = region->normal(x, std::max(tol, rounding(x)));
    return N ? N->as_set() : convex::make_empty(rows());
  }
};

// A velocity law constrains by a convex cone S (10.1): what holds of u holds of every multiple.
void check_cone(const convex::Region& S) {
  const int n = S.dimension();
  bool cone = S.is_convex() && S.contains(convex::Vector::Zero(n));
  for (int k = 0; k < 26 && cone; ++k) {
    convex::Vector d(n);
    for (int i = 0, code = k < 13 ? k : k + 1; i < n; ++i, code /= 3) d[i] = code % 3 - 1;
    const convex::Vector x = S.project(d);
    for (double s : {.01, 100.}) cone = cone && S.contains(s * x, 1e-9 * (1 + s));
  }
  if (!cone) {
    throw base::InputError("indicator: found a set of velocities that is not a convex cone, expected a convex cone");
  }
}

}  // namespace

LawPtr make_box_indicator(Level level, const Vec& low, const Vec& high) {
  const bool cone = ((low.array() == 0 || low.array() == -kInf) && (high.array() == 0 || high.array() == kInf)).all();
  if (level == Level::velocity && !cone) {
    throw base::InputError(
        "indicator: found a box of velocities with an end that is neither 0 nor infinite, expected a "
        "convex cone");
  }
  return std::make_shared<BoxIndicator>(level, low, high);
}

LawPtr make_indicator(Level level, convex::RegionPtr region, bool regular) {
  VINCULUM_DEMAND(region->dimension() <= 3);
  if (level == Level::velocity) check_cone(*region);
  return std::make_shared<Indicator>(level, std::move(region), regular);
}

}  // namespace vinculum::potentials
