// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Small fixed-size vectors and matrices, and the few formulas about rotations that every stage needs.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace vinculum::algebra {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Quat = Eigen::Quaterniond;  // unit; maps body coordinates to world coordinates

/// A rigid placement: x_W = p + R x_B.
struct Pose {
  Vec3 p = Vec3::Zero();
  Quat R = Quat::Identity();

  Vec3 operator*(const Vec3& x) const { return p + R * x; }
  Pose operator*(const Pose& other) const { return {p + R * other.p, R * other.R}; }
  Pose inverse() const { return {R.conjugate() * -p, R.conjugate()}; }
};

/// Cross-product matrix: skew(a) b = a × b.
inline Mat3 skew(const Vec3& a) {
  Mat3 S;
  S << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return S;
}

/// A unit vector orthogonal to the unit vector n; continuous except where n passes the coordinate plane of its smallest
/// component. Deterministic.
Vec3 orthogonal_to(const Vec3& n);

}  // namespace vinculum::algebra
