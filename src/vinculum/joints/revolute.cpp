// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Revolute: one turn about (point, axis); q in rad, S = (p × a, a).
#include "vinculum/joints/joint.hpp"

namespace vinculum::joints {

namespace {

std::vector<Factor> factors(const Geometry& g) { return {{Motion::hinge, g.axis, g.point, 0}}; }

}  // namespace

extern const JointType revolute_type;
const JointType revolute_type{"revolute", {}, true, false, true, false, factors};

}  // namespace vinculum::joints
