// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Ground z <= h(x, y) over a rectangle about the origin, h given on a regular grid: row i of `heights` is at
// y = −s_y/2 + i s_y/(rows − 1), its entry j at x = −s_x/2 + j s_x/(columns − 1). Each cell is two triangles with the
// diagonal from its lowest (x, y) corner. It belongs to the world.
//
// The ground is a solid, so that a configuration alone says whether a body is in it: a sheet would have to know how a
// body came to be below. Its sides are upright, its bottom is flat, the longer side of the rectangle below its lowest
// place. Each side is a fan from a corner of the bottom, in one plane and hence one facet.
#include "vinculum/base/error.hpp"
#include "vinculum/shapes/mesh.hpp"

#include <fmt/core.h>
#include <limits>

namespace vinculum::shapes {
namespace {

constexpr ShapeKey keys[] = {
    {ShapeKey::Type::rectangle, "size", "lengths [x, y] of the rectangle, m"},
    {ShapeKey::Type::heights, "heights", "rows of heights, the first at the lowest y, m"},
};

using Triangles = std::vector<std::array<int, 3>>;

/// The side below `rim`, vertices that run with the ground on their left, down to the bottom's corners `from` and `to`.
void add_side(const std::vector<int>& rim, int from, int to, Triangles& triangles) {
  for (std::size_t k = 0; k + 1 < rim.size(); ++k) triangles.push_back({from, rim[k + 1], rim[k]});
  triangles.push_back({from, to, rim.back()});
}

/// Sides and bottom of the ground whose nx × ny vertices are given.
void add_block(int nx, int ny, double longer, std::vector<Vec3>& vertices, Triangles& triangles) {
  double low = std::numeric_limits<double>::infinity();
  for (const Vec3& x : vertices) low = std::min(low, x.z());
  const auto first = static_cast<int>(vertices.size());
  const std::array<int, 4> corners{0, nx - 1, nx * ny - 1, nx * (ny - 1)};  // counter-clockwise from above
  for (const int corner : corners) {
    const Vec3 above = vertices[corner];
    vertices.emplace_back(above.x(), above.y(), low - longer);
  }
  const std::array<int, 4> steps{1, nx, -1, -nx};
  for (int side = 0; side < 4; ++side) {
    std::vector<int> rim;
    const int count = side % 2 == 0 ? nx : ny;
    for (int k = 0; k < count; ++k) rim.push_back(corners[side] + k * steps[side]);
    add_side(rim, first + side, first + (side + 1) % 4, triangles);
  }
  triangles.push_back({first, first + 2, first + 1});
  triangles.push_back({first, first + 3, first + 2});
}

Shape make(const ShapeValues& values) {
  const Vec3 size = values.vectors.at(0);
  const auto& rows = values.heights;
  const auto ny = static_cast<int>(rows.size()), nx = rows.empty() ? 0 : static_cast<int>(rows[0].size());
  if (nx < 2 || ny < 2) throw base::InputError(fmt::format("found {} x {} heights, expected at least 2 x 2", ny, nx));
  std::vector<Vec3> vertices;
  for (int i = 0; i < ny; ++i) {
    if (static_cast<int>(rows[i].size()) != nx)
      throw base::InputError(fmt::format("found {} heights in row {}, expected {} as in row 0", rows[i].size(), i, nx));
    for (int j = 0; j < nx; ++j) {
      vertices.emplace_back(size.x() * (static_cast<double>(j) / (nx - 1) - 0.5),
                            size.y() * (static_cast<double>(i) / (ny - 1) - 0.5), rows[i][j]);
    }
  }
  Triangles triangles;
  for (int i = 0; i + 1 < ny; ++i) {
    for (int j = 0; j + 1 < nx; ++j) {
      const int at = i * nx + j;
      triangles.push_back({at, at + 1, at + nx + 1});
      triangles.push_back({at, at + nx + 1, at + nx});
    }
  }
  add_block(nx, ny, std::max(size.x(), size.y()), vertices, triangles);
  Shape shape;
  shape.kind = Kind::height_field;
  shape.mesh = make_mesh(std::move(vertices), std::move(triangles));
  return shape;
}

double radius_bound(const Shape& shape) {
  double square = 0;
  for (const Vec3& x : shape.mesh->vertices) square = std::max(square, x.squaredNorm());
  return std::sqrt(square);
}

}  // namespace

extern const ShapeType height_field_type;
const ShapeType height_field_type{"height_field", "", keys, make, false, nullptr, nullptr, radius_bound};

}  // namespace vinculum::shapes
