// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Twists and wrenches, and how they change with the frame.                    theory/cheremensky.md, section 1
// (14)-(16)
//
//   twist   V = col{v, w}   velocity of the body's point at the origin O of the frame; angular velocity
//   wrench  F = col{f, m}   force; moment about O
//   power   Fᵀ V = f·v + m·w                                                the only product of the two
//
// Frame p placed in frame 0 by X = (d, C), x_0 = d + C x_p:
//   L^wr = [C 0; d^C C],   L^tw = [C d^C; 0 C] = (L^wr)^-T                   F_0 = L^wr F_p,   V_0 = L^tw V_p
// With the body twist V = col{Cᵀḋ, w}, w^ = CᵀĊ:
//   dL^wr/dt = L^wr Φ^wr,   Φ^wr = [w^ 0; v^ w^],   Φ^tw = −(Φ^wr)ᵀ = [w^ v^; 0 w^]
// Φ^tw(V) is the bracket of twists, Φ^wr(V) its dual on wrenches: F·(V × U) = −(V ×* F)·U.
// A twist and a wrench are different types: they do not add, convert or stand for each other.
#pragma once

#include "vinculum/algebra/types.hpp"

namespace vinculum::screw {

using algebra::Mat3;
using algebra::Pose;
using algebra::Quat;
using algebra::skew;
using algebra::Vec3;
using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat6 = Eigen::Matrix<double, 6, 6>;

struct Twist {
  Vec3 v = Vec3::Zero();  // m/s
  Vec3 w = Vec3::Zero();  // rad/s

  Twist operator+(const Twist& b) const { return {v + b.v, w + b.w}; }
  Twist operator-(const Twist& b) const { return {v - b.v, w - b.w}; }
  Twist operator-() const { return {-v, -w}; }
  Twist& operator+=(const Twist& b) { return *this = *this + b; }
  friend Twist operator*(double s, const Twist& a) { return {s * a.v, s * a.w}; }

  Vec6 vector() const { return (Vec6() << v, w).finished(); }
  static Twist from_vector(const Vec6& x) { return {x.head<3>(), x.tail<3>()}; }
};

struct Wrench {
  Vec3 f = Vec3::Zero();  // N
  Vec3 m = Vec3::Zero();  // N m

  Wrench operator+(const Wrench& b) const { return {f + b.f, m + b.m}; }
  Wrench operator-(const Wrench& b) const { return {f - b.f, m - b.m}; }
  Wrench operator-() const { return {-f, -m}; }
  Wrench& operator+=(const Wrench& b) { return *this = *this + b; }
  friend Wrench operator*(double s, const Wrench& a) { return {s * a.f, s * a.m}; }

  Vec6 vector() const { return (Vec6() << f, m).finished(); }
  static Wrench from_vector(const Vec6& x) { return {x.head<3>(), x.tail<3>()}; }
};

/// f·v + m·w, both at the same point in the same axes.
inline double power(const Wrench& F, const Twist& V) { return F.f.dot(V.v) + F.m.dot(V.w); }

/// From the frame placed by X to the frame in which X places it: L^tw V, L^wr F.
inline Twist outward(const Pose& X, const Twist& V) {
  const Vec3 w = X.R * V.w;
  return {X.R * V.v + X.p.cross(w), w};
}
inline Wrench outward(const Pose& X, const Wrench& F) {
  const Vec3 f = X.R * F.f;
  return {f, X.R * F.m + X.p.cross(f)};
}
/// The inverse maps.
inline Twist inward(const Pose& X, const Twist& V) {
  return {X.R.conjugate() * (V.v - X.p.cross(V.w)), X.R.conjugate() * V.w};
}
inline Wrench inward(const Pose& X, const Wrench& F) {
  return {X.R.conjugate() * F.f, X.R.conjugate() * (F.m - X.p.cross(F.f))};
}

/// The same screw seen at the point x (axes unchanged).
inline Twist at_point(const Twist& V, const Vec3& x) { return {V.v + V.w.cross(x), V.w}; }
inline Wrench at_point(const Wrench& F, const Vec3& x) { return {F.f, F.m - x.cross(F.f)}; }

/// Φ^tw(V) U and Φ^wr(V) F.
inline Twist cross(const Twist& V, const Twist& U) { return {V.w.cross(U.v) + V.v.cross(U.w), V.w.cross(U.w)}; }
inline Wrench cross(const Twist& V, const Wrench& F) { return {V.w.cross(F.f), V.v.cross(F.f) + V.w.cross(F.m)}; }

Mat6 twist_matrix(const Pose& X);     // L^tw
Mat6 wrench_matrix(const Pose& X);    // L^wr
Mat6 twist_bracket(const Twist& V);   // Φ^tw
Mat6 wrench_bracket(const Twist& V);  // Φ^wr

/// The pose reached in unit time from the identity with the constant body twist V: exp of [w^ v; 0 0]. Exact.
Pose exponential(const Twist& V);
/// The body twist with exponential(V) = X and |w| ≤ π.
Twist logarithm(const Pose& X);

/// The axis of a screw: the line on which vector and moment are parallel. A couple (or a translation) has no line:
/// `pitch` is infinite and `direction` that of the moment; a null screw has direction zero.
struct Axis {
  Vec3 point = Vec3::Zero();  // of the line, nearest to the origin
  Vec3 direction = Vec3::Zero();
  double pitch = 0;
  double size = 0;
};
Axis axis_of(const Twist& V);
Axis axis_of(const Wrench& F);

}  // namespace vinculum::screw
