// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/checks/solids.hpp"

#include "vinculum/checks/surfaces.hpp"
#include "vinculum/shapes/mesh.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::checks {

using shapes::Kind;
using shapes::Shape;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double good_enough = 1e-10;  // overlap over the size that needs no better direction

/// Support of the shape without its rounding ball, in its own axes.
Vec3 core_support(const Shape& shape, const Vec3& d) {
  auto sign = [](double x) { return x < 0 ? -1.0 : 1.0; };
  switch (shape.kind) {
    case Kind::sphere:
      return Vec3::Zero();
    case Kind::capsule:
      return {0, 0, sign(d.z()) * shape.half_length};
    case Kind::box:
      return {sign(d.x()) * shape.half_extents.x(), sign(d.y()) * shape.half_extents.y(),
              sign(d.z()) * shape.half_extents.z()};
    case Kind::cylinder: {
      const double across = std::hypot(d.x(), d.y());
      const double scale = across > 0 ? shape.radius / across : 0;
      return {scale * d.x(), scale * d.y(), sign(d.z()) * shape.half_length};
    }
    case Kind::hull: {
      Vec3 best = shape.polytope->vertices.front();
      for (const Vec3& x : shape.polytope->vertices) {
        if (d.dot(x) > d.dot(best)) best = x;
      }
      return best;
    }
    case Kind::mesh:
    case Kind::height_field: {
      Vec3 best = shape.mesh->vertices.front();
      for (const Vec3& x : shape.mesh->vertices) {
        if (d.dot(x) > d.dot(best)) best = x;
      }
      return best;
    }
    case Kind::plane:
      break;
  }
  return Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
}

double rounding(const Shape& shape) {
  return shape.kind == Kind::sphere || shape.kind == Kind::capsule ? shape.radius : 0;
}

Vec3 core_support_world(const Solid& solid, const Vec3& d) {
  return solid.p + solid.R * core_support(*solid.shape, solid.R.transpose() * d);
}

/// Directions that can be normals of a shape's flat faces, world axes.
void add_face_normals(const Solid& solid, std::vector<Vec3>& out) {
  switch (solid.shape->kind) {
    case Kind::box:
      for (int i = 0; i < 3; ++i) out.push_back(solid.R.col(i)), out.push_back(-solid.R.col(i));
      break;
    case Kind::cylinder:
      out.push_back(solid.R.col(2)), out.push_back(-solid.R.col(2));
      break;
    case Kind::hull:
      for (const auto& face : solid.shape->polytope->faces) out.push_back(solid.R * face.normal);
      break;
    default:
      break;
  }
}

/// Directions of a shape's straight edges, world axes, each up to sign.
void add_edges(const Solid& solid, std::vector<Vec3>& out) {
  if (solid.shape->kind == Kind::box) {
    for (int i = 0; i < 3; ++i) out.push_back(solid.R.col(i));
  } else if (solid.shape->kind == Kind::hull) {
    const auto& x = solid.shape->polytope->vertices;
    for (const auto& [i, j] : solid.shape->polytope->edges) {
      out.push_back(solid.R * (x[static_cast<std::size_t>(j)] - x[static_cast<std::size_t>(i)]).normalized());
    }
  } else if (solid.shape->kind == Kind::capsule || solid.shape->kind == Kind::cylinder) {
    out.push_back(solid.R.col(2));
  }
}

/// And no triangle, whose edges have no arc of normals.
bool is_solid_hull(const Solid& solid) {
  return solid.shape->kind == Kind::hull &&
         solid.shape->polytope->edge_faces.size() == solid.shape->polytope->edges.size();
}

