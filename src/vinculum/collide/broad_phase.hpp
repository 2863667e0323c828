// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Pairs of bounding boxes that overlap, for any number of boxes and any mixture of sizes.
//
// A hierarchy of uniform grids. A box of extent e (its longest side) lives on the level whose cell side c = u 2^k is
// the first with c >= e, in the one cell that holds its centre. Two boxes of extents e <= c and e' <= c that overlap
// have centres less than c apart in each axis, so
//   same level:    the cells are equal or neighbours;
//   finer level:   the cell of the centre on the coarser grid is equal or a neighbour.
// Boxes are sorted by (level, z, y, x), x in parts of a cell: what may overlap along x is one range of the sorted list,
// and walking the list moves every such range forward only. No hashing, O(n) after the sort.
#pragma once

#include "vinculum/algebra/types.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace vinculum::collide {

/// A box, and a ball about its centre, that both hold the body.
struct Bounds {
  algebra::Vec3 low, high;
  double radius;
};

/// Do they by more than `spare`?
inline bool overlap(const Bounds& a, const Bounds& b, double spare = 0) {
  if (!((a.low - b.high).array() <= -spare).all() || !((b.low - a.high).array() <= -spare).all()) return false;
  const double reach = 2 * (a.radius + b.radius - spare);
  return ((a.low - b.low) + (a.high - b.high)).squaredNorm() <= reach * reach;
}

/// Everything with n·x <= offset; index as in the boxes' numbering.
struct HalfSpace {
  int index;
  int group;
  algebra::Vec3 n;
  double offset;
};

class BroadPhase {
 public:
  /// All pairs (i, j), i < j, of overlapping bounds, and of boxes and half spaces that meet, whose groups differ, in
  /// lexicographic order. Box k has the number numbers[k]. Keeps its buffers.
  void find(std::span<const Bounds> boxes, std::span<const int> numbers, std::span<const int> groups,
            std::span<const HalfSpace> half_spaces, std::vector<std::array<int, 2>>& pairs);
  /// The numbers of those boxes of the last `find`, as they were then, that overlap this one. Of more than `few` boxes.
  void around(const Bounds& box, std::vector<int>& found) const;

  static constexpr std::size_t few = 32;  // boxes: each with each is the fastest

 private:
  struct Item {  // one cache line
    Bounds bounds;
    int number, group;
  };
  struct Level {
    double inverse_cell;     // 1 / c
    std::size_t begin, end;  // its items
  };
  struct Eighth {  // boxes of an extent in an eighth of [2^(k−1), 2^k)
    std::uint32_t count;
    double longest;
  };
  struct Row;

  void test_all(std::span<const Bounds> boxes, std::span<const int> numbers, std::span<const int> groups);
  void search_all(std::span<const Bounds> boxes, std::span<const int> numbers, std::span<const int> groups);
  void choose_levels(std::span<const Bounds> boxes);
  void sort_items(std::span<const Bounds> boxes, std::span<const int> numbers, std::span<const int> groups);
  void search(std::size_t begin, std::size_t end, std::vector<std::uint64_t>& found) const;
  std::uint64_t key_of(const Bounds& box, std::size_t level) const;
  std::uint64_t reach_of(const Bounds& box, std::size_t level) const;
  void sort_pairs(std::vector<std::array<int, 2>>& pairs);

  algebra::Vec3 origin_;
  std::vector<Eighth> eighths_;
  std::vector<Level> levels_;           // finest first
  std::vector<std::uint8_t> level_of_;  // of each box
  std::vector<Item> items_;             // in the order of their keys
  std::vector<std::uint64_t> item_keys_;
  std::vector<std::array<std::uint64_t, 2>> keys_, keys_scratch_;
  std::vector<std::vector<std::uint64_t>> found_;  // one list per chunk
  std::vector<std::uint32_t> starts_;
  std::vector<std::uint64_t> packed_;
};

}  // namespace vinculum::collide
