// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A surface of triangles, counter-clockwise seen from outside; closed (the border of a solid) or open (a sheet that is
// touched from its front only; a height field is one).
//
// Facet:    connected triangles in one plane to round-off. They share one normal and one offset, so that a seam between
//           them is no feature: a ball that rolls over it cannot notice.
// Bend:     whether an edge is a ridge (convex), a valley (concave), or neither (flat: within a facet). Only ridges and
//           the border of a sheet can be touched.
// Normals of a feature, the directions n in which the surface is locally highest there:
//   facet     its normal
//   edge      n ⟂ edge,  n·m_1 >= 0,  n·m_2 >= 0,   m_i in the plane of triangle i, ⟂ edge, away from the triangle
//   vertex    n·e <= 0 for every edge e that leaves it
// and n must not point to the back of every triangle there.
#pragma once

#include "vinculum/shapes/shape.hpp"

#include <string>

namespace vinculum::shapes {

struct Mesh {
  enum class Bend : std::uint8_t { convex, flat, concave, border };
  struct Edge {
    std::array<int, 2> ends;   // vertices, smaller index first
    std::array<int, 2> sides;  // triangles; the first runs along the edge from ends[0], or is the only one
    Bend bend;
  };
  struct Facet {
    Vec3 normal;
    double offset;  // normal·x on its plane
  };
  struct Node {  // of the tree of boxes; children at `first` and `first + 1`, or triangles order[first..first + count)
    Vec3 low, high;
    int first = 0, count = 0;  // count = 0: an inner node
  };

  std::vector<Vec3> vertices;
  std::vector<std::array<int, 3>> triangles;
  std::vector<std::array<int, 3>> triangle_edges;  // [k]: the edge from corner k to the next
  std::vector<int> facet_of;                       // of each triangle
  std::vector<Facet> facets;
  std::vector<Edge> edges;
  std::vector<int> star_begin, star;  // edges at each vertex: star[star_begin[v] .. star_begin[v + 1])
  bool closed = false;
  double thickness = 0;  // the least way through a closed solid, from the middle of a triangle straight back; sheets: 0
  std::vector<Node> tree;                // the root first
  std::vector<int> order;                // triangles in the order of the leaves
  std::shared_ptr<const Polytope> hull;  // null when the vertices span no solid or are too many for one

  const Facet& facet(int triangle) const { return facets[facet_of[triangle]]; }
  Vec3 corner(int triangle, int k) const { return vertices[triangles[triangle][k]]; }

  /// Triangles whose boxes meet the box low..high, in ascending order.
  void query(const Vec3& low, const Vec3& high, std::vector<int>& found) const;

  /// Is n (unit) one of the normals of an edge or vertex, up to the angle `slack`?
  bool supports_edge(int edge, const Vec3& n, double slack) const;
  bool supports_vertex(int vertex, const Vec3& n, double slack) const;
};

/// Throws base::InputError "found ..., expected ..." when triangles name no vertex, have no area, or do not form an
/// oriented surface in which at most two meet at an edge.
std::shared_ptr<const Mesh> make_mesh(std::vector<Vec3> vertices, std::vector<std::array<int, 3>> triangles);

/// Signed tetrahedra; the mesh must be closed.
VolumeMoments mesh_moments(const Mesh& mesh);

/// Reads a file that assimp knows (STL, OBJ, PLY, ...). Equal corners become one vertex, triangles without area are
/// left out. Throws base::InputError "found ..., expected ...".
void load_mesh(const std::string& path, std::vector<Vec3>& vertices, std::vector<std::array<int, 3>>& triangles);

/// A mesh in one line: "mesh: x y z, ...; i j k, ...", in which a trace keeps what a scene read from a file.
std::string write_mesh_text(const std::vector<Vec3>& vertices, const std::vector<std::array<int, 3>>& triangles);
bool is_mesh_text(const std::string& text);

}  // namespace vinculum::shapes
