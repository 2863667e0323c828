// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Copies of a body: displacements of copy 0, 1, 2, ... from the position of the body.
//   grid = [nx, ny, nz], spacing = [dx, dy, dz]      copy i + nx (j + ny k) at (i dx, j dy, k dz) + jitter u
//   pyramid = rows, spacing = [dx, dz]               row r from the bottom: rows − r copies along x, centred, at z = r
//   dz line = n, step = [dx, dy, dz]                    copy i at i step
// u is uniform in [−1, 1)³, from SplitMix64 (Steele, Lea, Flood 2014), so that a scene is the same on every machine.
#include "vinculum/model/keys.hpp"
#include "vinculum/model/sections.hpp"

#include <fmt/core.h>
#include <cstdint>

namespace vinculum::model {

using reader::Bound;
using reader::Table;
using reader::Value;

namespace {

constexpr std::int64_t most_copies = 10'000'000;  // of one body: memory, and a slip of the finger

struct SplitMix64 {
  std::uint64_t state;
  std::uint64_t next() {
    std::uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // The upper 53 bits as a number in [−1, 1).
  double uniform() { return 2 * (static_cast<double>(next() >> 11) * 0x1p-53) - 1; }
};

std::vector<Vec3> make_grid(const Value& grid, Table& table) {
  const std::string_view expected = "an array of 3 integers";
  if (grid.size(expected) != 3) grid.fail(expected);
  std::int64_t n[3], count = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    n[d] = grid.item(d).integer(1, most_copies);
    count *= n[d];
    if (count > most_copies) grid.fail("a grid of too many copies", fmt::format("at most {} copies", most_copies));
  }
  const Vec3 spacing = table.need("spacing", "an array of 3 numbers (m)").vector("m");
  const double jitter = table.number("jitter", Bound::nonnegative, "m").value_or(0);
  const std::optional<Value> seed = table.find("seed");
  SplitMix64 random{static_cast<std::uint64_t>(seed ? seed->integer(0, INT64_MAX) : 0)};
  std::vector<Vec3> places;
  places.reserve(static_cast<std::size_t>(count));
  for (std::int64_t k = 0; k < n[2]; ++k) {
    for (std::int64_t j = 0; j < n[1]; ++j) {
      for (std::int64_t i = 0; i < n[0]; ++i) {
        Vec3 u;
        for (double& x : u) x = random.uniform();
        const Vec3 index(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k));
        places.push_back(index.cwiseProduct(spacing) + jitter * u);
      }
    }
  }
  return places;
}

std::vector<Vec3> make_pyramid(const Value& pyramid, Table& table) {
  const std::int64_t rows = pyramid.integer(1, 4000);  // 8 million copies
  const std::vector<double> spacing = table.need("spacing", "an array of 2 numbers (m)").numbers(2, Bound::finite, "m");
  std::vector<Vec3> places;
  for (std::int64_t r = 0; r < rows; ++r) {
    const std::int64_t n = rows - r;
    for (std::int64_t i = 0; i < n; ++i) {
      places.emplace_back((static_cast<double>(i) - 0.5 * static_cast<double>(n - 1)) * spacing[0], 0,
                          static_cast<double>(r) * spacing[1]);
    }
  }
  return places;
}

std::vector<Vec3> make_line(const Value& line, Table& table) {
  const std::int64_t n = line.integer(1, most_copies);
  const Vec3 step = table.need("step", "an array of 3 numbers (m)").vector("m");
  std::vector<Vec3> places;
  for (std::int64_t i = 0; i < n; ++i) places.push_back(static_cast<double>(i) * step);
  return places;
}

}  // namespace

std::vector<Vec3> read_copies(const Value& value) {
  Table table(value, "copies", copies_keys());
  const std::optional<Value> grid = table.find("grid"), pyramid = table.find("pyramid"), line = table.find("line");
  const int given = int(grid.has_value()) + int(pyramid.has_value()) + int(line.has_value());
  if (given != 1) value.fail(fmt::format("{} of grid, pyramid and line", given), "one of them");
  if (grid) {
    auto places = make_grid(*grid, table);
    table.finish("beside grid");
    return places;
  }
  auto places = pyramid ? make_pyramid(*pyramid, table) : make_line(*line, table);
  table.finish(pyramid ? "beside pyramid" : "beside line");
  return places;
}

}  // namespace vinculum::model
