// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// See the header for the method.
#include "vinculum/collide/broad_phase.hpp"

#include "vinculum/base/parallel.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace vinculum::collide {
namespace {

using algebra::Vec3;

// A key: level, z, y in cells, x in parts of a cell.
constexpr std::uint64_t y_bits = 17, x_bits = 23, parts = 16;
constexpr std::size_t grain = 2048;
constexpr std::size_t few_to_sort = 512;  // keys
constexpr int deepest = 60;               // levels below the coarsest; smaller boxes live on the last of them

// Places beyond the range of a key are the last one. This keeps neighbours neighbours: clamping never moves two apart.
// A place that is not a number is the first; it overlaps nothing. `edge` are left free on either side, so that ranges
// stay in their row.
std::uint64_t place(double x, std::uint64_t edge, std::uint64_t bits) {
  const auto first = static_cast<double>(edge), last = static_cast<double>((std::uint64_t{1} << bits) - 1 - edge);
  if (!(x >= first)) return edge;
  return static_cast<std::uint64_t>(std::min(x, last));
}

std::uint64_t pack(std::uint64_t level, std::uint64_t z, std::uint64_t y, std::uint64_t x) {
  return ((level << y_bits | z) << y_bits | y) << x_bits | x;
}

std::uint64_t row_of(std::uint64_t key) { return key >> x_bits; }
std::uint64_t level_of_key(std::uint64_t key) { return key >> (x_bits + 2 * y_bits); }

std::uint64_t pack_pair(int i, int j) {
  return static_cast<std::uint64_t>(std::min(i, j)) << 32 | static_cast<std::uint64_t>(std::max(i, j));
}

double extent(const Bounds& box) { return (box.high - box.low).maxCoeff(); }

/// The exponent k of x in [2^(k−1), 2^k), biased; subnormal numbers count as the smallest, infinity and NaN as the
/// largest.
int octave_of(double x) { return static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52 & 0x7ff); }

/// The same in eighths: 8 k and the first three digits behind the leading one.
int eighth_of(double x) { return static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 49 & 0x3fff); }

/// The same for (2^(k−1), 2^k].
int level_of(double x) {
  const bool power_of_two = (std::bit_cast<std::uint64_t>(x) & ((std::uint64_t{1} << 52) - 1)) == 0;
  return octave_of(x) - (power_of_two ? 1 : 0);
}

/// Places of one level in the row of cells at (dy, dz) from a key, up to `reach` parts of a cell from it in x.
struct KeyRange {
  std::uint64_t low, high;
};

KeyRange row_keys(std::uint64_t key, int dy, int dz, std::uint64_t reach) {
  const auto shift = static_cast<std::uint64_t>(static_cast<std::int64_t>(dy) * (std::int64_t{1} << x_bits) +
                                                static_cast<std::int64_t>(dz) * (std::int64_t{1} << (x_bits + y_bits)));
  return {key + shift - reach, key + shift + reach};
}

/// Sorts (key, value) by key, equal keys by value: least significant digit first, digits that are all equal skipped.
/// The values ascend already. A few are sorted without the tables.
void radix_sort(std::vector<std::array<std::uint64_t, 2>>& items, std::vector<std::array<std::uint64_t, 2>>& scratch) {
  if (items.size() < few_to_sort) return std::sort(items.begin(), items.end());
  constexpr int bits = 11;
  std::array<std::uint32_t, 1 << bits> count;
  scratch.resize(items.size());
  for (int shift = 0; shift < 64; shift += bits) {
    count.fill(0);
    const auto digit = [&](std::uint64_t key) { return key >> shift & ((1u << bits) - 1); };
    for (const auto& item : items) ++count[digit(item[0])];
    if (count[digit(items[0][0])] == items.size()) continue;
    std::uint32_t sum = 0;
    for (auto& c : count) sum += std::exchange(c, sum);
    for (const auto& item : items) scratch[count[digit(item[0])]++] = item;
    items.swap(scratch);
  }
}

}  // namespace

