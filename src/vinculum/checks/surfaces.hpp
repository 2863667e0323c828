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
/// best; otherwise of all triangles there.
double surface_lift(const Solid& surface, const Vec3& n, const Vec3& p, bool by_face);

/// The least separation of any triangle of a from b (convex, or another surface). A body that lies behind the surface
/// of a closed mesh or of a height field without meeting a triangle overlaps by its reach.
Separation separate_surface(const Solid& a, const Solid& b, std::span<const Vec3> hints);

}  // namespace vinculum::checks
