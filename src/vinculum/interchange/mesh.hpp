// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Triangle meshes of robot files: points, the solid they bound, its convex hull as a shape.
#pragma once

#include "vinculum/algebra/types.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/shapes/shape.hpp"

#include <array>
#include <string>
#include <vector>

namespace vinculum::interchange {

using algebra::Mat3;
using algebra::Pose;
using algebra::Vec3;

struct Mesh {
  std::vector<Vec3> points;
  std::vector<std::array<int, 3>> triangles;  // outward when the fingers of the right hand follow the corners
};

/// OBJ, STL, DAE, ... by assimp; throws base::InputError at `place`.
Mesh load_mesh(const std::string& file, const base::Place& place, const std::string& path);

/// Volume and moments of the solid inside the surface, by signed tetrahedra from the centre of the points. Surfaces
/// that are turned inside out count as if they were not; an open or flat one gives a volume of nearly zero.
shapes::VolumeMoments mesh_moments(const Mesh& mesh);

/// The hull of the points; again the hull of its own corners, so that writing and reading it changes nothing.
shapes::Shape hull_of(const std::vector<Vec3>& points, const base::Place& place, const std::string& path);

/// Corners of a geodesic sphere, 162 of them, stretched to the half axes.
std::vector<Vec3> ellipsoid_points(const Vec3& half_axes);

}  // namespace vinculum::interchange
