// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The solid cylinder x² + y² <= r², |z| <= l in its own frame, as the pair functions ask about it.
#pragma once

#include "vinculum/collide/emitter.hpp"

#include <cmath>

namespace vinculum::collide {

struct Cylinder {
  double r, l;

  explicit Cylinder(const shapes::Shape& shape) : r(shape.radius), l(shape.half_length) {}

  /// h(n) = max n·x, and a point where it is attained. For n along the axis any point of the cap; one towards x is
  /// taken.
  double reach(const Vec3& n) const { return l * std::abs(n.z()) + r * std::hypot(n.x(), n.y()); }
  Vec3 support(const Vec3& n) const {
    const double across = std::hypot(n.x(), n.y()), z = n.z() < 0 ? -l : l;
    return across > 0 ? Vec3(r / across * n.x(), r / across * n.y(), z) : Vec3(r, 0, z);
  }

  enum class Zone : std::uint8_t { inside, cap, side, rim };
  struct Foot {
    Zone zone;
    Vec3 q;  // nearest point of the cylinder
    Vec3 d;  // p − q
  };
  Foot foot(const Vec3& p) const {
    const double across = std::hypot(p.x(), p.y());
    const bool beyond = std::abs(p.z()) > l, beside = across > r;
    const double shrink = beside ? r / across : 1;
    const Vec3 q(shrink * p.x(), shrink * p.y(), std::clamp(p.z(), -l, l));
    const Zone zone = beyond ? (beside ? Zone::rim : Zone::cap) : (beside ? Zone::side : Zone::inside);
    return {zone, q, p - q};
  }

  /// Unit tangent of the rim at a point of it.
  static Vec3 tangent(const Vec3& q) { return Vec3(-q.y(), q.x(), 0).normalized(); }
};

/// Root of a function with f(lo) > 0 >= f(hi), to the last bits: regula falsi, Illinois variant, with bisection when it
/// stalls.
template <class F>
double find_root(const F& f, double lo, double f_lo, double hi, double f_hi) {
  for (int k = 0; k < 100 && hi - lo > 1e-16 * (std::abs(lo) + std::abs(hi)); ++k) {
    double mid = k % 4 == 3 ? 0.5 * (lo + hi) : (lo * f_hi - hi * f_lo) / (f_hi - f_lo);
    if (!(mid > lo && mid < hi)) mid = 0.5 * (lo + hi);
    if (!(mid > lo && mid < hi)) break;
    const double f_mid = f(mid);
    if (f_mid == 0) return mid;
    if (f_mid > 0) {
      lo = mid;
      f_lo = f_mid;
      f_hi /= 2;
    } else {
      hi = mid;
      f_hi = f_mid;
      f_lo /= 2;
    }
  }
  return 0.5 * (lo + hi);
}

}  // namespace vinculum::collide
