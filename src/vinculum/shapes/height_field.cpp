// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Ground z = h(x, y) over a rectangle about the origin, h given on a regular grid: row i of `heights` is at
// y = −s_y/2 + i s_y/(rows − 1), its entry j at x = −s_x/2 + j s_x/(columns − 1). Each cell is two triangles with the
// diagonal from its lowest (x, y) corner. A sheet that is touched from above; it belongs to the world.
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
  std::vector<std::array<int, 3>> triangles;
  for (int i = 0; i + 1 < ny; ++i) {
    for (int j = 0; j + 1 < nx; ++j) {
      const int at = i * nx + j;
      triangles.push_back({at, at + 1, at + nx + 1});
      triangles.push_back({at, at + nx + 1, at + nx});
    }
  }
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
