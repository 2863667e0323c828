// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Solid cylinder x² + y² <= r², |z| <= l.
//   V = 2 π r² l,   I_zz = V r²/2,   I_xx = I_yy = V (r²/4 + l²/3)
#include "vinculum/shapes/shape.hpp"

#include <numbers>

namespace vinculum::shapes {
namespace {

constexpr ShapeKey keys[] = {
    {ShapeKey::Type::length, "radius", "radius, m"},
    {ShapeKey::Type::length, "length", "full length along z, m"},
};

Shape make(const ShapeValues& values) {
  Shape shape;
  shape.kind = Kind::cylinder;
  shape.radius = values.lengths.at(0);
  shape.half_length = values.lengths.at(1) / 2;
  return shape;
}

VolumeMoments moments(const Shape& shape) {
  const double r = shape.radius, l = shape.half_length, volume = 2 * std::numbers::pi * r * r * l;
  const double across = volume * (r * r / 4 + l * l / 3), along = volume * r * r / 2;
  return {volume, Vec3::Zero(), Vec3(across, across, along).asDiagonal()};
}

Vec3 support_point(const Shape& shape, const Vec3& d) {
  const double across = std::hypot(d.x(), d.y());
  const double scale = across > 0 ? shape.radius / across : 0;
  return {scale * d.x(), scale * d.y(), d.z() < 0 ? -shape.half_length : shape.half_length};
}

double radius_bound(const Shape& shape) { return std::hypot(shape.radius, shape.half_length); }

}  // namespace

extern const ShapeType cylinder_type;
const ShapeType cylinder_type{"cylinder", "", keys, make, true, moments, support_point, radius_bound};

}  // namespace vinculum::shapes
