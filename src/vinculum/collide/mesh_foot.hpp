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

/// The point of the facet's plane below or above x.
inline Vec3 onto_facet(const shapes::Mesh& mesh, int facet, const Vec3& x) {
  const Vec3& n = mesh.facets[facet].normal;
  return x + (mesh.facets[facet].offset - n.dot(x)) * n;
}

}  // namespace vinculum::collide
