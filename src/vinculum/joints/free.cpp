// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Free: q = (position, quaternion), v = twist of the child in its own axes; S = 1.
#include "vinculum/joints/joint.hpp"

namespace vinculum::joints {

namespace {

std::vector<Factor> factors(const Geometry&) { return {{Motion::free, Vec3::UnitZ(), Vec3::Zero(), 0}}; }

}  // namespace

extern const JointType free_type;
const JointType free_type{"free", {}, false, false, false, false, factors};

}  // namespace vinculum::joints
