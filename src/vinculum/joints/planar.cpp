// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Planar: q = (x, y, angle): slides along e_1 = axis_2 made normal to the axis, and e_2 = axis × e_1, both standing
// still in the parent, then a turn about (point, axis). v = q̇.
#include "vinculum/joints/joint.hpp"

#include <fmt/format.h>

#include <cmath>

namespace vinculum::joints {

namespace {

std::vector<Factor> factors(const Geometry& g) {
  const Vec3 e_1 = (g.axis_2 - g.axis_2.dot(g.axis) * g.axis).normalized(), e_2 = g.axis.cross(e_1);
  return {{Motion::slide, e_1, Vec3::Zero(), 0},
          {Motion::slide, e_2, Vec3::Zero(), 0},
          {Motion::hinge, g.axis, g.point, 0}};
}

std::optional<std::string> fault(const Geometry& g, std::span<const double>) {
  const double sine = g.axis.cross(g.axis_2).norm();
  if (sine > 1e-6) return std::nullopt;
  return fmt::format("found axis and axis_2 parallel (sine {:.3g}), expected two directions", sine);
}

}  // namespace

extern const JointType planar_type;
const JointType planar_type{"planar", {}, true, true, true, false, factors, fault};

}  // namespace vinculum::joints
