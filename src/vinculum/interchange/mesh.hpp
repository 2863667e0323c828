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

/// OBJ, STL, DAE, ... by assimp; MSH; throws base::InputError at `place`.
Mesh load_mesh(const std::string& file, const base::Place& place, const std::string& path);

/// How a surface becomes a solid.
///   exact     signed tetrahedra: right for a closed surface; one that is turned inside out counts as if it were not
///   legacy    MuJoCo's default: the tetrahedra count by their size alone, which counts twice where the surface folds
///   shell     the surface itself; "volume" is its area
enum class Filling { exact, legacy, shell };
shapes::VolumeMoments mesh_moments(const Mesh& mesh, Filling filling);

/// The hull of the points; again the hull of its own corners, so that writing and reading it changes nothing.
shapes::Shape hull_of(const std::vector<Vec3>& points, const base::Place& place, const std::string& path);

/// Corners of a geodesic sphere, 162 of them, stretched to the half axes.
std::vector<Vec3> ellipsoid_points(const Vec3& half_axes);

}  // namespace vinculum::interchange
