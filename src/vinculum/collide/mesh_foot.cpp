// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The nearest point p of a triangle is on its plane, a side or a corner, by the signs of barycentric coordinates
// (Ericson 2005, 5.1.5). With the normal of the surface at p, on an edge the sum of both sides', at a vertex that of
// all triangles weighted by their angles,
//   x is behind the surface  <=>  m·(x − p) < 0                              Bærentzen & Aanæs 2005
// whatever the bends there.
#include "vinculum/collide/mesh_foot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::collide {
namespace {

using shapes::Mesh;

/// A point of a triangle: corner `first` for a vertex, the side from `first` on for an edge.
struct Place {
  enum class On : std::uint8_t { facet, edge, vertex } on = On::facet;
  int first = 0;
  Vec3 point;
};

Place nearest_place(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& x) {
  using On = Place::On;
  const Vec3 ab = b - a, ac = c - a, ax = x - a, bx = x - b, cx = x - c;
  const double d1 = ab.dot(ax), d2 = ac.dot(ax);
  if (d1 <= 0 && d2 <= 0) return {On::vertex, 0, a};
  const double d3 = ab.dot(bx), d4 = ac.dot(bx);
  if (d3 >= 0 && d4 <= d3) return {On::vertex, 1, b};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return {On::edge, 0, a + d1 / (d1 - d3) * ab};
  const double d5 = ab.dot(cx), d6 = ac.dot(cx);
  if (d6 >= 0 && d5 <= d6) return {On::vertex, 2, c};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return {On::edge, 2, a + d2 / (d2 - d6) * ac};
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 >= d3 && d5 >= d6) return {On::edge, 1, b + (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (c - b)};
  return {On::facet, 0, a + (vb * ab + vc * ac) / (va + vb + vc)};
}

double angle_at(const Mesh& mesh, int triangle, int vertex) {
  const auto& corners = mesh.triangles[triangle];
  const int k = corners[0] == vertex ? 0 : corners[1] == vertex ? 1 : 2;
  const Vec3 e = mesh.corner(triangle, (k + 1) % 3) - mesh.vertices[vertex];
  const Vec3 f = mesh.corner(triangle, (k + 2) % 3) - mesh.vertices[vertex];
  return std::atan2(e.cross(f).norm(), e.dot(f));
}

/// Of the surface at a place of a triangle, not unit; zero on the border of a sheet.
Vec3 normal_at(const Mesh& mesh, int triangle, const Place& place) {
  if (place.on == Place::On::facet) return mesh.facet(triangle).normal;
  if (place.on == Place::On::edge) {
    const auto& sides = mesh.edges[mesh.triangle_edges[triangle][place.first]].sides;
    return sides[1] < 0 ? Vec3(Vec3::Zero()) : Vec3(mesh.facet(sides[0]).normal + mesh.facet(sides[1]).normal);
  }
  const int vertex = mesh.triangles[triangle][place.first];
  Vec3 sum = Vec3::Zero();  // every triangle twice, by both of its edges
  for (int i = mesh.star_begin[vertex]; i < mesh.star_begin[vertex + 1]; ++i) {
    for (const int t : mesh.edges[mesh.star[i]].sides) {
      if (t < 0) return Vec3::Zero();
      sum += angle_at(mesh, t, vertex) * mesh.facet(t).normal;
    }
  }
  return sum;
}

double square_to(const Mesh::Node& node, const Vec3& x) {
  return (x.cwiseMax(node.low).cwiseMin(node.high) - x).squaredNorm();
}

}  // namespace

Foot find_foot(const Mesh& mesh, const Vec3& x) {
  double best = std::numeric_limits<double>::infinity();
  int triangle = -1;
  Place place;
  std::array<int, 64> stack;  // as in Mesh::query
  int depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const Mesh::Node& node = mesh.tree[stack[--depth]];
    if (square_to(node, x) >= best) continue;
    if (node.count == 0) {  // the nearer child last, to be looked at first
      const bool swap = square_to(mesh.tree[node.first], x) < square_to(mesh.tree[node.first + 1], x);
      stack[depth++] = node.first + (swap ? 1 : 0);
      stack[depth++] = node.first + (swap ? 0 : 1);
      continue;
    }
    for (int i = node.first; i < node.first + node.count; ++i) {
      const int t = mesh.order[i];
      const Place found = nearest_place(mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2), x);
      const double square = (found.point - x).squaredNorm();
      if (square >= best) continue;
      best = square;
      triangle = t;
      place = found;
    }
  }
  const double distance = std::sqrt(best);
  return {normal_at(mesh, triangle, place).dot(x - place.point) < 0 ? -distance : distance, place.point, triangle};
}

}  // namespace vinculum::collide
