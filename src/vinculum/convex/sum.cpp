// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Minkowski sums A + B:  h = h_A + h_B,  face = face_A + face_B.
//
// Projection of x. Point, box + box and ball + ball need none of this; A + ball(R) is exact:
//   P(x) = x if |x − P_A(x)| ≤ R, else P_A(x) + R (x − P_A(x))/|x − P_A(x)|.
// Otherwise a + b minimises |x − a − b| iff a = P_A(x − b), b = P_B(x − a): a fixed point of the nonexpansive map
//   T(a) = P_A(x − P_B(x − a)).
// T is piecewise smooth in at most three unknowns; Newton with differences converges in a few steps to the rounding of
// the projections themselves. Where Newton does not reduce |T(a) − a| the plain step a ← T(a), which always converges,
// is taken. a need not be unique (pseudo-inverse); a + b is.
#include "vinculum/base/error.hpp"
#include "vinculum/convex/members.hpp"

#include <fmt/format.h>
#include <Eigen/QR>

#include <limits>

namespace vinculum::convex {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

struct Sum final : Set {
  SetPtr a, b;

  Sum(SetPtr first, SetPtr second) : Set(first->dimension()), a(std::move(first)), b(std::move(second)) {}
  bool is_point() const override { return a->is_point() && b->is_point(); }
  bool is_bounded() const override { return a->is_bounded() && b->is_bounded(); }
  double support(const Vec& d) const override { return a->support(d) + b->support(d); }
  SetPtr face(const Vec& d, double tol) const override { return make_sum(a->face(d, tol), b->face(d, tol)); }
  std::string text() const override { return fmt::format("({}) + ({})", a->text(), b->text()); }

  Vec project(const Vec& x) const override {
    if (const auto* ball = dynamic_cast<const Ball*>(b.get())) return project_inflated(x - ball->center, ball);
    return settle(project_far(x), x);
  }

  Vec project_far(const Vec& x) const {
    Vec y = a->project(x - b->project(x));
    Vec best_step = map(y, x) - y;
    for (int k = 0; k < 300; ++k) {
      const double size = best_step.norm();
      if (size <= 2 * kEps * (1 + x.norm() + y.norm())) break;
      if (k >= 20 && (x - y - b->project(x - y)).norm() <= 1e-5 * (1 + x.norm())) break;  // touching: settle() goes on
      const Vec trial = a->project(y + newton_step(y, best_step, x));
      const Vec step = map(trial, x) - trial;
      if (step.norm() < .5 * size) {
        y = trial;
        best_step = step;
      } else {
        y += best_step;
        best_step = map(y, x) - y;
      }
    }
    return y + b->project(x - y);
  }

  // Where A and x − B touch, the fixed point is a triple root and its last digits come slowly. There the normal n is
  // sought instead, from a point well outside on the same normal: n ← direction of (x + s n) − P(x + s n), a
  // contraction wherever the boundary is not a corner. ⟨n, x⟩ − h(n) is then the signed distance of x.
  Vec settle(const Vec& p, const Vec& x) const {
    const double scale = 1 + x.norm();
    double size = (x - p).norm();
    if (size == 0 || size > 1e-4 * scale) return p;
    Vec n = (x - p) / size;
    double depth = -std::numeric_limits<double>::infinity();
    for (int k = 0; k < 60; ++k) {
      const Vec outer = x + .1 * scale * n;
      const Vec off = outer - project_far(outer);
      if (off.norm() == 0) return x;
      const double next = n.dot(x) - support(n);
      if (next > 4 * kEps * scale && next <= depth) break;
      depth = std::max(depth, next);
      const Vec turned = off / off.norm();
      const bool done = (turned - n).norm() <= 4 * kEps;
      n = turned;
      if (done) break;
    }
    return depth <= 4 * kEps * scale ? x : Vec(x - depth * n);
  }

  Vec map(const Vec& y, const Vec& x) const { return a->project(x - b->project(x - y)); }

  // (I − T')⁺ (T(y) − y), T' by central differences: an error of the derivative slows the last steps, no more.
  Vec newton_step(const Vec& y, const Vec& residual, const Vec& x) const {
    const double h = 1e-6 * (1e-6 + x.norm() + y.norm());
    Mat D = Mat::Identity(dimension(), dimension());
    for (int j = 0; j < dimension(); ++j) {
      Vec e = Vec::Zero(dimension());
      e[j] = h;
      D.col(j) -= (map(y + e, x) - map(y - e, x)) / (2 * h);
    }
    Eigen::CompleteOrthogonalDecomposition<Mat> solver;
    solver.setThreshold(1e-9);
    solver.compute(D);
    return solver.solve(residual);
  }

  Vec project_inflated(const Vec& x, const Ball* ball) const {
    const Vec p = a->project(x);
    const double off = (x - p).norm();
    if (off <= ball->radius) return x + ball->center;
    return ball->center + p + (ball->radius / off) * (x - p);
  }
};

}  // namespace

SetPtr make_sum(const SetPtr& a, const SetPtr& b) {
  VINCULUM_DEMAND(a->dimension() == b->dimension());
  if (a->empty() || b->empty()) return make_empty(a->dimension());
  if (a->is_point()) return make_translate(b, a->least());
  if (b->is_point()) return make_translate(a, b->least());
  const auto *p = dynamic_cast<const Box*>(a.get()), *q = dynamic_cast<const Box*>(b.get());
  if (p && q) return make_box(p->low + q->low, p->high + q->high);
  const auto *r = dynamic_cast<const Ball*>(a.get()), *s = dynamic_cast<const Ball*>(b.get());
  if (r && s) return make_ball(r->center + s->center, r->radius + s->radius);
  if (r) return std::make_shared<Sum>(b, a);
  return std::make_shared<Sum>(a, b);
}

}  // namespace vinculum::convex
