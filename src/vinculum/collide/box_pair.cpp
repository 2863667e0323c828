// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Two boxes with half lengths h_a, h_b; R, t: the frame of b in that of a. Along a unit n with n·t >= 0
//   separation(n) = n·t − Σ_k h_a,k |n_k| − Σ_j h_b,j |n·r_j|,       r_j the columns of R
// and its maximum over ±e_k, ±r_j and ±e_i × r_j is what core_axis.cpp looks for among all faces and edges: along e_i ×
// r_j an edge of each box, parallel to e_i and to r_j, supports it (Gottschalk, Lin and Manocha 1996).
#include "vinculum/collide/box_pair.hpp"

#include <cmath>
#include <limits>

namespace vinculum::collide {
namespace {

constexpr double edge_rounding = 1e-14;  // of the sizes: more than that of a separation

/// The edge of a box along axis k that lies farthest along n.
int edge_along(const shapes::Polytope& box, int k, const Vec3& n) {
  int vertex = 0;  // the signs of its bits, the lower end of the edge
  for (int m = 0; m < 3; ++m) vertex |= (m != k && n[m] > 0 ? 1 : 0) << m;
  for (std::size_t e = 0; e < box.edges.size(); ++e) {
    if (box.edges[e][0] == vertex && box.edges[e][1] == (vertex | 1 << k)) return static_cast<int>(e);
  }
  return 0;
}

/// A segment is a box without faces, h = (0, 0, l): beside the faces of the box, the cross products with its axis u are
/// left.
bool find_capsule_axis(const shapes::Shape& a, const shapes::Shape& b, const Pose& X_AB, double limit, Axis& axis) {
  const bool box_first = a.kind == shapes::Kind::box;
  const shapes::Shape &box = box_first ? a : b, &capsule = box_first ? b : a;
  const algebra::Mat3 R = X_AB.R.toRotationMatrix();
  const Vec3 t = box_first ? X_AB.p : Vec3(-(R.transpose() * X_AB.p));  // of the capsule in the frame of the box
  const Vec3 u = box_first ? Vec3(R.col(2)) : Vec3(R.row(2).transpose()), &h = box.half_extents;
  const double l = capsule.half_length, bias = axis_preference * (h.norm() + l);
  const auto from_a = [&](const Vec3& n) { return box_first ? n : Vec3(-(R * n)); };
  axis.separation = -std::numeric_limits<double>::max();
  for (int face = 0; face < 6; ++face) {
    const int k = face / 2;
    const double sign = face % 2 == 0 ? -1 : 1, separation = sign * t[k] - h[k] - l * std::abs(u[k]);
    if (!(separation > axis.separation + bias)) continue;
    axis = {box_first ? Axis::From::face_a : Axis::From::face_b, face, 0, separation, from_a(sign * Vec3::Unit(k))};
  }
  if (axis.separation > limit) return false;
  for (int i = 0; i < 3; ++i) {
    Vec3 n = Vec3::Unit(i).cross(u);
    const double length = n.norm();
    if (length <= parallel_edges) continue;
    n /= n.dot(t) < 0 ? -length : length;
    const double separation = n.dot(t) - h.dot(n.cwiseAbs());
    if (!(separation > axis.separation + bias)) continue;
    const int edge = edge_along(*box.polytope, i, n);
    axis = {Axis::From::edges, box_first ? edge : 0, box_first ? 0 : edge, separation, from_a(n)};
  }
  return axis.separation <= limit;
}

}  // namespace

bool find_box_axis(const shapes::Shape& a, const shapes::Shape& b, const Pose& X_AB, double limit, Axis& axis) {
  if (a.kind != b.kind) return find_capsule_axis(a, b, X_AB, limit, axis);
  const algebra::Mat3 R = X_AB.R.toRotationMatrix(), size = R.cwiseAbs();
  const Vec3 &h_a = a.half_extents, &h_b = b.half_extents, &t = X_AB.p;
  const double bias = axis_preference * (h_a.norm() + h_b.norm());
  axis.separation = -std::numeric_limits<double>::max();
  const auto take = [&](Axis::From from, int face, double separation, const Vec3& n) {
    if (separation > axis.separation + bias) axis = {from, face, 0, separation, n};
  };
  const Vec3 reach_a = h_a + size * h_b, reach_b = h_b + size.transpose() * h_a, t_b = R.transpose() * t;
  for (int k = 0; k < 3; ++k) {
    take(Axis::From::face_a, 2 * k, -t[k] - reach_a[k], -Vec3::Unit(k));
    take(Axis::From::face_a, 2 * k + 1, t[k] - reach_a[k], Vec3::Unit(k));
  }
  if (axis.separation > limit) return false;
  for (int k = 0; k < 3; ++k) {
    take(Axis::From::face_b, 2 * k, t_b[k] - reach_b[k], R.col(k));
    take(Axis::From::face_b, 2 * k + 1, -t_b[k] - reach_b[k], -R.col(k));
  }
  if (axis.separation > limit) return false;
  const double rounding = edge_rounding * (h_a.norm() + h_b.norm() + t.norm());
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      // Of m = e_i × r_j, not normalised: its separation without a product of a matrix, which mostly is enough.
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const double along = std::abs(t[i2] * R(i1, j) - t[i1] * R(i2, j));
      const double reach =
          h_a[i1] * size(i2, j) + h_a[i2] * size(i1, j) + h_b[j1] * size(i, j2) + h_b[j2] * size(i, j1);
      const double norm = std::sqrt(R(i1, j) * R(i1, j) + R(i2, j) * R(i2, j));
      if (along - reach < (axis.separation + bias) * norm - rounding) continue;
      Vec3 n = Vec3::Unit(i).cross(R.col(j));
      const double length = n.norm();
      if (length <= parallel_edges) continue;
      n /= n.dot(t) < 0 ? -length : length;
      const Vec3 n_b = R.transpose() * n;
      const double separation = n.dot(t) - h_a.dot(n.cwiseAbs()) - h_b.dot(n_b.cwiseAbs());
      if (!(separation > axis.separation + bias)) continue;
      axis = {Axis::From::edges, edge_along(*a.polytope, i, n), edge_along(*b.polytope, j, -n_b), separation, n};
    }
  }
  return axis.separation <= limit;
}

