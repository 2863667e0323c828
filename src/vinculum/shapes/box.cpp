// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Rectangular block |x_i| <= s_i/2 with full edge lengths s.
//   V = s_x s_y s_z,   I_xx = V (s_y² + s_z²)/12 and cyclic
#include "vinculum/shapes/polytope.hpp"

namespace vinculum::shapes {
namespace {

constexpr ShapeKey keys[] = {{ShapeKey::Type::vector, "size", "full edge lengths [x, y, z], m"}};

Shape make(const ShapeValues& values) {
  Shape shape;
  shape.kind = Kind::box;
  shape.half_extents = values.vectors.at(0) / 2;
  shape.polytope = make_block(shape.half_extents);
  return shape;
}

VolumeMoments moments(const Shape& shape) {
  const Vec3 square = (2 * shape.half_extents).cwiseAbs2();
  const double volume = 8 * shape.half_extents.prod();
  const Vec3 diagonal = volume / 12 * (Vec3::Constant(square.sum()) - square);
  return {volume, Vec3::Zero(), diagonal.asDiagonal()};
}

Vec3 support_point(const Shape& shape, const Vec3& d) {
  return {d.x() < 0 ? -shape.half_extents.x() : shape.half_extents.x(),
          d.y() < 0 ? -shape.half_extents.y() : shape.half_extents.y(),
          d.z() < 0 ? -shape.half_extents.z() : shape.half_extents.z()};
}

double radius_bound(const Shape& shape) { return shape.half_extents.norm(); }

}  // namespace

extern const ShapeType box_type;
const ShapeType box_type{"box", "", keys, make, true, moments, support_point, radius_bound};

}  // namespace vinculum::shapes
