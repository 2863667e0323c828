// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Fixed: X_J = 1.
#include "vinculum/joints/joint.hpp"

namespace vinculum::joints {

namespace {

std::vector<Factor> factors(const Geometry&) { return {}; }

}  // namespace

extern const JointType fixed_type;
const JointType fixed_type{"fixed", {}, false, false, false, false, factors};

}  // namespace vinculum::joints
