// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Meshes for the tests of surfaces and of what touches them.
#pragma once

#include "vinculum/shapes/mesh.hpp"
#include "vinculum/shapes/shape.hpp"

namespace vinculum::test {

using algebra::Vec3;
using shapes::Shape;
using Triangles = std::vector<std::array<int, 3>>;

inline Shape mesh(std::vector<Vec3> points, Triangles triangles) {
  shapes::ShapeValues values;
  values.points = std::move(points);
  values.triangles = std::move(triangles);
  return shapes::find_shape_type("mesh")->make(values);
}

inline Shape height_field(double sx, double sy, std::vector<std::vector<double>> heights) {
  shapes::ShapeValues values;
  values.vectors = {Vec3(sx, sy, 0)};
  values.heights = std::move(heights);
  return shapes::find_shape_type("height_field")->make(values);
}

/// An L-shaped beam: convex and concave edges, closed.
inline Shape l_beam() {
  const std::vector<std::array<double, 2>> outline{{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  std::vector<Vec3> points;
  for (const double z : {-1.0, 1.0})
    for (const auto& p : outline) points.emplace_back(p[0], p[1], z);
  const Triangles cap{{0, 1, 3}, {1, 2, 3}, {0, 3, 5}, {3, 4, 5}};
  Triangles triangles;
  for (const auto& t : cap) {
    triangles.push_back({t[0] + 6, t[1] + 6, t[2] + 6});
    triangles.push_back({t[2], t[1], t[0]});
  }
  for (int k = 0; k < 6; ++k) {
    const int m = (k + 1) % 6;
    triangles.push_back({k, m, m + 6});
    triangles.push_back({k, m + 6, k + 6});
  }
  return mesh(points, triangles);
}

}  // namespace vinculum::test
