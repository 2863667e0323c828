// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Prismatic: q in m along the axis, S = (a, 0).
#include "vinculum/joints/joint.hpp"

namespace vinculum::joints {

namespace {

std::vector<Factor> factors(const Geometry& g) { return {{Motion::slide, g.axis, Vec3::Zero(), 0}}; }

}  // namespace

extern const JointType prismatic_type;
const JointType prismatic_type{"prismatic", {}, true, false, false, false, factors};

}  // namespace vinculum::joints
