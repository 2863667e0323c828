// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Surface of triangles. A moving body needs a closed one: its volume V > 0 is that of the signed tetrahedra (c, x1, x2,
// x3) over all triangles, as for a polytope (polytope.cpp).
#include "vinculum/shapes/mesh.hpp"

#include "vinculum/base/error.hpp"
#include "vinculum/shapes/polytope.hpp"

#include <fmt/core.h>

namespace vinculum::shapes {
namespace {

constexpr ShapeKey keys[] = {
    {ShapeKey::Type::file, "file", "name of a mesh file (STL, OBJ, ...), relative to the scene", true},
    {ShapeKey::Type::points, "points", "vertices [x, y, z], m", true},
    {ShapeKey::Type::triangles, "triangles", "triples of vertices, counter-clockwise seen from outside", true},
};

Shape make(const ShapeValues& values) {
  std::vector<Vec3> vertices = values.points;
  std::vector<std::array<int, 3>> triangles = values.triangles;
  const bool listed = !vertices.empty() || !triangles.empty();
  if (values.file.empty() == !listed)
    throw base::InputError(fmt::format("found {}, expected either file or points and triangles",
                                       listed ? "file beside points or triangles" : "neither"));
  if (!listed) load_mesh(values.file, vertices, triangles);
  Shape shape;
  shape.kind = Kind::mesh;
  shape.mesh = make_mesh(std::move(vertices), std::move(triangles));
  if (shape.mesh->closed && !(mesh_moments(*shape.mesh).volume > 0))
    throw base::InputError("found a closed mesh turned inside out, expected triangles counter-clockwise from outside");
  return shape;
}

VolumeMoments moments(const Shape& shape) { return mesh_moments(*shape.mesh); }

Vec3 support_point(const Shape& shape, const Vec3& d) {
  const auto& vertices = shape.mesh->hull ? shape.mesh->hull->vertices : shape.mesh->vertices;
  return vertices[support_vertex(vertices, d)];
}

double radius_bound(const Shape& shape) {
  double square = 0;
  for (const Vec3& x : shape.mesh->vertices) square = std::max(square, x.squaredNorm());
  return std::sqrt(square);
}

}  // namespace

VolumeMoments mesh_moments(const Mesh& mesh) {
  Vec3 inside = Vec3::Zero();
  for (const Vec3& x : mesh.vertices) inside += x / static_cast<double>(mesh.vertices.size());
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto k = static_cast<int>(t);
    const Vec3 e1 = mesh.corner(k, 0) - inside, e2 = mesh.corner(k, 1) - inside, e3 = mesh.corner(k, 2) - inside;
    const Vec3 sum = e1 + e2 + e3;
    const double det = e1.dot(e2.cross(e3));
    volume += det / 6;
    first += det / 24 * sum;
    second += det / 120 * (e1 * e1.transpose() + e2 * e2.transpose() + e3 * e3.transpose() + sum * sum.transpose());
  }
  const Vec3 offset = first / volume;
  second -= volume * offset * offset.transpose();
  return {volume, inside + offset, second.trace() * Mat3::Identity() - second};
}

extern const ShapeType mesh_type;
const ShapeType mesh_type{"mesh", "", keys, make, true, moments, support_point, radius_bound};

}  // namespace vinculum::shapes
