// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Cylindrical: q = (slide, angle) on one axis; the two motions commute.
#include "vinculum/joints/joint.hpp"

namespace vinculum::joints {

namespace {

std::vector<Factor> factors(const Geometry& g) {
  return {{Motion::slide, g.axis, Vec3::Zero(), 0}, {Motion::hinge, g.axis, g.point, 0}};
}

}  // namespace

extern const JointType cylindrical_type;
const JointType cylindrical_type{"cylindrical", {}, true, false, true, false, factors};

}  // namespace vinculum::joints
