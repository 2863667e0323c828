// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Shapes as a picture sees them: convex sets of flat faces in the world, or balls.
#pragma once

#include "vinculum/shapes/shape.hpp"

#include <vector>

namespace vinculum::cli {

using algebra::Pose;
using algebra::Vec3;

struct Solid {
  struct Face {
    Vec3 normal;            // outward, for shading and for culling
    std::vector<int> loop;  // indices into vertices
  };
  std::vector<Vec3> vertices;  // world; a ball has only its centre
  std::vector<Face> faces;     // none for a ball
  std::vector<Vec3> axes;      // directions worth trying as normals of a plane between this and another solid
  Vec3 centre = Vec3::Zero();
  double radius = 0;    // of a ball
  double size = 0;      // of a ball around the centre that holds it all
  bool smooth = false;  // faces approximate a curved surface: no edges are drawn

  /// Greatest value of d·x on the solid.
  double reach(const Vec3& d) const;
};

/// Boxes, hulls, balls, capsules and cylinders; a plane is not bounded and gives an empty solid.
Solid make_solid(const shapes::Shape& shape, const Pose& X_WS);

}  // namespace vinculum::cli
