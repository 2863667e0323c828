// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// One triangle of a mesh as a flat solid behind it, tapered so that it stays inside sharp edges, so that the pair
// functions for convex bodies can be asked about it; and the judge of what they answer: a contact counts if its normal
// is one of the normals of the feature of the mesh that it touches (shapes/mesh.hpp). The walls and the back of a prism
// are no surface, and neither are the seams of a facet.
#pragma once

#include "vinculum/collide/core.hpp"
#include "vinculum/shapes/mesh.hpp"

namespace vinculum::collide {

class MeshCell {
 public:
  static constexpr int front = 0;  // the face of the prism that is the triangle
  /// Angle by which a normal may be outside: nearest points at 1e-8 of the size know it no better.
  static constexpr double slack = 1e-7;

  MeshCell();
  /// X: the frame of the mesh in the frame of the pair.
  void place(const shapes::Mesh& mesh, int triangle, const Pose& X);

  const Core& core() const { return core_; }
  int triangle() const { return triangle_; }
  int facet() const { return mesh_->facet_of[triangle_]; }
  const Vec3& normal() const { return prism_.faces[front].normal; }  // own frame

  /// Where a point (own frame) is on the triangle.
  struct Spot {
    enum class On : std::uint8_t { nothing, facet, edge, vertex } on = On::nothing;
    int index = -1;  // of the facet, edge or vertex in the mesh
  };
  Spot spot(const Vec3& P) const;
  /// Is a point of the plane (own frame) in the triangle, but for `beside`?
  bool is_over(const Vec3& P, double beside) const;
  /// Is n (own frame, unit, away from the mesh) a normal of the mesh there, up to the angle `lean`?
  bool supports(const Spot& spot, const Vec3& n, double lean) const;

  /// Of the mesh, for a vertex or edge of the prism; −1 for those behind.
  int mesh_vertex(int vertex) const { return vertex < 3 ? mesh_->triangles[triangle_][vertex] : -1; }
  int mesh_edge(int edge) const;

 private:
  const shapes::Mesh* mesh_ = nullptr;
  int triangle_ = 0;
  double size_ = 0;            // longest side
  std::array<Vec3, 3> walls_;  // outward normals of the sides, in the plane of the triangle
  std::array<double, 3> wall_offsets_{};
  shapes::Polytope prism_;
  Core core_;
};

}  // namespace vinculum::collide
