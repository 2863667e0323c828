// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Contacts with a half space: every vertex, end or rim of the other shape over its plane. b is the plane.
#pragma once

#include "vinculum/collide/core.hpp"
#include "vinculum/collide/emitter.hpp"

namespace vinculum::collide {

/// Sphere, capsule, box or hull over the plane b.
void collide_core_plane(const shapes::Shape& a, Emitter& out);

}  // namespace vinculum::collide