/// The same of a hull, but those along which no normal separates it from another hull by more than `value` <= 0: where
/// n₁, n₂ are the normals of the faces that meet in the edge, and n₁·(y − x) <= value and n₂·(y − x) <= value for a
/// corner y of the other and x on the edge, n·(y − x) <= (α + β) value for n = α n₁ + β n₂, and α + β >= 1 for a unit
/// n.
void add_promising_edges(const Solid& solid, const Solid& other, double value, std::vector<Vec3>& out) {
  const shapes::Polytope& hull = *solid.shape->polytope;
  std::vector<Vec3> corners;  // of the other, in the axes of the hull
  for (const Vec3& y : other.shape->polytope->vertices) {
    corners.push_back(solid.R.transpose() * (other.p + other.R * y - solid.p));
  }
  for (std::size_t k = 0; k < hull.edges.size(); ++k) {
    const Vec3 &x = hull.vertices[static_cast<std::size_t>(hull.edges[k][0])],
               &end = hull.vertices[static_cast<std::size_t>(hull.edges[k][1])];
    const Vec3 &n1 = hull.faces[static_cast<std::size_t>(hull.edge_faces[k][0])].normal,
               &n2 = hull.faces[static_cast<std::size_t>(hull.edge_faces[k][1])].normal;
    const bool hopeless = std::any_of(corners.begin(), corners.end(),
                                      [&](const Vec3& y) { return n1.dot(y - x) <= value && n2.dot(y - x) <= value; });
    if (!hopeless) out.push_back(solid.R * (end - x).normalized());
  }
}

/// Nearest point to the origin in the hull of at most four points (a simplex), by trying every face of it: the one
/// whose projection has positive weights and the least norm. Returns the kept points in `simplex`.
Vec3 nearest_in_simplex(std::vector<Vec3>& simplex) {
  Vec3 best = simplex.front();
  std::vector<Vec3> best_face{simplex.front()};
  const auto n = static_cast<unsigned>(simplex.size());
  for (unsigned mask = 1; mask < (1u << n); ++mask) {
    std::vector<Vec3> face;
    for (unsigned i = 0; i < n; ++i) {
      if (mask & (1u << i)) face.push_back(simplex[i]);
    }
    // Affine minimiser: x = f0 + E y, EᵀE y = −Eᵀ f0.
    const auto k = static_cast<Eigen::Index>(face.size() - 1);
    Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 3> E(3, k);
    for (Eigen::Index i = 0; i < k; ++i) E.col(i) = face[static_cast<std::size_t>(i + 1)] - face[0];
    Vec3 x = face[0];
    bool inside = true;
    if (k > 0) {
      const Eigen::VectorXd y = E.colPivHouseholderQr().solve(-face[0]);
      inside = y.minCoeff() > 0 && y.sum() < 1;
      x += E * y;
    }
    if (inside && x.squaredNorm() < best.squaredNorm()) {
      best = x;
      best_face = face;
    }
  }
  simplex = best_face;
  return best;
}

/// Direction between the nearest points of the cores, by the algorithm of Gilbert, Johnson and Keerthi on A − B; zero
/// when the cores overlap.
Vec3 core_direction(const Solid& a, const Solid& b) {
  auto difference = [&](const Vec3& d) { return Vec3(core_support_world(b, -d) - core_support_world(a, d)); };
  Vec3 x = difference(b.p - a.p);  // a point of B − A
  std::vector<Vec3> simplex{x};
  for (int k = 0; k < 100; ++k) {
    const double length = x.norm();
    if (length == 0) return Vec3::Zero();
    const Vec3 s = difference(x);  // minimises x·s over B − A
    if (x.dot(x - s) <= 1e-15 * length * length) break;
    simplex.push_back(s);
    const Vec3 next = nearest_in_simplex(simplex);
    if (simplex.size() > 3) return Vec3::Zero();  // the origin is inside a tetrahedron
    if (!(next.norm() < length)) break;
    x = next;
  }
  return x;
}

}  // namespace

double support_value(const Solid& solid, const Vec3& d) {
  if (solid.shape->kind == Kind::plane) {
    const Vec3 n = solid.R.col(2);
    return (d - d.dot(n) * n).norm() <= 1e-12 * d.norm() && d.dot(n) > 0 ? d.dot(solid.p) : infinity;
  }
  return d.dot(core_support_world(solid, d)) + rounding(*solid.shape) * d.norm();
}

Vec3 support_point(const Solid& solid, const Vec3& d) {
  return core_support_world(solid, d) + rounding(*solid.shape) * d.normalized();
}

