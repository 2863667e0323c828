// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Products of intervals with ends that may be infinite. Everything goes row by row:
//   P_i(x) = min(max(x_i, low_i), high_i),   h(d) = Σ max(d_i low_i, d_i high_i) with 0 · ∞ = 0.
#include "vinculum/base/error.hpp"
#include "vinculum/convex/members.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace vinculum::convex {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

}  // namespace

Vec Box::project(const Vec& x) const {
  if (empty()) return Vec::Constant(dimension(), std::nan(""));
  return x.cwiseMax(low).cwiseMin(high);
}

double Box::support(const Vec& d) const {
  if (empty()) return -kInf;
  double sum = 0;
  for (int i = 0; i < dimension(); ++i) {
    if (d[i] != 0) sum += d[i] > 0 ? d[i] * high[i] : d[i] * low[i];
  }
  return sum;
}

SetPtr Box::face(const Vec& d, double tol) const {
  Vec a = low, b = high;
  for (int i = 0; i < dimension(); ++i) {
    if (d[i] > tol) a[i] = high[i];
    if (d[i] < -tol) b[i] = low[i];
    if (a[i] == kInf || b[i] == -kInf) return make_empty(dimension());
  }
  return make_box(a, b);
}

std::string Box::text() const {
  if (is_point()) return fmt::format("{{{}}}", to_text(low));
  std::string text;
  for (int i = 0; i < dimension(); ++i) {
    if (i) text += " x ";
    text += low[i] == high[i] ? fmt::format("{{{:.6g}}}", low[i]) : fmt::format("[{:.6g}, {:.6g}]", low[i], high[i]);
  }
  return text;
}

SetPtr make_box(const Vec& low, const Vec& high) {
  VINCULUM_DEMAND(low.size() == high.size() && low.size() > 0);
  VINCULUM_DEMAND(!low.hasNaN() && !high.hasNaN());
  if ((low.array() > high.array()).any()) return make_empty(static_cast<int>(low.size()));
  return std::make_shared<Box>(low, high);
}

SetPtr make_point(const Vec& x) { return make_box(x, x); }
SetPtr make_interval(double low, double high) { return make_box(vec(low), vec(high)); }
SetPtr make_space(int dimension) { return make_box(Vec::Constant(dimension, -kInf), Vec::Constant(dimension, kInf)); }

}  // namespace vinculum::convex
