// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Gap, normal and surface points of a feature pair at given poses. With d = P_b − P_a (world) and ρ = rounding_a +
// rounding_b:
//
//   face_a, face_b     n = R dir                     g = n·d − ρ
//   face_*_rim_*       n = R dir                     g = n·d − rim |n − (n·u) u| − ρ,       u the axis of the circle
//   point_point        n = d/|d|                     g = |d| − ρ
//   edge_*_point_*     n = d_⊥/|d_⊥|                 g = |d_⊥| − ρ,   d_⊥ = d − (d·e) e,     e the direction of the
//   line edge_edge          n = ± e_a × e_b/|e_a × e_b|   g = n·d − ρ
//
// In every case p_b − p_a = g n. For a face the point of the other body is the material one and the point of the face
// is its foot; for lines both points slide. With these points the rate of the gap is exactly  ġ = n·(v_b(p_b) −
// v_a(p_a)). d is formed from the difference of the origins, so a gap keeps its digits far from the origin of the
// world.
#include "vinculum/algebra/clones.hpp"
#include "vinculum/collide/contact_set.hpp"

#include <cmath>

namespace vinculum::collide {
namespace {

// Below this sine a direction is rounding error and a fixed one is taken; the gap does not notice.
constexpr double no_direction = 1e-14;

/// R x; nothing to do for the centre of a ball, nor for the world.
Vec3 turned(const algebra::Quat& R, const Vec3& x) {
  if (x.x() == 0 && x.y() == 0 && x.z() == 0) return Vec3::Zero();
  if (R.x() == 0 && R.y() == 0 && R.z() == 0) return x;
  return R * x;
}

struct Placed {
  const Feature& feature;
  const Pose &X_a, &X_b;
  Vec3 a, b;   // R_a P_a, R_b P_b
  Vec3 d;      // P_b − P_a, world axes
  double rho;  // sum of the roundings

  Placed(const Feature& f, const Pose& Xa, const Pose& Xb)
      : feature(f), X_a(Xa), X_b(Xb), a(turned(Xa.R, f.P_a)), b(turned(Xb.R, f.P_b)), rho(f.rounding_a + f.rounding_b) {
    d = (Xb.p - Xa.p) + (b - a);
  }

  /// The point of b is the material one.
  Kinematics on_b(const Vec3& n, const Vec3& shift, double gap) const {
    const Vec3 p_b = X_b.p + (b + shift - feature.rounding_b * n);
    return {n, p_b - gap * n, p_b, gap};
  }
  /// The point of a is the material one.
  Kinematics on_a(const Vec3& n, const Vec3& shift, double gap) const {
    const Vec3 p_a = X_a.p + (a + shift + feature.rounding_a * n);
    return {n, p_a, p_a + gap * n, gap};
  }
};

/// From the centre of a circle (axis u, fixed to R) to its farthest point along n, and how far that is along n.
struct RimPoint {
  Vec3 offset;
  double reach;
};

RimPoint rim_point(const Vec3& n, const algebra::Quat& R, const Vec3& axis, double radius) {
  const Vec3 u = R * axis, across = n - n.dot(u) * u;
  const double sine = across.norm();
  if (sine > no_direction) return {radius / sine * across, radius * sine};
  return {radius * (R * algebra::orthogonal_to(axis)), radius * sine};
}

Kinematics along(const Placed& at, const Vec3& between, const Vec3& line, bool material_b) {
  const double length = between.norm();
  const Vec3 n = length > 0 ? Vec3(between / length) : algebra::orthogonal_to(line);
  const double gap = length - at.rho;
  return material_b ? at.on_b(n, Vec3::Zero(), gap) : at.on_a(n, Vec3::Zero(), gap);
}

// Nearest points of the lines a + s e_a and b + t e_b: the difference d + t e_b − s e_a is normal to both.
Kinematics lines(const Placed& at) {
  const Vec3 e_a = at.X_a.R * at.feature.dir_a, e_b = at.X_b.R * at.feature.dir_b;
  const Vec3 cross = e_a.cross(e_b);
  const double square = cross.squaredNorm();
  if (square <= no_direction * no_direction) return along(at, at.d - at.d.dot(e_a) * e_a, e_a, true);
  const Vec3 n = at.feature.sign / std::sqrt(square) * cross;
  const double s = (at.d.dot(e_a) - e_a.dot(e_b) * at.d.dot(e_b)) / square;
  return at.on_a(n, s * e_a, n.dot(at.d) - at.rho);
}

}  // namespace

VINCULUM_CLONES Kinematics evaluate(const Feature& feature, const Pose& X_a, const Pose& X_b) {
  const Placed at(feature, X_a, X_b);
  switch (feature.kind) {
    case FeatureKind::face_a: {
      const Vec3 n = turned(X_a.R, feature.dir_a);
      return at.on_b(n, Vec3::Zero(), n.dot(at.d) - at.rho);
    }
    case FeatureKind::face_b: {
      const Vec3 n = turned(X_b.R, feature.dir_b);
      return at.on_a(n, Vec3::Zero(), n.dot(at.d) - at.rho);
    }
    case FeatureKind::face_a_rim_b: {
      const Vec3 n = turned(X_a.R, feature.dir_a);
      const RimPoint low = rim_point(n, X_b.R, feature.dir_b, feature.rim);
      return at.on_b(n, -low.offset, n.dot(at.d) - low.reach - at.rho);
    }
    case FeatureKind::face_b_rim_a: {
      const Vec3 n = turned(X_b.R, feature.dir_b);
      const RimPoint high = rim_point(n, X_a.R, feature.dir_a, feature.rim);
      return at.on_a(n, high.offset, n.dot(at.d) - high.reach - at.rho);
    }
    case FeatureKind::point_point:
      return along(at, at.d, Vec3::UnitZ(), true);
    case FeatureKind::edge_a_point_b: {
      const Vec3 e = X_a.R * feature.dir_a;
      return along(at, at.d - at.d.dot(e) * e, e, true);
    }
    case FeatureKind::point_a_edge_b: {
      const Vec3 e = X_b.R * feature.dir_b;
      return along(at, at.d - at.d.dot(e) * e, e, false);
    }
    case FeatureKind::edge_edge:
      return lines(at);
  }
  return {};
}

}  // namespace vinculum::collide
