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

/// Is it an end of the stretch along which an edge runs beside the cylinder? Its normal is one of the cylinder; to the
/// normals of the edge it leans by up to `stretch_lean`.
constexpr double stretch_lean = 0.051;
bool is_stretch_end(std::uint32_t feature_id);

}  // namespace vinculum::collide
