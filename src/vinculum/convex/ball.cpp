// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Discs and balls: h(d) = ⟨c, d⟩ + R|d|; every face but the whole ball is one point.
#include "vinculum/base/error.hpp"
#include "vinculum/convex/members.hpp"

#include <fmt/format.h>

namespace vinculum::convex {

Vec Ball::project(const Vec& x) const {
  const Vec off = x - center;
  const double size = off.norm();
  return size <= radius ? x : Vec(center + (radius / size) * off);
}

SetPtr Ball::face(const Vec& d, double tol) const {
  const double size = d.norm();
  if (size <= tol || size == 0) return shared_from_this();
  return make_point(center + (radius / size) * d);
}

std::string Ball::text() const { return fmt::format("ball of radius {:.6g} around {}", radius, to_text(center)); }

SetPtr make_ball(const Vec& center, double radius) {
  VINCULUM_DEMAND(radius >= 0);
  if (radius == 0) return make_point(center);
  return std::make_shared<Ball>(center, radius);
}

}  // namespace vinculum::convex