// A range of items that holds a row of cells; moves forward with the cell.
struct BroadPhase::Row {
  std::size_t begin = 0;
  void advance(const std::vector<std::uint64_t>& keys, std::size_t end, std::uint64_t low) {
    while (begin < end && keys[begin] < low) ++begin;
  }
  void jump(const std::vector<std::uint64_t>& keys, std::size_t first, std::size_t end, std::uint64_t low) {
    const auto at = [&](std::size_t k) { return keys.begin() + static_cast<std::ptrdiff_t>(k); };
    begin = static_cast<std::size_t>(std::lower_bound(at(first), at(end), low) - keys.begin());
  }
};

// The unit u is the longest extent in the most populated range of a factor two, so that boxes of about one size live
// on one level and fill its cells.
void BroadPhase::choose_levels(std::span<const Bounds> boxes) {
  double largest = 0;
  int first = std::numeric_limits<int>::max(), last = std::numeric_limits<int>::min();
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
  for (const Bounds& box : boxes) {
    const double e = extent(box);
    first = std::min(first, eighth_of(e));
    last = std::max(last, eighth_of(e));
    largest = std::max(largest, e);
    low = low.cwiseMin(box.low);
  }
  origin_ = low;
  eighths_.assign(static_cast<std::size_t>(last - first + 1), {0, 0});
  for (const Bounds& box : boxes) {
    Eighth& eighth = eighths_[static_cast<std::size_t>(eighth_of(extent(box)) - first)];
    ++eighth.count;
    eighth.longest = std::max(eighth.longest, extent(box));
  }
  std::uint32_t window = 0, most = 0;
  double longest = 0;
  for (std::size_t k = 0; k < eighths_.size(); ++k) {
    window += eighths_[k].count - (k >= 8 ? eighths_[k - 8].count : 0);
    if (window > most && eighths_[k].count > 0) {
      most = window;
      longest = eighths_[k].longest;
    }
  }
  double unit = longest * (1 + 1e-12);
  if (!(unit > 0)) unit = 1;
  // level of a box = k with u 2^(k−1) < e <= u 2^k, counted from the finest level in use
  const int top = level_of(largest / unit), one = level_of(1);
  const auto place_of = [&](const Bounds& box) {
    return static_cast<std::size_t>(std::clamp(level_of(extent(box) / unit) - top + deepest, 0, deepest));
  };
  std::array<std::int8_t, deepest + 1> index;
  index.fill(-1);
  for (const Bounds& box : boxes) index[place_of(box)] = 0;
  levels_.clear();
  for (int k = 0; k <= deepest; ++k) {
    if (index[static_cast<std::size_t>(k)] < 0) continue;
    index[static_cast<std::size_t>(k)] = static_cast<std::int8_t>(levels_.size());
    levels_.push_back({1 / std::ldexp(unit, k + top - one - deepest), 0, 0});
  }
  level_of_.resize(boxes.size());
  for (std::size_t b = 0; b < boxes.size(); ++b) level_of_[b] = static_cast<std::uint8_t>(index[place_of(boxes[b])]);
}

std::uint64_t BroadPhase::key_of(const Bounds& box, std::size_t level) const {
  const Vec3 x = (0.5 * (box.low + box.high) - origin_) * levels_[level].inverse_cell;
  return pack(level, place(x.z() + 1, 1, y_bits), place(x.y() + 1, 1, y_bits),
              place(static_cast<double>(parts) * (x.x() + 2), 2 * parts, x_bits));
}

/// How far in x, in parts of a cell, the centre of a box of a level may be from that of this one if they overlap: half
/// of both widths, and one for the rounding down of either place.
std::uint64_t BroadPhase::reach_of(const Bounds& box, std::size_t level) const {
  const double width = (box.high.x() - box.low.x()) * levels_[level].inverse_cell;
  return width <= 1 ? static_cast<std::uint64_t>(0.5 * static_cast<double>(parts) * (1 + width)) + 1 : parts + 1;
}

void BroadPhase::sort_items(std::span<const Bounds> boxes, std::span<const int> numbers, std::span<const int> groups) {
  keys_.resize(boxes.size());
  for (std::size_t b = 0; b < boxes.size(); ++b) keys_[b] = {key_of(boxes[b], level_of_[b]), b};
  radix_sort(keys_, keys_scratch_);
  items_.resize(boxes.size());
  item_keys_.resize(boxes.size());
  for (std::size_t k = 0; k < keys_.size(); ++k) {
    const std::size_t b = keys_[k][1];
    items_[k] = {boxes[b], numbers[b], groups[b]};
    item_keys_[k] = keys_[k][0];
  }
  std::size_t k = 0;
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    levels_[level].begin = k;
    while (k < items_.size() && level_of_key(item_keys_[k]) == level) ++k;
    levels_[level].end = k;
  }
}

