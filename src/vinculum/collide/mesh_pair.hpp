// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Contacts of a mesh or height field with anything. a is the mesh.
#pragma once

#include "vinculum/collide/emitter.hpp"

namespace vinculum::collide {

inline bool has_mesh(shapes::Kind kind) { return kind == shapes::Kind::mesh || kind == shapes::Kind::height_field; }

void collide_mesh(const shapes::Shape& mesh, const shapes::Shape& other, Emitter& out);

}  // namespace vinculum::collide
