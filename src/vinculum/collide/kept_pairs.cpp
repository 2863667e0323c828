// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/collide/kept_pairs.hpp"

#include <algorithm>

namespace vinculum::collide {
namespace {

constexpr double skin_steps = 8;             // at its speed a box leaves the skin after so many calls, or later
constexpr double skin_part = 0.02;           // of its radius, at least
constexpr int short_life = 3;                // calls
constexpr int most_brief = 4;                // searches that do not last so long, before
constexpr int plain_calls = 32;              // calls without a skin
constexpr double space_part = 1e-3;          // of its place: skin of a half space, whose margin may change
constexpr std::size_t boxes_per_stray = 32;  // of so many boxes one may have left its skin

constexpr std::size_t most_strays(std::size_t boxes) {
  return boxes > KeptPairs::few_boxes ? boxes / boxes_per_stray : 0;
}

/// `inner` lies in `outer`, and with it everything that overlaps it: also by the distance of the centres.
inline bool lies_in(const Bounds& inner, const Bounds& outer) {
  const double room = outer.radius - inner.radius;
  for (int k = 0; k < 3; ++k) {
    if (!(outer.low[k] <= inner.low[k] && inner.high[k] <= outer.high[k])) return false;
  }
  return room >= 0 && 0.25 * ((inner.low - outer.low) + (inner.high - outer.high)).squaredNorm() <= room * room;
}

inline Bounds enlarged(Bounds box, double speed) {
  const double skin = skin_steps * speed + skin_part * box.radius;
  box.low.array() -= skin;
  box.high.array() += skin;
  box.radius += skin;
  return box;
}

inline bool meets(const Bounds& box, const HalfSpace& space) {
  const algebra::Vec3 centre = 0.5 * (box.low + box.high), half = 0.5 * (box.high - box.low);
  return !(space.n.dot(centre) - space.n.cwiseAbs().dot(half) > space.offset);
}

}  // namespace

/// Do all lie in their enlarged ones but a few, `left_`?
bool KeptPairs::holds(std::span<const Bounds> boxes, std::span<const HalfSpace> half_spaces) {
  ++age_;
  left_.clear();
  if (boxes_.size() != boxes.size() || half_spaces_.size() != half_spaces.size()) return false;
  for (std::size_t k = 0; k < half_spaces.size(); ++k) {
    if (half_spaces[k].n != half_spaces_[k].n || !(half_spaces[k].offset <= half_spaces_[k].offset)) return false;
  }
  const std::size_t most = most_strays(boxes.size());
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    if (lies_in(boxes[k], boxes_[k])) continue;
    left_.push_back(k);
    if (strays_.size() + left_.size() > most) return false;
  }
  return true;
}

void KeptPairs::enlarge(std::span<const Bounds> boxes, std::span<const HalfSpace> half_spaces,
                        std::span<const double> speed) {
  brief_ = age_ <= short_life ? brief_ + 1 : 0;
  age_ = 0;
  if (brief_ >= most_brief) {
    brief_ = 0;
    plain_ = plain_calls;
  }
  boxes_.resize(boxes.size());
  for (std::size_t k = 0; k < boxes_.size(); ++k) boxes_[k] = enlarged(boxes[k], speed[k]);
  half_spaces_.assign(half_spaces.begin(), half_spaces.end());
  for (HalfSpace& space : half_spaces_) space.offset += space_part * std::abs(space.offset);
  left_.reserve(most_strays(boxes.size()) + 1);
  strays_.reserve(most_strays(boxes.size()));
  strays_.clear();
  strays_marked_.assign(boxes.size(), 0);
  left_marked_.assign(boxes.size(), 0);
}

/// Those that have left get another skin, and lose their pairs.
void KeptPairs::enlarge_left(std::span<const Bounds> boxes, std::span<const double> speed) {
  for (const std::size_t k : left_) {
    boxes_[k] = enlarged(boxes[k], speed[k]);
    left_marked_[k] = 1;
    if (!strays_marked_[k]) strays_.push_back(k);
    strays_marked_[k] = 1;
  }
  std::erase_if(kept_, [&](const Pair& pair) {
    return left_marked_[static_cast<std::size_t>(pair.b)] ||
           (pair.a >= 0 && left_marked_[static_cast<std::size_t>(pair.a)]);
  });
}

/// Pairs of those that have left: among the boxes that are where the search saw them, among the strays, each pair once,
/// and with half spaces.
void KeptPairs::look_around(std::span<const int> numbers, std::span<const int> groups) {
  fresh_.clear();
  for (const std::size_t k : left_) {
    const auto add = [&](std::size_t other) {
      if (groups[k] != groups[other]) {
        fresh_.push_back(pair_of(std::min(numbers[k], numbers[other]), std::max(numbers[k], numbers[other])));
      }
    };
    search_.around(boxes_[k], around_);
    for (const int number : around_) {
      const auto other = static_cast<std::size_t>(place_[static_cast<std::size_t>(number)]);
      if (!strays_marked_[other]) add(other);
    }
    for (const std::size_t other : strays_) {
      const bool seen = other == k || (left_marked_[other] && other < k);
      if (!seen && overlap(boxes_[k], boxes_[other])) add(other);
    }
    for (const HalfSpace& space : half_spaces_) {
      if (groups[k] == space.group || !meets(boxes_[k], space)) continue;
      fresh_.push_back(pair_of(std::min(numbers[k], space.index), std::max(numbers[k], space.index)));
    }
  }
  for (const std::size_t k : left_) left_marked_[k] = 0;
}

void KeptPairs::keep_fresh() {
  std::sort(fresh_.begin(), fresh_.end());
  std::size_t i = kept_.size(), j = fresh_.size();
  kept_.resize(i + j);
  while (j > 0) {
    const bool kept = i > 0 && fresh_[j - 1] < kept_[i - 1];
    kept_[i + j - 1] = kept ? kept_[i - 1] : fresh_[j - 1];
    kept ? --i : --j;
  }
}

void KeptPairs::find_places(std::span<const int> numbers) {
  int last = -1;
  for (const int number : numbers) last = std::max(last, number);
  for (const HalfSpace& space : half_spaces_) last = std::max(last, space.index);
  place_.assign(static_cast<std::size_t>(last + 1), 0);
  for (std::size_t k = 0; k < numbers.size(); ++k) place_[static_cast<std::size_t>(numbers[k])] = static_cast<int>(k);
  for (std::size_t k = 0; k < half_spaces_.size(); ++k) {
    place_[static_cast<std::size_t>(half_spaces_[k].index)] = -1 - static_cast<int>(k);
  }
}

KeptPairs::Pair KeptPairs::pair_of(int i, int j) const {
  const int a = place_[static_cast<std::size_t>(i)], b = place_[static_cast<std::size_t>(j)];
  return b < 0 ? Pair{i, j, b, a} : Pair{i, j, a, b};
}

void KeptPairs::test(std::span<const Bounds> boxes, std::span<const HalfSpace> half_spaces,
                     std::vector<std::array<int, 2>>& pairs) const {
  pairs.clear();
  for (const Pair& pair : kept_) {
    const Bounds& b = boxes[static_cast<std::size_t>(pair.b)];
    const bool near = pair.a < 0 ? meets(b, half_spaces[static_cast<std::size_t>(-1 - pair.a)])
                                 : overlap(boxes[static_cast<std::size_t>(pair.a)], b);
    if (near) pairs.push_back({pair.i, pair.j});
  }
}

}  // namespace vinculum::collide
