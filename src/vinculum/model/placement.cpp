// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Placements: position, and orientation as a quaternion or as an axis with an angle.
//   R = (cos φ/2, n sin φ/2)
#include "vinculum/model/keys.hpp"
#include "vinculum/model/sections.hpp"

#include <fmt/core.h>
#include <cmath>
#include <numbers>

namespace vinculum::model {

using reader::Bound;
using reader::Table;
using reader::Value;

namespace {

// A quaternion typed with seven digits is accepted and normalised; one that is further off is a slip.
constexpr double quaternion_tolerance = 1e-6;
// What normalising leaves of norm − 1: one rounding per component, of the division and of the norm.
constexpr double round_off = 1e-15;

Quat read_quaternion(const Value& value) {
  const std::vector<double> x = value.numbers(4, Bound::finite, "w, x, y, z");
  return read_unit(value, Quat(x[0], x[1], x[2], x[3]));
}

struct HalfAngle {
  double cos, sin;
};

// Exact for multiples of 180°: the angle is reduced in degrees before it is turned into radians.
HalfAngle half_angle_of_degrees(double degrees) {
  int quadrant = 0;
  const double rest = std::remquo(degrees / 2, 90.0, &quadrant) * (std::numbers::pi / 180);
  const double c = std::cos(rest), s = std::sin(rest);
  switch (((quadrant % 4) + 4) % 4) {
    case 0:
      return {c, s};
    case 1:
      return {-s, c};
    case 2:
      return {-c, -s};
    default:
      return {s, -c};
  }
}

Quat read_rotation(const Value& value) {
  Table table(value, "rotation", rotation_keys());
  const Value axis_value = table.need("axis", "an array of 3 numbers, not all zero");
  const Vec3 axis = axis_value.vector("");
  if (axis.isZero(0)) axis_value.fail("a zero axis", "a direction");
  const std::optional<double> degrees = table.number("degrees", Bound::finite, "degrees");
  const std::optional<double> radians = table.number("radians", Bound::finite, "radians");
  if (!degrees && !radians) table.fail_missing("degrees", "an angle: degrees or radians");
  if (degrees && radians) table.find("radians")->fail("degrees as well", "one of degrees and radians");
  const HalfAngle half =
      degrees ? half_angle_of_degrees(*degrees) : HalfAngle{std::cos(*radians / 2), std::sin(*radians / 2)};
  const Vec3 n = axis.stableNormalized();
  return Quat(half.cos, half.sin * n.x(), half.sin * n.y(), half.sin * n.z()).normalized();
}

}  // namespace

Quat read_unit(const Value& where, const Quat& quaternion) {
  const double norm = quaternion.coeffs().stableNorm();
  if (!(std::abs(norm - 1) <= quaternion_tolerance)) {
    where.fail(fmt::format("a quaternion of norm {}", norm), "norm 1 (w, x, y, z)");
  }
  return std::abs(norm - 1) <= round_off ? quaternion : quaternion.normalized();
}

Pose read_pose(Table& table) {
  Pose pose;
  pose.p = table.vector("position", "m").value_or(Vec3::Zero());
  const std::optional<Value> quaternion = table.find("quaternion");
  const std::optional<Value> rotation = table.find("rotation");
  if (quaternion && rotation) rotation->fail("quaternion as well", "one of quaternion and rotation");
  if (quaternion) pose.R = read_quaternion(*quaternion);
  if (rotation) pose.R = read_rotation(*rotation);
  return pose;
}

}  // namespace vinculum::model
