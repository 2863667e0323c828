// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Spherical: the child turns about the point by a unit quaternion; v = angular velocity in the child's axes.
#include "vinculum/joints/joint.hpp"

namespace vinculum::joints {

namespace {

std::vector<Factor> factors(const Geometry& g) { return {{Motion::ball, Vec3::UnitZ(), g.point, 0}}; }

}  // namespace

extern const JointType spherical_type;
const JointType spherical_type{"spherical", {}, false, false, true, false, factors};

}  // namespace vinculum::joints
