// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Convex polytopes: from points to faces, and their volume moments.
//
//   P = conv { x_i } = { x : n_f·x <= o_f for every face f }
//
// Faces are the maximal ones: triangles that lie in one plane to within `flatness` times the extent are one face, so
// that a block resting on a face rests on all its corners. The plane of a face touches P from outside: o_f = max_i
// n_f·x_i.
#pragma once

#include "vinculum/shapes/shape.hpp"

#include <memory>
#include <span>

namespace vinculum::shapes {

/// Facets closer than this to a common plane, relative to the extent of the points, are one face. Data written with
/// seven digits keep their flat faces.
constexpr double flatness = 1e-7;

/// Hull of points. Throws base::InputError "found ..., expected ..." when the points do not span a solid.
std::shared_ptr<const Polytope> make_hull(std::span<const Vec3> points);

/// The block |x_i| <= half_i. Vertex k has the signs of the bits of k; faces are -x, +x, -y, +y, -z, +z.
std::shared_ptr<const Polytope> make_block(const Vec3& half);

/// Fills edges, edge_faces and loop_edges from the loops. Edges are ordered by (smaller vertex, larger vertex); the
/// first face of an edge runs along it from the smaller to the larger vertex.
void list_edges(Polytope& polytope);

/// Volume, centroid and inertia by the signed tetrahedra of a fan over each face.
VolumeMoments polytope_moments(const Polytope& polytope);

/// Index of the first vertex that maximises d·x.
int support_vertex(std::span<const Vec3> vertices, const Vec3& d);

}  // namespace vinculum::shapes