bool collide_ball_box(const shapes::Shape& ball, const shapes::Shape& box, bool box_first, Emitter& out) {
  const Pose &X_box = box_first ? out.X_a() : out.X_b(), &X_ball = box_first ? out.X_b() : out.X_a();
  const Vec3 x = X_box.R.conjugate() * (X_ball.p - X_box.p), beyond = x.cwiseAbs() - box.half_extents;
  const double reach = (ball.radius + out.margin()) * (1 + 1e-12);
  if (beyond.cwiseMax(0).squaredNorm() > reach * reach) return true;
  const double bias = axis_preference * box.half_extents.norm();
  int axis = 0;
  for (int k = 1; k < 3; ++k) {
    if (beyond[k] > beyond[axis] + bias) axis = k;
  }
  for (int k = 0; k < 3; ++k) {
    if (k != axis && beyond[k] > 0) return false;
  }
  const bool upper = x[axis] > 0.5 * bias;  // as where both faces are compared, the lower first
  const int face = 2 * axis + (upper ? 1 : 0);
  Vec3 foot = x;
  foot[axis] = upper ? box.half_extents[axis] : -box.half_extents[axis];
  const Vec3& normal = box.polytope->faces[static_cast<std::size_t>(face)].normal;
  if (box_first) {
    out.face_a(feature_id(Meeting::vertex_on_face_a, 0, face), normal, foot, Vec3::Zero(), ball.radius);
  } else {
    out.face_b(feature_id(Meeting::vertex_on_face_b, 0, face), -normal, foot, Vec3::Zero(), ball.radius);
  }
  return true;
}

}  // namespace vinculum::collide
