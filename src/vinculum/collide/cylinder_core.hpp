// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Contacts of a cylinder with a sphere, capsule, box or hull.
#pragma once

#include "vinculum/collide/core.hpp"
#include "vinculum/collide/emitter.hpp"

namespace vinculum::collide {

/// a is the cylinder; `core` is that of b, placed in the frame of a.
void collide_cylinder_core(const shapes::Shape& cylinder, const Core& core, Emitter& out);

}  // namespace vinculum::collide