// Items begin..end against those after them on their level, and against all on coarser levels.
void BroadPhase::search(std::size_t begin, std::size_t end, std::vector<std::uint64_t>& found) const {
  found.clear();
  const auto test = [&](const Item& a, const Item& b) {
    if (a.group != b.group && overlap(a.bounds, b.bounds)) found.push_back(pack_pair(a.number, b.number));
  };
  constexpr std::array<std::array<int, 2>, 4> ahead{{{1, 0}, {-1, 1}, {0, 1}, {1, 1}}};  // (dy, dz)
  std::array<Row, 4> rows;
  std::array<std::array<Row, 9>, deepest + 1> coarse_rows;
  std::array<std::uint64_t, deepest + 1> coarse_key;
  coarse_key.fill(~std::uint64_t{0});
  std::size_t level_before = levels_.size();
  for (std::size_t s = begin; s < end; ++s) {
    const Item& item = items_[s];
    const std::uint64_t own = item_keys_[s];
    const std::size_t level = level_of_key(own), stop = levels_[level].end;
    const std::uint64_t reach = reach_of(item.bounds, level);
    for (std::size_t k = s + 1; k < stop && item_keys_[k] <= own + reach; ++k) test(item, items_[k]);
    for (std::size_t r = 0; r < 4; ++r) {
      const KeyRange widest = row_keys(own, ahead[r][0], ahead[r][1], parts + 1);
      const KeyRange range = row_keys(own, ahead[r][0], ahead[r][1], reach);
      if (level != level_before) {
        rows[r].jump(item_keys_, levels_[level].begin, stop, widest.low);
      } else {
        rows[r].advance(item_keys_, stop, widest.low);
      }
      std::size_t k = rows[r].begin;
      while (k < stop && item_keys_[k] < range.low) ++k;
      for (; k < stop && item_keys_[k] <= range.high; ++k) test(item, items_[k]);
    }
    level_before = level;
    for (std::size_t m = level + 1; m < levels_.size(); ++m) {
      const std::uint64_t key = key_of(item.bounds, m), coarse = reach_of(item.bounds, m);
      const bool onward = row_of(key) == row_of(coarse_key[m]) && key >= coarse_key[m];
      for (int r = 0; r < 9; ++r) {
        const KeyRange widest = row_keys(key, r % 3 - 1, r / 3 - 1, parts + 1);
        const KeyRange range = row_keys(key, r % 3 - 1, r / 3 - 1, coarse);
        Row& row = coarse_rows[m][static_cast<std::size_t>(r)];
        if (onward) {
          row.advance(item_keys_, levels_[m].end, widest.low);
        } else {
          row.jump(item_keys_, levels_[m].begin, levels_[m].end, widest.low);
        }
        for (std::size_t k = row.begin; k < levels_[m].end && item_keys_[k] <= range.high; ++k) {
          if (item_keys_[k] >= range.low) test(item, items_[k]);
        }
      }
      coarse_key[m] = key;
    }
  }
}

