// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Height fields: <hfield size="x y z base" nrow ncol elevation=... | file=...>.
// The data are shape, not lengths: h = z (e − min e)/(max e − min e), or 0 where all are equal, over the rectangle
// [−x, x] × [−y, y]. Rows written in the file begin at the largest y, those of a binary file (int32 nrow, int32 ncol,
// float32 data) at the smallest. The depth `base` of the block below is not taken over: ours is deeper
// (shapes/height_field.cpp).
#include "vinculum/interchange/mjcf.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace vinculum::interchange::mjcf {

namespace {

namespace fs = std::filesystem;

/// Rows from the smallest y on.
using Grid = std::vector<std::vector<double>>;

Grid read_written(const Element& element) {
  const Attribute nrow = element.need("nrow", "the number of rows"), ncol = element.need("ncol", "that of columns");
  const int rows = nrow.integer(), columns = ncol.integer();
  if (rows < 2) nrow.fail("an integer >= 2");
  if (columns < 2) ncol.fail("an integer >= 2");
  const auto count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  std::vector<double> e(count, 0.0);
  if (const auto elevation = element.find("elevation")) e = elevation->numbers(count, count);
  Grid grid;
  for (auto row = e.end(); row != e.begin(); row -= columns) grid.emplace_back(row - columns, row);
  return grid;
}

Grid read_binary(const Attribute& file, const std::string& path) {
  static_assert(std::endian::native == std::endian::little);
  std::ifstream stream(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  std::array<std::int32_t, 2> size{};
  if (bytes.size() >= sizeof size) std::memcpy(size.data(), bytes.data(), sizeof size);
  const auto rows = static_cast<std::size_t>(size[0]), columns = static_cast<std::size_t>(size[1]);
  if (size[0] < 2 || size[1] < 2 || (bytes.size() - sizeof size) / sizeof(float) / rows < columns ||
      bytes.size() != sizeof size + sizeof(float) * rows * columns) {
    file.fail("a binary height field: int32 nrow, int32 ncol, float32 data");
  }
  std::vector<float> data(rows * columns);
  std::memcpy(data.data(), bytes.data() + sizeof size, data.size() * sizeof(float));
  Grid grid;
  for (std::size_t i = 0; i < rows; ++i)
    grid.emplace_back(data.begin() + static_cast<std::ptrdiff_t>(i * columns),
                      data.begin() + static_cast<std::ptrdiff_t>((i + 1) * columns));
  return grid;
}

void scale(Grid& grid, double height) {
  double low = grid[0][0], high = low;
  for (const auto& row : grid) {
    low = std::min(low, *std::min_element(row.begin(), row.end()));
    high = std::max(high, *std::max_element(row.begin(), row.end()));
  }
  for (auto& row : grid) {
    for (double& e : row) e = high > low ? height * (e - low) / (high - low) : 0;
  }
}

}  // namespace

std::optional<shapes::Shape> read_height_field(const Attribute& name, const Document& document, Notices& notices) {
  const auto found = document.hfields.find(name.value);
  if (found == document.hfields.end()) name.fail("the name of an hfield");
  const Element& element = found->second;
  const Attribute size = element.need("size", "radius x, radius y, height, base (m)");
  const std::vector<double> x = size.numbers(4, 4);
  if (!(x[0] > 0 && x[1] > 0 && x[2] > 0)) size.fail("positive numbers (m)");
  Grid grid;
  if (const auto file = element.find("file")) {
    const fs::path path = fs::path(document.file).parent_path() / document.compiler.meshdir / file->value;
    if (path.extension() == ".png") {
      notices.add("hfield.file (a picture)", "not read: the height field touches nothing", element.place());
      return std::nullopt;
    }
    if (!fs::exists(path)) file->fail("a file that exists");
    grid = read_binary(*file, path.string());
  } else {
    grid = read_written(element);
  }
  scale(grid, x[2]);
  notice_unused(element, {"name", "size", "nrow", "ncol", "elevation", "file"}, notices);
  shapes::ShapeValues values;
  values.vectors = {Vec3(2 * x[0], 2 * x[1], 0)};
  values.heights = std::move(grid);
  return shapes::find_shape_type("height_field")->make(values);
}

}  // namespace vinculum::interchange::mjcf
