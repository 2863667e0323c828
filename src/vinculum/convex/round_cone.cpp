// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Second-order cones { |x̄| ≤ s x_0 } and products of cones. The polar of the cone of slope s is the mirror image of the
// cone of slope 1/s.
#include "vinculum/base/error.hpp"
#include "vinculum/convex/cone.hpp"
#include "vinculum/convex/fixed_point.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace vinculum::convex {
namespace {

struct SecondOrderCone final : Cone {
  int size;
  double slope, sign;

  SecondOrderCone(int n, double s, bool down) : size(n), slope(s), sign(down ? -1 : 1) {}
  int dimension() const override { return size; }
  ConePtr polar() const override { return make_second_order_cone(size, 1 / slope, sign > 0); }
  SetPtr as_set() const override { return make_round_cone(size, slope, sign < 0); }

  Vector project(const Vector& x) const override {
    const double x_0 = sign * x[0], across = x.tail(size - 1).norm();
    if (across <= slope * x_0) return x;
    if (slope * across <= -x_0) return Vector::Zero(size);
    const double along = (x_0 + slope * across) / (1 + slope * slope);
    Vector p(size);
    p << sign * along, (slope * along / across) * x.tail(size - 1);
    return p;
  }

  Vector project(const Vector& x, const Matrix& M) const override {
    return project_in_metric([this](const Vector& y) { return project(y); }, M, x);
  }
};

struct ProductCone final : Cone {
  ConePtr a, b;

  ProductCone(ConePtr first, ConePtr second) : a(std::move(first)), b(std::move(second)) {}
  int dimension() const override { return a->dimension() + b->dimension(); }
  ConePtr polar() const override { return make_product_cone(a->polar(), b->polar()); }
  SetPtr as_set() const override { return make_product(a->as_set(), b->as_set()); }

  Vector project(const Vector& x) const override {
    Vector p(dimension());
    p << a->project(x.head(a->dimension())), b->project(x.tail(b->dimension()));
    return p;
  }

  Vector project(const Vector& x, const Matrix& M) const override {
    return project_in_metric([this](const Vector& y) { return project(y); }, M, x);
  }
};

// The same cone as a set:  h(d) = 0 on the polar, else +inf;  a d on the boundary of the polar exposes the ray of the
// cone orthogonal to it, an inner d exposes {0}.
struct RoundSet final : Set {
  double slope, sign;

  RoundSet(int n, double s, bool down) : Set(n), slope(s), sign(down ? -1 : 1) {}
  bool is_bounded() const override { return false; }
  Vec project(const Vec& x) const override { return SecondOrderCone(dimension(), slope, sign < 0).project(x); }

  // Positive outside the polar, distance to it to first order: (s|d̄| + σ d_0)/√(1 + s²).
  double above_polar(const Vec& d) const {
    return (slope * d.tail(dimension() - 1).norm() + sign * d[0]) / std::sqrt(1 + slope * slope);
  }
  static double rounding(const Vec& d) { return 8 * std::numeric_limits<double>::epsilon() * d.norm(); }

  double support(const Vec& d) const override {
    return above_polar(d) <= rounding(d) ? 0 : std::numeric_limits<double>::infinity();
  }

  SetPtr face(const Vec& d, double tol) const override {
    if (d.norm() <= tol || d.norm() == 0) return shared_from_this();
    const double above = above_polar(d), zero = std::max(tol, rounding(d));
    if (above > zero) return make_empty(dimension());
    if (above < -zero) return make_point(Vec::Zero(dimension()));
    Vec ray(dimension());
    ray << sign, slope * d.tail(dimension() - 1).normalized();
    return make_cone(ray);
  }

  std::string text() const override { return fmt::format("round cone of slope {:.6g} along {}", slope, sign); }
};

Matrix block(const Matrix& a, const Matrix& b) {
  Matrix both = Matrix::Zero(a.rows() + b.rows(), a.cols() + b.cols());
  both.topLeftCorner(a.rows(), a.cols()) = a;
  both.bottomRightCorner(b.rows(), b.cols()) = b;
  return both;
}

}  // namespace

ConePtr make_second_order_cone(int dimension, double slope, bool down) {
  VINCULUM_DEMAND(dimension >= 2 && slope > 0);
  return std::make_shared<SecondOrderCone>(dimension, slope, down);
}

SetPtr make_round_cone(int dimension, double slope, bool down) {
  VINCULUM_DEMAND(dimension >= 2 && dimension <= 3 && slope > 0);
  return std::make_shared<RoundSet>(dimension, slope, down);
}

ConePtr make_product_cone(const ConePtr& a, const ConePtr& b) {
  const PolyhedralCone *p = a->polyhedral(), *q = b->polyhedral();
  if (!p || !q) return std::make_shared<ProductCone>(a, b);
  const PolyhedralCone r = p->by_rows(), s = q->by_rows();
  return std::make_shared<PolyhedralCone>(block(r.rays, s.rays), block(r.lines, s.lines), false);
}

}  // namespace vinculum::convex
