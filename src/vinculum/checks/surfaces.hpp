// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The auditor's view of meshes and height fields: a list of triangles, each a flat convex set. No tree, no facets, no
// neighbours: every triangle is looked at.
#pragma once

#include "vinculum/checks/solids.hpp"

namespace vinculum::checks {

inline bool is_surface(const Solid& solid) { return solid.shape->mesh != nullptr; }

/// Nearest point of the triangles.
double surface_distance(const Solid& surface, const Vec3& x);

/// How far n is from supporting the surface at p, a point of it: for a face, of the triangle there that it supports
/// best; otherwise of all triangles there. A face may be left by the band: beyond a ridge the other triangle is nearer.
double surface_lift(const Solid& surface, const Vec3& n, const Vec3& p, bool by_face, double band);

/// The least separation of any triangle of a from b (convex, or another surface). A point of b inside a closed mesh or
/// the ground of a height field overlaps by its distance from the surface, also if b meets no triangle.
Separation separate_surface(const Solid& a, const Solid& b, std::span<const Vec3> hints);

}  // namespace vinculum::checks
