// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Ellipses and ellipsoids { c + Q diag(a) y : |y| ≤ 1 }, some a_i perhaps zero.
//   h(d) = ⟨c, d⟩ + |diag(a) Qᵀd|,   face: the point c + Q diag(a)² Qᵀd / |diag(a) Qᵀd|.
//
// Projection in principal axes, z = Qᵀ(x − c):  p_i = a_i² z_i/(a_i² + t) with t ≥ 0 the root of the secular equation
//   s(t) = Σ (a_i z_i/(a_i² + t))² = 1.
// √s is convex and decreasing; Newton on 1 − 1/√s from the left end of a bracket comes from one side, and a bisection
// guards it.   Left end max_i (a_i|z_i| − a_i²), right end |diag(a) z|.
#include "vinculum/base/error.hpp"
#include "vinculum/convex/members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace vinculum::convex {
namespace {

struct Ellipsoid final : Set {
  Vec center, radii;
  Mat axes;

  Ellipsoid(const Vec& c, const Vec& r, const Mat& q) : Set(static_cast<int>(c.size())), center(c), radii(r), axes(q) {}
  bool is_bounded() const override { return true; }

  Vec project(const Vec& x) const override {
    const Vec z = axes.transpose() * (x - center);
    bool inside = true;
    double size = 0;
    for (int i = 0; i < dimension(); ++i) {
      if (radii[i] > 0) size += z[i] * z[i] / (radii[i] * radii[i]);
      if (radii[i] == 0 && z[i] != 0) inside = false;
    }
    if (size <= 1 && inside) return x;
    const double t = size <= 1 ? 0 : find_root(z);
    Vec p = z;
    for (int i = 0; i < dimension(); ++i) {
      p[i] = radii[i] > 0 ? radii[i] * radii[i] * z[i] / (radii[i] * radii[i] + t) : 0;
    }
    return center + axes * p;
  }

  double find_root(const Vec& z) const {
    double left = 0, right = radii.cwiseProduct(z).norm();
    for (int i = 0; i < dimension(); ++i) left = std::max(left, radii[i] * (std::abs(z[i]) - radii[i]));
    double t = left;
    for (int k = 0; k < 100; ++k) {
      double s = 0, slope = 0;  // s and −s'/2
      for (int i = 0; i < dimension(); ++i) {
        if (radii[i] == 0) continue;
        const double w = radii[i] * radii[i] + t, q = radii[i] * z[i] / w;
        s += q * q;
        slope += q * q / w;
      }
      (s > 1 ? left : right) = t;
      double next = t + (std::sqrt(s) - 1) * s / slope;
      if (!(next >= left && next <= right)) next = left + (right - left) / 2;
      if (next == t || right - left <= 1e-16 * right) return next;
      t = next;
    }
    return t;
  }

  double support(const Vec& d) const override {
    return center.dot(d) + radii.cwiseProduct(Vec(axes.transpose() * d)).norm();
  }

  SetPtr face(const Vec& d, double tol) const override {
    Vec e = axes.transpose() * d;
    for (int i = 0; i < dimension(); ++i) e[i] = radii[i] > 0 ? e[i] : 0;
    if (e.norm() <= tol || e.norm() == 0) return shared_from_this();
    const Vec y = radii.cwiseProduct(e);
    return make_point(center + axes * Vec(radii.cwiseProduct(y / y.norm())));
  }

  std::string text() const override {
    return fmt::format("ellipsoid of radii {} around {}", to_text(radii), to_text(center));
  }
};

}  // namespace

SetPtr make_ellipsoid(const Vec& center, const Vec& radii) {
  return make_ellipsoid(center, radii, Mat::Identity(center.size(), center.size()));
}

SetPtr make_ellipsoid(const Vec& center, const Vec& radii, const Mat& axes) {
  VINCULUM_DEMAND((radii.array() >= 0).all());
  if ((radii.array() == 0).all()) return make_point(center);
  return std::make_shared<Ellipsoid>(center, radii, axes);
}

}  // namespace vinculum::convex
