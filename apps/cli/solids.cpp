// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/solids.hpp"

#include "vinculum/shapes/mesh.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace vinculum::cli {

namespace {

using shapes::Kind;

constexpr int sides = 56;  // of a circle

void add_box(Solid& s, const Vec3& half) {
  for (int i = 0; i < 8; ++i) {
    s.vertices.emplace_back(i & 1 ? half.x() : -half.x(), i & 2 ? half.y() : -half.y(), i & 4 ? half.z() : -half.z());
  }
  s.faces = {{-Vec3::UnitX(), {0, 4, 6, 2}}, {Vec3::UnitX(), {1, 3, 7, 5}},  {-Vec3::UnitY(), {0, 1, 5, 4}},
             {Vec3::UnitY(), {2, 6, 7, 3}},  {-Vec3::UnitZ(), {0, 2, 3, 1}}, {Vec3::UnitZ(), {4, 5, 7, 6}}};
  s.axes = {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
}

void add_polytope(Solid& s, const shapes::Polytope& p) {
  s.vertices = p.vertices;
  for (const auto& face : p.faces) {
    s.faces.push_back({face.normal, face.loop});
    s.axes.push_back(face.normal);
  }
}

// A surface of revolution about z: rings of the given heights and radii, from bottom to top, with flat lids where the
// first and last radius is not zero.
void add_rings(Solid& s, const std::vector<std::pair<double, double>>& rings) {
  for (const auto& [z, r] : rings) {
    for (int k = 0; k < sides; ++k) {
      const double angle = 2 * std::numbers::pi * k / sides;
      s.vertices.emplace_back(r * std::cos(angle), r * std::sin(angle), z);
    }
  }
  const auto at = [](std::size_t ring, int k) { return static_cast<int>(ring) * sides + k % sides; };
  for (std::size_t i = 0; i + 1 < rings.size(); ++i) {
    const double dz = rings[i + 1].first - rings[i].first, dr = rings[i + 1].second - rings[i].second;
    for (int k = 0; k < sides; ++k) {
      const double angle = 2 * std::numbers::pi * (k + 0.5) / sides;
      const Vec3 normal = Vec3(dz * std::cos(angle), dz * std::sin(angle), -dr).normalized();
      s.faces.push_back({normal, {at(i, k), at(i, k + 1), at(i + 1, k + 1), at(i + 1, k)}});
    }
  }
  Solid::Face bottom{-Vec3::UnitZ(), {}}, top{Vec3::UnitZ(), {}};
  for (int k = 0; k < sides; ++k) {
    bottom.loop.push_back(at(0, sides - k));
    top.loop.push_back(at(rings.size() - 1, k));
  }
  if (rings.front().second > 0) s.faces.push_back(bottom);
  if (rings.back().second > 0) s.faces.push_back(top);
  s.axes = {Vec3::UnitZ()};
  s.smooth = true;
}

void add_capsule(Solid& s, double radius, double half_length) {
  constexpr int bands = 12;  // of each half ball
  std::vector<std::pair<double, double>> rings;
  for (const int end : {-1, 1}) {
    for (int i = 0; i <= bands; ++i) {
      const double angle = 0.5 * std::numbers::pi * (end < 0 ? i - bands : i) / bands;
      rings.emplace_back(end * half_length + radius * std::sin(angle), std::max(0.0, radius * std::cos(angle)));
    }
  }
  rings.front().second = rings.back().second = 0;
  add_rings(s, rings);
}

}  // namespace

double Solid::reach(const Vec3& d) const {
  double most = -std::numeric_limits<double>::infinity();
  for (const auto& x : vertices) most = std::max(most, d.dot(x));
  return most + radius * d.norm();
}

Solid make_solid(const shapes::Shape& shape, const Pose& X_WS) {
  Solid s;
  switch (shape.kind) {
    case Kind::sphere:
      s.vertices = {Vec3::Zero()};
      s.radius = shape.radius;
      break;
    case Kind::box:
      add_box(s, shape.half_extents);
      break;
    case Kind::capsule:
      add_capsule(s, shape.radius, shape.half_length);
      break;
    case Kind::cylinder:
      add_rings(s, {{-shape.half_length, shape.radius}, {shape.half_length, shape.radius}});
      break;
    case Kind::hull:
      if (shape.polytope) add_polytope(s, *shape.polytope);
      break;
    case Kind::mesh:
    case Kind::height_field:  // drawn as its hull
      if (shape.mesh->hull) add_polytope(s, *shape.mesh->hull);
      break;
    case Kind::plane:
      break;
  }
  if (s.vertices.empty()) return s;
  for (auto& x : s.vertices) x = X_WS * x;
  for (auto& face : s.faces) face.normal = X_WS.R * face.normal;
  for (auto& axis : s.axes) axis = X_WS.R * axis;
  Vec3 low = s.vertices[0], high = s.vertices[0];
  for (const auto& x : s.vertices) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  s.centre = 0.5 * (low + high);
  for (const auto& x : s.vertices) s.size = std::max(s.size, (x - s.centre).norm());
  s.size += s.radius;
  return s;
}

}  // namespace vinculum::cli
