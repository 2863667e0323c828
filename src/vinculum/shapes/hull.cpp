// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Convex hull of points. The origin of the shape is the origin of the points, not their centroid.
#include "vinculum/shapes/polytope.hpp"

namespace vinculum::shapes {
namespace {

constexpr ShapeKey keys[] = {{ShapeKey::Type::points, "points", "points [x, y, z] whose hull is the solid, m"}};

Shape make(const ShapeValues& values) {
  Shape shape;
  shape.kind = Kind::hull;
  shape.polytope = make_hull(values.points);
  return shape;
}

VolumeMoments moments(const Shape& shape) { return polytope_moments(*shape.polytope); }

Vec3 support_point(const Shape& shape, const Vec3& d) {
  return shape.polytope->vertices[support_vertex(shape.polytope->vertices, d)];
}

double radius_bound(const Shape& shape) {
  double square = 0;
  for (const Vec3& x : shape.polytope->vertices) square = std::max(square, x.squaredNorm());
  return std::sqrt(square);
}

}  // namespace

extern const ShapeType hull_type;
const ShapeType hull_type{"hull", "", keys, make, true, moments, support_point, radius_bound};

}  // namespace vinculum::shapes
