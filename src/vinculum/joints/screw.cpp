// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Screw: turn by q (rad) with the advance pitch · q, S = (p × a + pitch a, a).
#include "vinculum/joints/joint.hpp"

namespace vinculum::joints {

namespace {

std::vector<Factor> factors(const Geometry& g) { return {{Motion::helix, g.axis, g.point, g.pitch}}; }

}  // namespace

extern const JointType screw_type;
const JointType screw_type{"screw", {}, true, false, true, true, factors};

}  // namespace vinculum::joints
