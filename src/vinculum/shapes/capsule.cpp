// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Segment |z| <= l rounded by r. With V_c = 2 π r² l (the cylinder) and V_s = 4/3 π r³ (the two half balls):
//   I_zz = V_c r²/2 + V_s 2 r²/5
//   I_xx = V_c (r²/4 + l²/3) + V_s (2 r²/5 + l² + 3 l r/4)
// The half ball has its centroid 3r/8 beyond the end of the segment, and 2 l · 3r/8 = 3 l r/4 by Steiner.
#include "vinculum/shapes/shape.hpp"

#include <numbers>

namespace vinculum::shapes {
namespace {

constexpr ShapeKey keys[] = {
    {ShapeKey::Type::length, "radius", "radius of the rounding, m"},
    {ShapeKey::Type::length, "length", "length of the segment between the two centres, along z, m"},
};

Shape make(const ShapeValues& values) {
  Shape shape;
  shape.kind = Kind::capsule;
  shape.radius = values.lengths.at(0);
  shape.half_length = values.lengths.at(1) / 2;
  return shape;
}

VolumeMoments moments(const Shape& shape) {
  const double r = shape.radius, l = shape.half_length, pi = std::numbers::pi;
  const double cylinder = 2 * pi * r * r * l, balls = 4.0 / 3.0 * pi * r * r * r;
  const double across = cylinder * (r * r / 4 + l * l / 3) + balls * (0.4 * r * r + l * l + 0.75 * l * r);
  const double along = cylinder * r * r / 2 + balls * 0.4 * r * r;
  return {cylinder + balls, Vec3::Zero(), Vec3(across, across, along).asDiagonal()};
}

Vec3 support_point(const Shape& shape, const Vec3& d) {
  const double length = d.norm();
  const Vec3 end(0, 0, d.z() < 0 ? -shape.half_length : shape.half_length);
  return length > 0 ? Vec3(end + shape.radius / length * d) : Vec3(end + Vec3(0, 0, shape.radius));
}

double radius_bound(const Shape& shape) { return shape.half_length + shape.radius; }

}  // namespace

extern const ShapeType capsule_type;
const ShapeType capsule_type{"capsule", "", keys, make, true, moments, support_point, radius_bound};

}  // namespace vinculum::shapes
