// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/collide/mesh_cell.hpp"

#include "vinculum/shapes/polytope.hpp"

namespace vinculum::collide {
namespace {

constexpr double thickness = 0.01;  // over the smallest height of the triangle
constexpr double taper = 0.5;       // size of the back over that of the front
constexpr double on_border = 1e-9;  // distance that is none, over the longest side

}  // namespace

MeshCell::MeshCell() {
  prism_.vertices.resize(6);
  prism_.faces.resize(5);
  prism_.faces[0].loop = {0, 1, 2};
  prism_.faces[1].loop = {5, 4, 3};
  for (int k = 0; k < 3; ++k) prism_.faces[2 + k].loop = {k, k + 3, (k + 1) % 3 + 3, (k + 1) % 3};
  shapes::list_edges(prism_);
}

void MeshCell::place(const shapes::Mesh& mesh, int triangle, const Pose& X) {
  mesh_ = &mesh;
  triangle_ = triangle;
  const auto& facet = mesh.facet(triangle);
  const Vec3 centre = (mesh.corner(triangle, 0) + mesh.corner(triangle, 1) + mesh.corner(triangle, 2)) / 3;
  double height = std::numeric_limits<double>::infinity();
  size_ = 0;
  for (int k = 0; k < 3; ++k) {
    const Vec3 side = mesh.corner(triangle, (k + 1) % 3) - mesh.corner(triangle, k);
    size_ = std::max(size_, side.norm());
    walls_[k] = side.cross(facet.normal).normalized();
    wall_offsets_[k] = walls_[k].dot(mesh.corner(triangle, k));
    height = std::min(height, wall_offsets_[k] - walls_[k].dot(mesh.corner(triangle, (k + 2) % 3)));
  }
  const double depth = thickness * height;
  for (int k = 0; k < 3; ++k) {
    prism_.vertices[k] = mesh.corner(triangle, k);
    prism_.vertices[k + 3] = centre + taper * (prism_.vertices[k] - centre) - depth * facet.normal;
  }
  for (int k = 0; k < 3; ++k) {
    const Vec3 side = prism_.vertices[(k + 1) % 3] - prism_.vertices[k];
    prism_.faces[2 + k].normal = (prism_.vertices[k + 3] - prism_.vertices[k]).cross(side).normalized();
    prism_.faces[2 + k].offset = prism_.faces[2 + k].normal.dot(prism_.vertices[k]);
  }
  prism_.faces[0].normal = facet.normal;
  prism_.faces[0].offset = facet.offset;
  prism_.faces[1].normal = -facet.normal;
  prism_.faces[1].offset = depth - facet.offset;
  core_.place(prism_, 0, X);
}

int MeshCell::mesh_edge(int edge) const {
  const auto [i, j] = prism_.edges[edge];
  if (i > 2 || j > 2) return -1;
  const int k = (i + 1) % 3 == j ? i : j;
  return mesh_->triangle_edges[triangle_][k];
}

MeshCell::Spot MeshCell::spot(const Vec3& P) const {
  const auto& facet = mesh_->facet(triangle_);
  if (std::abs(facet.normal.dot(P) - facet.offset) > on_border * size_) return {};
  std::array<bool, 3> at;
  for (int k = 0; k < 3; ++k) {
    const double beyond = walls_[k].dot(P) - wall_offsets_[k];
    at[k] = beyond > -on_border * size_;
  }
  const int count = at[0] + at[1] + at[2];
  if (count == 0) return {Spot::On::facet, mesh_->facet_of[triangle_]};
  if (count == 1) return {Spot::On::edge, mesh_->triangle_edges[triangle_][at[0] ? 0 : at[1] ? 1 : 2]};
  const int corner = at[0] && at[1] ? 1 : at[1] && at[2] ? 2 : 0;
  return {Spot::On::vertex, mesh_->triangles[triangle_][corner]};
}

bool MeshCell::is_over(const Vec3& P, double beside) const {
  for (int k = 0; k < 3; ++k)
    if (walls_[k].dot(P) - wall_offsets_[k] > beside) return false;
  return true;
}

bool MeshCell::supports(const Spot& spot, const Vec3& n, double lean) const {
  using Bend = shapes::Mesh::Bend;
  const auto is_seam = [&](int edge) {
    return mesh_->edges[edge].bend == Bend::flat || mesh_->edges[edge].bend == Bend::concave;
  };
  switch (spot.on) {
    case Spot::On::nothing:
      return false;
    case Spot::On::facet:
      return (n - normal()).norm() <= slack;
    case Spot::On::edge:
      return !is_seam(spot.index) && mesh_->supports_edge(spot.index, n, lean);
    case Spot::On::vertex: {
      bool ridge = false;  // a vertex at which only seams meet is no feature
      for (int i = mesh_->star_begin[spot.index]; i < mesh_->star_begin[spot.index + 1]; ++i)
        ridge = ridge || !is_seam(mesh_->star[i]);
      return ridge && mesh_->supports_vertex(spot.index, n, lean);
    }
  }
  return false;
}

}  // namespace vinculum::collide
