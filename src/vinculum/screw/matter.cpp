// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Inertia from matter: one measure for atoms and volumes.
//   m = ∫ dm,   m c = ∫ r dm,   Σ = ∫ (r − c)(r − c)ᵀ dm,   J_c = tr(Σ) 1 − Σ
#include "vinculum/base/error.hpp"
#include "vinculum/screw/inertia.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace vinculum::screw {

namespace {

void check_amount(const char* what, double value) {
  if (!(std::isfinite(value) && value >= 0))
    throw base::InputError(fmt::format("{}: found {}, expected a finite number >= 0", what, value));
}

Mat3 inertia_of_second(const Mat3& second) { return second.trace() * Mat3::Identity() - second; }

}  // namespace

Inertia inertia_of_atoms(std::span<const Atom> atoms) {
  Inertia total;
  for (const Atom& atom : atoms) {
    check_amount("atom.mass", atom.mass);
    if (!atom.x.allFinite())
      throw base::InputError("atom.position: found a number that is not finite, expected finite");
    total.mass += atom.mass;
    total.com += atom.mass * atom.x;
  }
  if (total.mass == 0) return {};
  total.com /= total.mass;
  Mat3 second = Mat3::Zero();
  for (const Atom& atom : atoms) {
    const Vec3 r = atom.x - total.com;
    second += atom.mass * r * r.transpose();
  }
  total.J_c = inertia_of_second(second);
  return total;
}

Inertia inertia_of_moments(const shapes::VolumeMoments& moments, double density) {
  check_amount("density", density);
  return {density * moments.volume, moments.centroid, density * moments.inertia};
}

Inertia inertia_of_shape(const shapes::Shape& shape, double density) {
  const shapes::ShapeType& type = shapes::type_of(shape.kind);
  if (!type.bounded)
    throw base::InputError(fmt::format("shape: found {}, expected a bounded shape to have mass", type.name));
  return inertia_of_moments(type.moments(shape), density);
}

Inertia inertia_of_density(const Vec3& low, const Vec3& high, int n, const std::function<double(const Vec3&)>& rho) {
  VINCULUM_DEMAND(n > 0);
  // Gauss–Legendre with three nodes on each side of each cell.
  const double node[3] = {0.5 - std::sqrt(0.15), 0.5, 0.5 + std::sqrt(0.15)}, weight[3] = {5. / 18, 8. / 18, 5. / 18};
  const Vec3 cell = (high - low) / n;
  const double volume = cell.prod();
  std::vector<Atom> atoms;
  atoms.reserve(27 * static_cast<std::size_t>(n) * n * n);
  for (int k = 0; k < n * n * n; ++k) {
    const Vec3 corner = low + Vec3(k % n, k / n % n, k / (n * n)).cwiseProduct(cell);
    for (int g = 0; g < 27; ++g) {
      const int a = g % 3, b = g / 3 % 3, c = g / 9;
      const Vec3 x = corner + Vec3(node[a], node[b], node[c]).cwiseProduct(cell);
      atoms.push_back({rho(x) * volume * weight[a] * weight[b] * weight[c], x});
    }
  }
  return inertia_of_atoms(atoms);
}

namespace {

// Each edge of a closed oriented surface is run through once in each direction.
void check_closed(std::span<const Vec3> vertices, std::span<const std::array<int, 3>> triangles) {
  std::vector<std::array<int, 2>> edges;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const int a = triangles[t][k], b = triangles[t][(k + 1) % 3];
      if (a < 0 || a >= std::ssize(vertices))
        throw base::InputError(
            fmt::format("mesh.triangle[{}]: found vertex {}, expected one of {} vertices", t, a, vertices.size()));
      edges.push_back({a, b});
    }
  }
  std::sort(edges.begin(), edges.end());
  for (std::size_t k = 0; k < edges.size(); ++k) {
    const std::array<int, 2> back{edges[k][1], edges[k][0]};
    const bool twice = k > 0 && edges[k] == edges[k - 1];
    if (twice || !std::binary_search(edges.begin(), edges.end(), back))
      throw base::InputError(
          fmt::format("mesh: found the edge {}-{} {}, expected a closed surface (each edge once in "
                      "each direction)",
                      edges[k][0], edges[k][1], twice ? "twice in one direction" : "open"));
  }
}

}  // namespace

Inertia inertia_of_mesh(std::span<const Vec3> vertices, std::span<const std::array<int, 3>> triangles, double density) {
  check_amount("density", density);
  check_closed(vertices, triangles);
  // Tetrahedra over a point in the middle of the vertices: small signed volumes, little cancellation.
  Vec3 middle = Vec3::Zero();
  for (const Vec3& x : vertices) middle += x;
  if (!vertices.empty()) middle /= static_cast<double>(vertices.size());
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (const auto& [i, j, k] : triangles) {
    const Vec3 a = vertices[i] - middle, b = vertices[j] - middle, c = vertices[k] - middle, sum = a + b + c;
    const double det = a.dot(b.cross(c));
    volume += det / 6;
    first += det / 24 * sum;
    second += det / 120 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
  }
  if (!(volume > 0))
    throw base::InputError(fmt::format(
        "mesh: found volume {:.6g}, expected a positive one (triangles counter-clockwise from outside)", volume));
  const Vec3 offset = first / volume;
  second -= volume * offset * offset.transpose();
  return {density * volume, middle + offset, density * inertia_of_second(second)};
}

}  // namespace vinculum::screw
