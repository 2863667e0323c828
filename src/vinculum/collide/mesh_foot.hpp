// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Nearest point of a mesh, and the side of it that a point is on.
#pragma once

#include "vinculum/shapes/mesh.hpp"

namespace vinculum::collide {

using algebra::Vec3;

struct Foot {
  double distance = 0;  // < 0 behind the surface: inside a closed mesh; beside the border of a sheet always > 0
  Vec3 point;
  int triangle = -1;  // on which it lies
};

Foot find_foot(const shapes::Mesh& mesh, const Vec3& x);

}  // namespace vinculum::collide
