// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The Lorentz cone L = { |x_T| ≤ x₀ } in three dimensions and its Jordan product x ∘ y = (x·y, x₀ y_T + y₀ x_T), for
// the interior points: x ∘ y = arw(x) y.
#pragma once

#include "vinculum/algebra/types.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::solvers::lorentz {

using algebra::Mat3;
using algebra::Vec3;

inline Vec3 circle(const Vec3& a, const Vec3& b) {
  return {a.dot(b), a[0] * b[1] + b[0] * a[1], a[0] * b[2] + b[0] * a[2]};
}

inline Mat3 arrow(const Vec3& x) {
  Mat3 X = x[0] * Mat3::Identity();
  X(0, 1) = X(1, 0) = x[1];
  X(0, 2) = X(2, 0) = x[2];
  return X;
}

/// arw(x)⁻¹ with det = x₀² − |x_T|².
inline Mat3 inverse_arrow(const Vec3& x) {
  const double s = std::sqrt(x[1] * x[1] + x[2] * x[2]);
  const double det = (x[0] - s) * (x[0] + s);
  Mat3 X;
  X(0, 0) = x[0] / det;
  for (int i = 1; i < 3; ++i) {
    X(0, i) = X(i, 0) = -x[i] / det;
    for (int j = 1; j < 3; ++j) X(i, j) = (i == j ? 1 / x[0] : 0) + x[i] * x[j] / (x[0] * det);
  }
  return X;
}

/// Largest t ≤ 1e3 with x + t d in L: first root of |x_T + t d_T|² = (x₀ + t d₀)².
inline double longest_step(const Vec3& x, const Vec3& d) {
  const double a = d[0] * d[0] - d[1] * d[1] - d[2] * d[2];
  const double b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2];
  const double s = std::sqrt(x[1] * x[1] + x[2] * x[2]);
  const double c = (x[0] - s) * (x[0] + s);
  double t = 1e3;
  const double disc = b * b - a * c;
  if (disc >= 0) {
    // a t² + 2 b t + c = 0, c > 0: the stable form of the smallest positive root
    const double root = std::sqrt(disc);
    for (double den : {-b + root, -b - root}) {
      if (den != 0 && c / den > 0) t = std::min(t, c / den);
    }
  }
  if (d[0] < 0) t = std::min(t, -x[0] / d[0]);
  return t;
}

/// Largest t ≤ 1e3 with x + t dx and y + t dy in the cone of the block: L, or the ray x₀ ≥ 0.
inline double longest_step(bool lorentz, const Vec3& x, const Vec3& dx, const Vec3& y, const Vec3& dy) {
  if (lorentz) return std::min(longest_step(x, dx), longest_step(y, dy));
  double t = 1e3;
  if (dx[0] < 0) t = std::min(t, -x[0] / dx[0]);
  if (dy[0] < 0) t = std::min(t, -y[0] / dy[0]);
  return t;
}

}  // namespace vinculum::solvers::lorentz
