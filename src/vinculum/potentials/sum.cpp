// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Sums of potentials:  ∂(P_1 + P_2) = ∂P_1 + ∂P_2 for regular terms under a qualification.    theory/glocker-1998.md,
// traps
//
// prox of a sum of two, one row: by bisection. More rows: Douglas–Rachford on P_1 + |· − x|²/2r and P_2,
//   w = prox(P_1, (s x + r y)/(r + s), rs/(r + s)),   y ← y + prox(P_2, 2w − y, s) − w,   s = r/(1 + r),
// with Newton on the fixed point.
#include "vinculum/base/error.hpp"
#include "vinculum/convex/fixed_point.hpp"
#include "vinculum/potentials/compose.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace vinculum::potentials {
namespace {

struct Sum final : Superpotential {
  LawPtr a, b;

  Sum(LawPtr first, LawPtr second) : a(std::move(first)), b(std::move(second)) {}
  Level level() const override { return a->level(); }
  int rows() const override { return a->rows(); }
  bool is_convex() const override { return a->is_convex() && b->is_convex(); }
  bool is_regular() const override { return a->is_regular() && b->is_regular(); }
  bool is_integrable() const override { return a->is_integrable() && b->is_integrable(); }
  bool is_dissipative() const override { return a->is_dissipative() && b->is_dissipative(); }
  bool is_homogeneous() const override { return a->is_homogeneous() && b->is_homogeneous(); }
  double potential(const Vec& x) const override { return a->potential(x) + b->potential(x); }
  LawPtr with_load(double normal_force) const override {
    return make_sum({a->with_load(normal_force), b->with_load(normal_force)});
  }
  SetPtr gradient_set(const Vec& x, double tol) const override {
    return convex::make_sum(a->gradient_set(x, tol), b->gradient_set(x, tol));
  }

  SetPtr domain() const override {
    const SetPtr p = a->domain(), q = b->domain();
    if (!p || !q || rows() > 1) return nullptr;
    const Vec one = convex::vec(1);
    return convex::make_interval(std::max(-p->support(-one), -q->support(-one)),
                                 std::min(p->support(one), q->support(one)));
  }

  Vec prox(const Vec& x, double r) const override {
    if (rows() == 1) return Superpotential::prox(x, r);
    const double s = r / (1 + r);
    const auto inner = [&](const Vec& y) -> Vec { return a->prox((s * x + r * y) / (r + s), r * s / (r + s)); };
    const convex::Map T = [&](const Eigen::VectorXd& y) -> Eigen::VectorXd {
      const Vec w = inner(y);
      return y + b->prox(2 * w - y, s) - w;
    };
    const Vec w = inner(convex::find_fixed_point(T, x));
    return w;
  }
};

}  // namespace

LawPtr make_sum(std::vector<LawPtr> terms) {
  VINCULUM_DEMAND(!terms.empty());
  LawPtr sum = terms[0];
  for (std::size_t k = 1; k < terms.size(); ++k) {
    if (terms[k]->rows() != sum->rows()) {
      throw base::InputError(
          fmt::format("sum: found terms of {} and {} rows, expected one size", sum->rows(), terms[k]->rows()));
    }
    if (terms[k]->level() != sum->level()) {
      throw base::InputError("sum: found terms of displacement and velocity level, expected one level");
    }
    sum = std::make_shared<Sum>(sum, terms[k]);
  }
  return sum;
}

}  // namespace vinculum::potentials
