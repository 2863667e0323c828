// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Ball of radius r about the origin: a point rounded by r.
//   V = 4/3 π r³,   I = 2/5 V r² 1
#include "vinculum/shapes/shape.hpp"

#include <numbers>

namespace vinculum::shapes {
namespace {

constexpr ShapeKey keys[] = {{ShapeKey::Type::length, "radius", "radius of the ball, m"}};

Shape make(const ShapeValues& values) {
  Shape shape;
  shape.kind = Kind::sphere;
  shape.radius = values.lengths.at(0);
  return shape;
}

VolumeMoments moments(const Shape& shape) {
  const double r = shape.radius, volume = 4.0 / 3.0 * std::numbers::pi * r * r * r;
  return {volume, Vec3::Zero(), 0.4 * volume * r * r * Mat3::Identity()};
}

Vec3 support_point(const Shape& shape, const Vec3& d) {
  const double length = d.norm();
  return length > 0 ? Vec3(shape.radius / length * d) : Vec3(shape.radius, 0, 0);
}

double radius_bound(const Shape& shape) { return shape.radius; }

}  // namespace

extern const ShapeType sphere_type;
const ShapeType sphere_type{"sphere", "", keys, make, true, moments, support_point, radius_bound};

}  // namespace vinculum::shapes
