// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Continuous: a revolute joint whose angle lives on the circle; `difference` is the shorter way round.
#include "vinculum/joints/joint.hpp"

namespace vinculum::joints {

namespace {

std::vector<Factor> factors(const Geometry& g) { return {{Motion::turn, g.axis, g.point, 0}}; }

}  // namespace

extern const JointType continuous_type;
const JointType continuous_type{"continuous", {}, true, false, true, false, factors};

}  // namespace vinculum::joints
