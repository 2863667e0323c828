// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Pairs of boxes that are searched for once in several steps. The boxes are enlarged by a skin and their pairs kept;
// as long as every box lies in its enlarged one, the overlapping pairs are among those kept and found by testing them
// alone. A box that leaves its skin gets another one, and its pairs are looked for around it; all are searched again
// when many have left. The result is that of a full search, whatever was kept, so that it does not depend on the past.
//
// A skin pays while boxes stay in it for several searches. Where they do not, searches are plain ones for a while.
#pragma once

#include "vinculum/collide/broad_phase.hpp"

namespace vinculum::collide {

class KeptPairs {
 public:
  static constexpr std::size_t few_boxes = 256;  // all are searched again as soon as one leaves its skin

  /// As BroadPhase::find; box k moves by at most about speed[k] from one call to the next. `may_touch(i, j)` by
  /// numbers, the same in all calls: other pairs are left out.
  template <class MayTouch>
  void find(std::span<const Bounds> boxes, std::span<const int> numbers, std::span<const int> groups,
            std::span<const HalfSpace> half_spaces, std::span<const double> speed, const MayTouch& may_touch,
            std::vector<std::array<int, 2>>& pairs) {
    if (plain_ > 0) {
      --plain_;
      boxes_.clear();
      return search_.find(boxes, numbers, groups, half_spaces, pairs);
    }
    if (!holds(boxes, half_spaces)) {
      enlarge(boxes, half_spaces, speed);
      search_.find(boxes_, numbers, groups, half_spaces_, pairs);
      find_places(numbers);
      kept_.clear();
      for (const auto& [i, j] : pairs) {
        if (may_touch(i, j)) kept_.push_back(pair_of(i, j));
      }
    } else if (!left_.empty()) {
      enlarge_left(boxes, speed);
      look_around(numbers, groups);
      std::erase_if(fresh_, [&](const Pair& pair) { return !may_touch(pair.i, pair.j); });
      keep_fresh();
    }
    test(boxes, half_spaces, pairs);
  }

  /// The pairs of the last call may touch; else that is not known.
  bool has_filtered() const { return !boxes_.empty(); }

 private:
  struct Pair {
    int i, j, a, b;  // numbers; places: b of a box, a of a box or, −1 − a, of a half space
    bool operator<(const Pair& other) const { return i != other.i ? i < other.i : j < other.j; }
  };

  bool holds(std::span<const Bounds> boxes, std::span<const HalfSpace> half_spaces);
  void enlarge(std::span<const Bounds> boxes, std::span<const HalfSpace> half_spaces, std::span<const double> speed);
  void enlarge_left(std::span<const Bounds> boxes, std::span<const double> speed);
  void look_around(std::span<const int> numbers, std::span<const int> groups);
  void keep_fresh();
  void find_places(std::span<const int> numbers);
  Pair pair_of(int i, int j) const;
  void test(std::span<const Bounds> boxes, std::span<const HalfSpace> half_spaces,
            std::vector<std::array<int, 2>>& pairs) const;

  BroadPhase search_;
  std::vector<Bounds> boxes_;  // enlarged
  std::vector<HalfSpace> half_spaces_;
  std::vector<Pair> kept_, fresh_;   // in order; those around boxes that have just left their skin
  std::vector<int> place_;           // by number
  std::vector<std::size_t> left_;    // have left their skin in this call
  std::vector<std::size_t> strays_;  // since the last search: they are not where it saw them
  std::vector<std::uint8_t> strays_marked_, left_marked_;
  std::vector<int> around_;
  int age_ = 0;    // calls since the last search
  int brief_ = 0;  // searches in sequence that did not last
  int plain_ = 0;  // calls to come without a skin
};

}  // namespace vinculum::collide
