// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Sphere, capsule, box and hull are one family: a polytope (a point, a segment, a solid) rounded by a ball.
// A Core is such a polytope placed in the frame in which a pair is worked out, that of shape a.
#pragma once

#include "vinculum/collide/contact_set.hpp"

#include <span>

namespace vinculum::collide {

struct Core {
  const shapes::Polytope* solid = nullptr;  // topology, and coordinates in the shape's own frame
  std::vector<Vec3> vertices;               // in the frame of the pair
  std::vector<Vec3> normals;                // of the faces
  std::vector<double> offsets;
  double rounding = 0;
  double size = 0;  // half the diagonal of the vertices' bounding block, shape frame

  /// Fills the core; keeps its memory. X: shape frame in the frame of the pair. `solid` may point into this object.
  void place(const shapes::Shape& shape, const Pose& X);
  void place(const shapes::Shape& shape);  // X = identity, without rounding
  void place(const shapes::Polytope& polytope, double ball, const Pose& X);

  std::size_t vertex_count() const { return vertices.size(); }
  std::size_t face_count() const { return normals.size(); }
  std::size_t edge_count() const { return solid->edges.size(); }
  Vec3 edge_direction(std::size_t k) const {  // not unit
    return vertices[solid->edges[k][1]] - vertices[solid->edges[k][0]];
  }
  /// Own-frame coordinates of the point at parameter t of edge k.
  Vec3 own_edge_point(std::size_t k, double t) const {
    const Vec3& p = solid->vertices[solid->edges[k][0]];
    return p + t * (solid->vertices[solid->edges[k][1]] - p);
  }

 private:
  const shapes::Polytope& polytope_of(const shapes::Shape& shape);
  void take(const shapes::Polytope& polytope, double ball);
  shapes::Polytope simple_;  // the point or segment of a sphere or capsule
};

/// True for the shapes that have a core.
inline bool has_core(shapes::Kind kind) {
  return kind == shapes::Kind::sphere || kind == shapes::Kind::capsule || kind == shapes::Kind::box ||
         kind == shapes::Kind::hull;
}

/// Shape b's frame in that of a; the difference of the origins is formed first, so that places far from the origin of
/// the world lose nothing more.
inline Pose relative_pose(const Pose& X_WA, const Pose& X_WB) {
  const algebra::Quat inverse = X_WA.R.conjugate();
  return {inverse * (X_WB.p - X_WA.p), inverse * X_WB.R};
}

/// Scratch of the thread: the cores of the pair at hand.
struct CorePair {
  Core a, b;
  static CorePair& scratch();
};

}  // namespace vinculum::collide
