// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What is known of boxes in closed form, so that most pairs need no cores.
#pragma once

#include "vinculum/collide/core_pair.hpp"

namespace vinculum::collide {

/// find_axis of two boxes, or of a box and a capsule in either order: the same axes, in the same order of preference.
bool find_box_axis(const shapes::Shape& a, const shapes::Shape& b, const Pose& X_AB, double limit, Axis& axis);

/// A ball over the inside of a face of a box, or too far from it; false where it is neither. `box_first`: the box is
/// the a of the emitter.
bool collide_ball_box(const shapes::Shape& ball, const shapes::Shape& box, bool box_first, Emitter& out);

}  // namespace vinculum::collide
