// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Segments, half lines and lines { c + s e : low ≤ s ≤ high } in a direction e, |e| = 1.
// A product ⟨d, e⟩ below the rounding of |d| counts as zero.
#include "vinculum/base/error.hpp"
#include "vinculum/convex/members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::convex {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();

struct Segment final : Set {
  Vec center, direction;
  double low, high;

  Segment(const Vec& c, const Vec& e, double a, double b)
      : Set(static_cast<int>(c.size())), center(c), direction(e), low(a), high(b) {}
  bool is_bounded() const override { return std::isfinite(low) && std::isfinite(high); }

  Vec project(const Vec& x) const override {
    return center + std::clamp(direction.dot(x - center), low, high) * direction;
  }

  double support(const Vec& d) const override {
    const double along = d.dot(direction);
    if (std::abs(along) <= kRounding * d.norm()) return center.dot(d);
    return center.dot(d) + (along > 0 ? along * high : along * low);
  }

  SetPtr face(const Vec& d, double tol) const override {
    const double along = d.dot(direction);
    if (std::abs(along) <= std::max(tol, kRounding * d.norm())) return shared_from_this();
    const double end = along > 0 ? high : low;
    if (!std::isfinite(end)) return make_empty(dimension());
    return make_point(center + end * direction);
  }

  std::string text() const override {
    return fmt::format("{} + [{:.6g}, {:.6g}] {}", to_text(center), low, high, to_text(direction));
  }
};

}  // namespace

SetPtr make_segment(const Vec& center, const Vec& direction, double low, double high) {
  VINCULUM_DEMAND(direction.norm() > 0 && low < kInf && high > -kInf);
  if (low > high) return make_empty(static_cast<int>(center.size()));
  const Vec e = direction / direction.norm();
  if (low == high) return make_point(center + low * e);
  return std::make_shared<Segment>(center, e, low, high);
}

}  // namespace vinculum::convex