double depth(const Solid& solid, const Vec3& x_W) {
  const Shape& shape = *solid.shape;
  const Vec3 x = solid.R.transpose() * (x_W - solid.p);
  switch (shape.kind) {
    case Kind::sphere:
      return shape.radius - x.norm();
    case Kind::capsule: {
      const double z = std::clamp(x.z(), -shape.half_length, shape.half_length);
      return shape.radius - (x - Vec3(0, 0, z)).norm();
    }
    case Kind::box:
      return (shape.half_extents - x.cwiseAbs()).minCoeff();
    case Kind::cylinder:
      return std::min(shape.radius - std::hypot(x.x(), x.y()), shape.half_length - std::abs(x.z()));
    case Kind::plane:
      return -x.z();
    case Kind::mesh:
    case Kind::height_field:
      return -surface_distance(solid, x_W);
    case Kind::hull: {
      double least = infinity;
      for (const auto& face : shape.polytope->faces) least = std::min(least, face.offset - face.normal.dot(x));
      return least;
    }
  }
  return -infinity;
}

double lift(const Solid& solid, const Vec3& n, const Vec3& p, bool by_face, double band) {
  if (is_surface(solid)) return surface_lift(solid, n, p, by_face, band);
  return std::abs(support_value(solid, n) - n.dot(p));
}

double separation(const Solid& a, const Solid& b, const Vec3& n) { return -support_value(b, -n) - support_value(a, n); }

/// Rims have more normals than can be listed, and cores that just touch have no direction between nearest points. Moved
/// apart by δ along the best n so far they have one, and what it misses of the largest sep(n) is of the order δ²/size,
/// and √ε size where curved (nearest points to ε, directions to its root).
Separation separate(const Solid& a, const Solid& b, std::span<const Vec3> hints) {
  Separation best{-infinity, Vec3::UnitZ()};
  auto consider = [&](const Vec3& n) {
    const double value = separation(a, b, n);
    if (value > best.value) best = {value, n};
  };
  if (is_surface(a)) return separate_surface(a, b, hints);
  if (is_surface(b)) {
    std::vector<Vec3> turned;
    for (const Vec3& n : hints) turned.push_back(-n);
    const Separation found = separate_surface(b, a, turned);
    return {found.value, -found.n};
  }
  if (a.shape->kind == Kind::plane) {
    consider(a.R.col(2));
    return best;
  }
  if (b.shape->kind == Kind::plane) {
    consider(-b.R.col(2));
    return best;
  }
  for (const Vec3& n : hints) consider(n);
  if (best.value >= 0) return best;
  const Vec3 direction = core_direction(a, b);
  if (direction.norm() > 0) consider(direction.normalized());
  if (best.value >= 0) return best;
  std::vector<Vec3> normals;
  add_face_normals(b, normals);
  for (Vec3& n : normals) n = -n;
  add_face_normals(a, normals);
  for (const Vec3& n : normals) consider(n);
  std::vector<Vec3> edges_a, edges_b;  // an edge crossing an edge: the normal is their product
  if (is_solid_hull(a) && is_solid_hull(b)) {
    add_promising_edges(a, b, best.value, edges_a);
    add_promising_edges(b, a, best.value, edges_b);
  } else {
    add_edges(a, edges_a);
    add_edges(b, edges_b);
  }
  for (const Vec3& e_a : edges_a) {
    for (const Vec3& e_b : edges_b) {
      const Vec3 n = e_a.cross(e_b);
      if (n.norm() < 1e-9) continue;
      consider(n.normalized());
      consider(-n.normalized());
    }
  }
  const double size = std::min(reach(*a.shape), reach(*b.shape));
  for (const double part : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5}) {
    if (best.value >= -good_enough * size) break;
    Solid apart = b;
    apart.p += (part * size - best.value) * best.n;
    const Vec3 n = core_direction(a, apart);
    if (n.norm() > 0) consider(n.normalized());
  }
  return best;
}

double reach(const Shape& shape) {
  switch (shape.kind) {
    case Kind::sphere:
      return shape.radius;
    case Kind::capsule:
      return shape.radius + shape.half_length;
    case Kind::box:
      return shape.half_extents.norm();
    case Kind::cylinder:
      return std::hypot(shape.radius, shape.half_length);
    case Kind::plane:
      return infinity;
    case Kind::mesh:
    case Kind::height_field:
    case Kind::hull: {
      double radius = 0;
      const std::vector<Vec3>& vertices = shape.mesh ? shape.mesh->vertices : shape.polytope->vertices;
      for (const Vec3& x : vertices) radius = std::max(radius, x.norm());
      return radius;
    }
  }
  return infinity;
}

}  // namespace vinculum::checks
