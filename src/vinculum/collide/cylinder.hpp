// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The solid cylinder x² + y² <= r², |z| <= l in its own frame, as the pair functions ask about it.
#pragma once

#include "vinculum/collide/emitter.hpp"

#include <cmath>
#include <utility>

namespace vinculum::collide {

/// √(x² + y²); sizes are far from overflow, so the care of std::hypot would only cost time.
inline double length(double x, double y) { return std::sqrt(x * x + y * y); }

struct Cylinder {
  double r, l;

  explicit Cylinder(const shapes::Shape& shape) : r(shape.radius), l(shape.half_length) {}

  /// h(n) = max n·x, and a point where it is attained. For n along the axis any point of the cap; one towards x is
  /// taken.
  double reach(const Vec3& n) const { return l * std::abs(n.z()) + r * length(n.x(), n.y()); }
  Vec3 support(const Vec3& n) const {
    const double across = length(n.x(), n.y()), z = n.z() < 0 ? -l : l;
    return across > 0 ? Vec3(r / across * n.x(), r / across * n.y(), z) : Vec3(r, 0, z);
  }

  enum class Zone : std::uint8_t { inside, cap, side, rim };
  struct Foot {
    Zone zone;
    Vec3 q;  // nearest point of the cylinder
    Vec3 d;  // p − q
  };
  Foot foot(const Vec3& p) const {
    const double across = length(p.x(), p.y());
    const bool beyond = std::abs(p.z()) > l, beside = across > r;
    const double shrink = beside ? r / across : 1;
    const Vec3 q(shrink * p.x(), shrink * p.y(), std::clamp(p.z(), -l, l));
    const Zone zone = beyond ? (beside ? Zone::rim : Zone::cap) : (beside ? Zone::side : Zone::inside);
    return {zone, q, p - q};
  }

  /// Unit tangent of the rim at a point of it.
  static Vec3 tangent(const Vec3& q) { return Vec3(-q.y(), q.x(), 0).normalized(); }
};

/// Root of a function with f(lo) > 0 >= f(hi), arguments of order 1, to the last bits. The functions here are smooth
/// but for a kink, often at the root itself, where methods that interpolate across it crawl. So steps take turns: the
/// chord across, the chord of the last two points to the left and to the right, carried on, and the middle.
template <class F>
double find_root(const F& f, double lo, double f_lo, double hi, double f_hi) {
  constexpr double enough = 4e-16;
  const double nothing = 1e-16 * std::max(f_lo, -f_hi);  // as near to zero as rounding lets f come
  double lo_old = lo, f_lo_old = f_lo, hi_old = hi, f_hi_old = f_hi;
  for (int k = 0; k < 120 && hi - lo > enough; ++k) {
    double mid = 0.5 * (lo + hi);
    if (k % 4 == 0) mid = (lo * f_hi - hi * f_lo) / (f_hi - f_lo);
    if (k % 4 == 1) mid = lo + f_lo * (lo - lo_old) / (f_lo_old - f_lo);
    if (k % 4 == 2) mid = hi + f_hi * (hi - hi_old) / (f_hi_old - f_hi);
    if (!(mid > lo && mid < hi)) mid = 0.5 * (lo + hi);
    const double f_mid = f(mid);
    if (std::abs(f_mid) <= nothing) return mid;
    if (f_mid > 0) {
      lo_old = std::exchange(lo, mid);
      f_lo_old = std::exchange(f_lo, f_mid);
    } else {
      hi_old = std::exchange(hi, mid);
      f_hi_old = std::exchange(f_hi, f_mid);
    }
  }
  return 0.5 * (lo + hi);
}

}  // namespace vinculum::collide
