// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Which function handles which pair. Each is written for one order of its kinds; the emitter turns contacts around for
// the other.
//
//   core      sphere, capsule, box, hull: a polytope rounded by a ball
//   core–core both a point or segment: nearest points; otherwise separating axis and patch, where a box is met by a
//   box,
//             a capsule or a ball in closed form
//   cylinder  against a core, a cylinder: its own files, since its rims and sides are curved
//   mesh      mesh or height field against anything, triangle by triangle
//   plane     vertices, ends and rims over it
#include "vinculum/collide/box_pair.hpp"
#include "vinculum/collide/core_pair.hpp"
#include "vinculum/collide/cylinder_core.hpp"
#include "vinculum/collide/cylinder_face.hpp"
#include "vinculum/collide/cylinder_pair.hpp"
#include "vinculum/collide/mesh_pair.hpp"
#include "vinculum/collide/plane_pair.hpp"
#include "vinculum/collide/segment.hpp"

#include <algorithm>

namespace vinculum::collide {
namespace {

using shapes::Kind;
using shapes::Shape;

bool is_round(Kind kind) { return kind == Kind::sphere || kind == Kind::capsule; }

RoundedSegment axis_of(const Shape& shape) {
  const Vec3 half(0, 0, shape.kind == Kind::capsule ? shape.half_length : 0);
  return {-half, half, shape.radius, 0, shape.kind == Kind::capsule ? 1 : 0, 0};
}

void collide_spheres(const Shape& a, const Shape& b, Emitter& out) {
  const double reach = a.radius + b.radius + out.margin();
  const double square = (out.X_b().p - out.X_a().p).squaredNorm();
  if (square > reach * reach * (1 + 1e-12)) return;
  Feature feature;
  feature.kind = FeatureKind::point_point;
  feature.rounding_a = a.radius;
  feature.rounding_b = b.radius;
  out.add(feature_id(Meeting::ends, 0, 0), feature);
}

void collide_round(const Shape& a, const Shape& b, Emitter& out) {
  const RoundedSegment axis_a = axis_of(a), axis_b = axis_of(b);
  const Pose X_AB = relative_pose(out.X_a(), out.X_b());
  const SegmentPair pair{axis_a.p0, axis_a.p1, X_AB * axis_b.p0, X_AB * axis_b.p1};
  const Nearest near = nearest(pair);
  if (near.distance - a.radius - b.radius > out.margin()) return;
  // Axes that cross: any direction normal to the axis of a (the capsule, if there is one).
  const Vec3 n = pair.b0.x() * pair.b0.x() + pair.b0.y() * pair.b0.y() > 0
                     ? Vec3(pair.b0.x(), pair.b0.y(), 0).normalized()
                     : Vec3::UnitX();
  add_segments(axis_a, axis_b, pair, near, 1e-12 * (a.radius + b.radius), n, out);
}

void collide_ordered(const Shape& a, const Shape& b, Emitter& out) {
  if (has_mesh(a.kind)) return collide_mesh(a, b, out);
  if (b.kind == Kind::plane) {
    return a.kind == Kind::cylinder ? collide_cylinder_plane(a, out) : collide_core_plane(a, out);
  }
  if (a.kind == Kind::sphere && b.kind == Kind::sphere) return collide_spheres(a, b, out);
  if (is_round(a.kind) && is_round(b.kind)) return collide_round(a, b, out);
  if (b.kind == Kind::cylinder) return collide_cylinders(a, b, out);
  if (a.kind == Kind::sphere && b.kind == Kind::box && collide_ball_box(a, b, false, out)) return;
  if (a.kind == Kind::box && b.kind == Kind::sphere && collide_ball_box(b, a, true, out)) return;
  CorePair& cores = CorePair::scratch();
  const Pose X_AB = relative_pose(out.X_a(), out.X_b());
  const auto is_box_or_capsule = [](Kind kind) { return kind == Kind::box || kind == Kind::capsule; };
  if (is_box_or_capsule(a.kind) && is_box_or_capsule(b.kind)) {
    Axis axis;
    if (!find_box_axis(a, b, X_AB, out.margin() + a.radius + b.radius, axis)) return;
    cores.a.place(a);
    cores.b.place(b, X_AB);
    return collide_along(axis, cores.a, cores.b, X_AB, out);
  }
  cores.b.place(b, X_AB);
  if (a.kind == Kind::cylinder) return collide_cylinder_core(a, cores.b, out);
  cores.a.place(a);
  collide_cores(cores.a, cores.b, X_AB, out);
}

bool is_sharp(Kind kind) { return kind == Kind::box || kind == Kind::hull; }

/// Between sharp bodies a corner or edge meets a corner or edge only if they are the nearest points of the bodies, i.e.
/// if the normal supports both: −h_B(−n) − h_A(n) = g. Others beside a patch would press along a direction that is no
/// normal.
bool is_supported(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB, const Contact& contact) {
  const FeatureKind kind = contact.feature.kind;
  if (kind == FeatureKind::face_a || kind == FeatureKind::face_b) return true;
  const Vec3 n = contact.at.n, n_A = X_WA.R.conjugate() * n, n_B = X_WB.R.conjugate() * n;
  const Vec3 far_a = X_WA.R * shapes::support(a, n_A), near_b = X_WB.R * shapes::support(b, -n_B);
  const double separation = n.dot(X_WB.p - X_WA.p) + n.dot(near_b) - n.dot(far_a);
  return contact.at.gap - separation <= 1e-10 * (far_a.norm() + near_b.norm());
}

/// Meshes first, then cylinders; planes last.
int rank(Kind kind) {
  if (has_mesh(kind)) return -1;
  return kind == Kind::plane ? 2 : kind == Kind::cylinder ? 0 : 1;
}

}  // namespace

void collide_pair(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB, double margin,
                  std::vector<Contact>& out) {
  if (a.kind == Kind::plane && b.kind == Kind::plane) return;
  const auto first = static_cast<std::ptrdiff_t>(out.size());
  if (rank(a.kind) > rank(b.kind)) {
    Emitter emitter(X_WB, X_WA, margin, true, out);
    collide_ordered(b, a, emitter);
  } else {
    Emitter emitter(X_WA, X_WB, margin, false, out);
    collide_ordered(a, b, emitter);
  }
  if (is_sharp(a.kind) && is_sharp(b.kind) && out.end() - out.begin() - first > 1) {
    const auto bad = [&](const Contact& contact) { return !is_supported(a, X_WA, b, X_WB, contact); };
    out.erase(std::remove_if(out.begin() + first, out.end(), bad), out.end());
  }
  if (out.end() - out.begin() - first > 1) {
    std::sort(out.begin() + first, out.end(),
              [](const Contact& c, const Contact& d) { return c.feature_id < d.feature_id; });
  }
}

}  // namespace vinculum::collide