// On a level of cell side c centres of boxes that overlap this one are within c/2 of it.
void BroadPhase::around(const Bounds& box, std::vector<int>& found) const {
  constexpr double half_cell = 0.5 + 1e-6;  // more than rounding
  found.clear();
  for (std::size_t m = 0; m < levels_.size(); ++m) {
    const Level& level = levels_[m];
    const Vec3 low = (box.low - origin_) * level.inverse_cell - Vec3::Constant(half_cell);
    const Vec3 high = (box.high - origin_) * level.inverse_cell + Vec3::Constant(half_cell);
    const std::uint64_t z0 = place(low.z() + 1, 1, y_bits), z1 = place(high.z() + 1, 1, y_bits);
    const std::uint64_t y0 = place(low.y() + 1, 1, y_bits), y1 = place(high.y() + 1, 1, y_bits);
    const std::uint64_t x0 = place(static_cast<double>(parts) * (low.x() + 2), 2 * parts, x_bits);
    const std::uint64_t x1 = place(static_cast<double>(parts) * (high.x() + 2), 2 * parts, x_bits);
    const auto test = [&](std::size_t k) {
      if (overlap(items_[k].bounds, box)) found.push_back(items_[k].number);
    };
    if ((z1 - z0 + 1) * (y1 - y0 + 1) >= level.end - level.begin) {
      for (std::size_t k = level.begin; k < level.end; ++k) test(k);
      continue;
    }
    for (std::uint64_t z = z0; z <= z1; ++z) {
      for (std::uint64_t y = y0; y <= y1; ++y) {
        Row row;
        row.jump(item_keys_, level.begin, level.end, pack(m, z, y, x0));
        const std::uint64_t last = pack(m, z, y, x1);
        for (std::size_t k = row.begin; k < level.end && item_keys_[k] <= last; ++k) test(k);
      }
    }
  }
}

// By the first number with counters, then by the second within each.
void BroadPhase::sort_pairs(std::vector<std::array<int, 2>>& pairs) {
  std::uint64_t top = 0;
  for (std::uint64_t pair : packed_) top = std::max(top, pair >> 32);
  starts_.assign(top + 2, 0);
  for (std::uint64_t pair : packed_) ++starts_[(pair >> 32) + 1];
  for (std::size_t k = 1; k < starts_.size(); ++k) starts_[k] += starts_[k - 1];
  pairs.resize(packed_.size());
  for (std::uint64_t pair : packed_) {
    pairs[starts_[pair >> 32]++] = {static_cast<int>(pair >> 32), static_cast<int>(pair & 0xffffffffu)};
  }
  for (std::size_t k = 0, from = 0; k <= top; ++k) {
    const auto first = pairs.begin() + static_cast<std::ptrdiff_t>(from);
    const auto last = pairs.begin() + static_cast<std::ptrdiff_t>(starts_[k]);
    if (!std::is_sorted(first, last)) std::sort(first, last);
    from = starts_[k];
  }
}

void BroadPhase::test_all(std::span<const Bounds> boxes, std::span<const int> numbers, std::span<const int> groups) {
  for (std::size_t a = 0; a < boxes.size(); ++a) {
    for (std::size_t b = a + 1; b < boxes.size(); ++b) {
      if (groups[a] != groups[b] && overlap(boxes[a], boxes[b])) packed_.push_back(pack_pair(numbers[a], numbers[b]));
    }
  }
}

void BroadPhase::search_all(std::span<const Bounds> boxes, std::span<const int> numbers, std::span<const int> groups) {
  choose_levels(boxes);
  sort_items(boxes, numbers, groups);
  const std::size_t chunks = (items_.size() + grain - 1) / grain;
  if (found_.size() < chunks) found_.resize(chunks);
  base::parallel_chunks(items_.size(), grain, [this](std::size_t chunk, std::size_t begin, std::size_t end) {
    search(begin, end, found_[chunk]);
  });
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    packed_.insert(packed_.end(), found_[chunk].begin(), found_[chunk].end());
  }
}

void BroadPhase::find(std::span<const Bounds> boxes, std::span<const int> numbers, std::span<const int> groups,
                      std::span<const HalfSpace> half_spaces, std::vector<std::array<int, 2>>& pairs) {
  pairs.clear();
  if (boxes.empty()) return;
  packed_.clear();
  boxes.size() <= few ? test_all(boxes, numbers, groups) : search_all(boxes, numbers, groups);
  for (const HalfSpace& space : half_spaces) {
    for (std::size_t b = 0; b < boxes.size(); ++b) {
      if (groups[b] == space.group) continue;
      const Vec3 centre = 0.5 * (boxes[b].low + boxes[b].high), half = 0.5 * (boxes[b].high - boxes[b].low);
      if (space.n.dot(centre) - space.n.cwiseAbs().dot(half) > space.offset) continue;
      packed_.push_back(pack_pair(space.index, numbers[b]));
    }
  }
  if (!packed_.empty()) sort_pairs(pairs);
}

}  // namespace vinculum::collide
