// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Universal: turn by q_1 about `axis`, which stands still in the parent, then by q_2 about `axis_2`, which stands still
// in the child. The axes meet at the point and must not be parallel.
#include "vinculum/joints/joint.hpp"

#include <fmt/format.h>

#include <cmath>

namespace vinculum::joints {

namespace {

std::vector<Factor> factors(const Geometry& g) {
  return {{Motion::hinge, g.axis, g.point, 0}, {Motion::hinge, g.axis_2, g.point, 0}};
}

std::optional<std::string> fault(const Geometry& g, std::span<const double>) {
  const double sine = g.axis.cross(g.axis_2).norm();
  if (sine > 1e-6) return std::nullopt;
  return fmt::format("found axis and axis_2 parallel (sine {:.3g}), expected two directions", sine);
}

}  // namespace

extern const JointType universal_type;
const JointType universal_type{"universal", {}, true, true, true, false, factors, fault};

}  // namespace vinculum::joints
