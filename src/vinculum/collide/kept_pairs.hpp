// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Pairs of boxes that are searched for once in several steps. The boxes are enlarged by a skin and their pairs kept;
// as long as every box lies in its enlarged one, the overlapping pairs are among those kept and found by testing them
// alone. The result is that of a full search, whatever was kept, so that it does not depend on the past.
//
// A skin pays while boxes stay in it for several searches. Where they do not, searches are plain ones for a while.
#pragma once

#include "vinculum/collide/broad_phase.hpp"

namespace vinculum::collide {

class KeptPairs {
 public:
  /// As BroadPhase::find; box k moves by at most about speed[k] from one call to the next. `may_touch(i, j)` by
  /// numbers, the same in all calls: other pairs are left out.
  template <class MayTouch>
  void find(std::span<const Bounds> boxes, std::span<const int> numbers, std::span<const int> groups,
            std::span<const HalfSpace> half_spaces, std::span<const double> speed, const MayTouch& may_touch,
            std::vector<std::array<int, 2>>& pairs) {
    if (boxes.size() > most_ || plain_ > 0) {
      plain_ -= plain_ > 0;
      boxes_.clear();
      return search_.find(boxes, numbers, groups, half_spaces, pairs);
    }
    if (!holds(boxes, half_spaces)) {
      enlarge(boxes, half_spaces, speed);
      search_.find(boxes_, numbers, groups, half_spaces_, pairs);
      keep(numbers, pairs, may_touch);
    }
    test(boxes, half_spaces, pairs);
  }

 private:
  static constexpr std::size_t most_ = 1024;  // boxes: of more some leave their skin in every step
  struct Pair {
    int i, j, a, b;  // numbers; places: b of a box, a of a box or, −1 − a, of a half space
  };

  bool holds(std::span<const Bounds> boxes, std::span<const HalfSpace> half_spaces);
  void enlarge(std::span<const Bounds> boxes, std::span<const HalfSpace> half_spaces, std::span<const double> speed);
  void test(std::span<const Bounds> boxes, std::span<const HalfSpace> half_spaces,
            std::vector<std::array<int, 2>>& pairs) const;

  template <class MayTouch>
  void keep(std::span<const int> numbers, const std::vector<std::array<int, 2>>& pairs, const MayTouch& may_touch) {
    int last = -1;
    for (const int number : numbers) last = std::max(last, number);
    for (const HalfSpace& space : half_spaces_) last = std::max(last, space.index);
    place_.assign(static_cast<std::size_t>(last + 1), 0);
    for (std::size_t k = 0; k < numbers.size(); ++k) place_[static_cast<std::size_t>(numbers[k])] = static_cast<int>(k);
    for (std::size_t k = 0; k < half_spaces_.size(); ++k) {
      place_[static_cast<std::size_t>(half_spaces_[k].index)] = -1 - static_cast<int>(k);
    }
    kept_.clear();
    for (const auto& [i, j] : pairs) {
      if (!may_touch(i, j)) continue;
      int a = place_[static_cast<std::size_t>(i)], b = place_[static_cast<std::size_t>(j)];
      if (b < 0) std::swap(a, b);
      kept_.push_back({i, j, a, b});
    }
  }

  BroadPhase search_;
  std::vector<Bounds> boxes_;  // enlarged
  std::vector<HalfSpace> half_spaces_;
  std::vector<Pair> kept_;
  std::vector<int> place_;
  int age_ = 0;    // calls since the last search
  int brief_ = 0;  // searches in sequence that did not last
  int plain_ = 0;  // calls to come without a skin
};

}  // namespace vinculum::collide
