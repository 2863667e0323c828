// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside a closed mesh: the solid angles of its triangles, seen from the point, add up to 4π (0 outside), with
//   tan(Ω/2) = a·(b × c) / ( |a||b||c| + a·b |c| + b·c |a| + c·a |b| )          Van Oosterom & Strackee 1983
// Inside the ground of a height field: below the triangle of its top over the same (x, y), above its lowest vertices.
#include "vinculum/checks/surfaces.hpp"

#include "vinculum/shapes/mesh.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace vinculum::checks {
namespace {

using shapes::Kind;
using shapes::Mesh;
using shapes::Shape;

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Triangle {
  Vec3 a, b, c;
};

Triangle placed(const Solid& surface, std::size_t t) {
  const auto& corners = surface.shape->mesh->triangles[t];
  auto at = [&](int k) {
    return Vec3(surface.p + surface.R * surface.shape->mesh->vertices[static_cast<std::size_t>(k)]);
  };
  return {at(corners[0]), at(corners[1]), at(corners[2])};
}

std::size_t count(const Solid& surface) { return surface.shape->mesh->triangles.size(); }

/// Nearest point of a segment, of a triangle.
Vec3 nearest_on_segment(const Vec3& a, const Vec3& b, const Vec3& x) {
  const double t = std::clamp((x - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
  return a + t * (b - a);
}
double distance(const Triangle& t, const Vec3& x) {
  const Vec3 n = (t.b - t.a).cross(t.c - t.a).normalized();
  auto left = [&](const Vec3& p, const Vec3& q) { return n.dot((q - p).cross(x - p)) >= 0; };
  if (left(t.a, t.b) && left(t.b, t.c) && left(t.c, t.a)) return std::abs(n.dot(x - t.a));
  double best = infinity;
  for (const auto& [p, q] : {std::pair{t.a, t.b}, std::pair{t.b, t.c}, std::pair{t.c, t.a}}) {
    best = std::min(best, (nearest_on_segment(p, q, x) - x).norm());
  }
  return best;
}

/// The triangle as a flat polytope, for the general test.
Shape flat_shape(const Triangle& t) {
  auto polytope = std::make_shared<shapes::Polytope>();
  polytope->vertices = {t.a, t.b, t.c};
  const Vec3 n = (t.b - t.a).cross(t.c - t.a).normalized();
  polytope->faces = {{n, n.dot(t.a), {0, 1, 2}, {}}, {-n, -n.dot(t.a), {2, 1, 0}, {}}};
  polytope->edges = {{0, 1}, {1, 2}, {0, 2}};
  Shape shape;
  shape.kind = Kind::hull;
  shape.polytope = polytope;
  return shape;
}

struct Box {
  Vec3 low, high;
  bool meets(const Box& other) const {
    return (low.array() <= other.high.array()).all() && (other.low.array() <= high.array()).all();
  }
};

Box box_of(const Triangle& t) { return {t.a.cwiseMin(t.b).cwiseMin(t.c), t.a.cwiseMax(t.b).cwiseMax(t.c)}; }

Box box_of(const Solid& solid) {
  Box box;
  for (int k = 0; k < 3; ++k) {
    box.low[k] = -support_value(solid, -Vec3::Unit(k));
    box.high[k] = support_value(solid, Vec3::Unit(k));
  }
  return box;
}

bool is_inside(const Solid& surface, const Vec3& x) {
  double angle = 0;
  for (std::size_t k = 0; k < count(surface); ++k) {
    const Triangle t = placed(surface, k);
    const Vec3 a = t.a - x, b = t.b - x, c = t.c - x;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    angle += 2 * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return angle > 2 * std::numbers::pi;
}

bool is_in_ground(const Solid& surface, const Vec3& x_W) {
  const Vec3 x = surface.R.transpose() * (x_W - surface.p);
  const Mesh& mesh = *surface.shape->mesh;
  double bottom = infinity;
  for (const Vec3& vertex : mesh.vertices) bottom = std::min(bottom, vertex.z());
  if (x.z() <= bottom) return false;
  for (const auto& corners : mesh.triangles) {
    const Vec3 &a = mesh.vertices[static_cast<std::size_t>(corners[0])],
               &b = mesh.vertices[static_cast<std::size_t>(corners[1])],
               &c = mesh.vertices[static_cast<std::size_t>(corners[2])];
    if (!((b - a).cross(c - a).z() > 0)) continue;  // a side, or the bottom
    auto left = [&](const Vec3& p, const Vec3& q) {
      return (q.x() - p.x()) * (x.y() - p.y()) - (q.y() - p.y()) * (x.x() - p.x()) >= 0;
    };
    if (!left(a, b) || !left(b, c) || !left(c, a)) continue;
    return (b - a).cross(c - a).dot(x - a) < 0;
  }
  return false;
}

/// A point of the solid: the centre of what is symmetric, the mean of a hull's vertices, a vertex of a surface.
Vec3 some_point(const Solid& solid) {
  if (is_surface(solid)) return solid.p + solid.R * solid.shape->mesh->vertices.front();
  if (solid.shape->kind != Kind::hull) return solid.p;
  Vec3 mean = Vec3::Zero();
  for (const Vec3& x : solid.shape->polytope->vertices) mean += x;
  return solid.p + solid.R * (mean / static_cast<double>(solid.shape->polytope->vertices.size()));
}

bool is_behind(const Solid& surface, const Vec3& x) {
  if (surface.shape->kind == Kind::height_field) return is_in_ground(surface, x);
  return surface.shape->mesh->closed && is_inside(surface, x);
}

}  // namespace

double surface_distance(const Solid& surface, const Vec3& x) {
  double best = infinity;
  for (std::size_t k = 0; k < count(surface); ++k) best = std::min(best, distance(placed(surface, k), x));
  return best;
}

double surface_lift(const Solid& surface, const Vec3& n, const Vec3& p, bool by_face, double band) {
  const double there = surface_distance(surface, p) + (by_face ? band : 0) + 1e-10 * (1 + p.norm());
  double least = infinity, most = 0;
  for (std::size_t k = 0; k < count(surface); ++k) {
    const Triangle t = placed(surface, k);
    if (distance(t, p) > there) continue;
    double low = infinity, high = -infinity;
    for (const Vec3& x : {t.a, t.b, t.c}) {
      low = std::min(low, n.dot(x - p));
      high = std::max(high, n.dot(x - p));
    }
    const bool front = (t.b - t.a).cross(t.c - t.a).dot(n) > 0;
    least = std::min(least, front ? std::max(std::abs(low), std::abs(high)) : infinity);
    most = std::max(most, std::abs(high));
  }
  return by_face ? least : most;
}

Separation separate_surface(const Solid& a, const Solid& b, std::span<const Vec3> hints) {
  Separation worst{infinity, Vec3::UnitZ()};
  const Vec3 probe = b.shape->kind == Kind::plane ? Vec3(Vec3::Zero()) : some_point(b);
  if (b.shape->kind == Kind::plane) {  // every vertex before it
    const Vec3 n = b.R.col(2);
    for (const Vec3& x : a.shape->mesh->vertices) {
      const double height = n.dot(a.p + a.R * x - b.p);
      if (height < worst.value) worst = {height, -n};
    }
    return worst;
  }
  const Box box = box_of(b);
  for (std::size_t k = 0; k < count(a); ++k) {
    const Triangle t = placed(a, k);
    if (!box_of(t).meets(box)) continue;
    const Shape shape = flat_shape(t);
    const Solid flat{&shape, Vec3::Zero(), Mat3::Identity()};
    Separation found = separate(flat, b, hints);
    if (found.value < worst.value) worst = found;
  }
  if (!is_behind(a, probe)) return worst;
  const double inside = surface_distance(a, probe);  // of a point of b
  return -inside < worst.value ? Separation{-inside, Vec3::UnitZ()} : worst;
}

}  // namespace vinculum::checks
