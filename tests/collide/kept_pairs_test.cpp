// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Whatever was kept, the pairs are those of a full search: against BroadPhase itself, along random walks.
#include "vinculum/collide/kept_pairs.hpp"

#include <gtest/gtest.h>
#include <random>

namespace vinculum::collide {
namespace {

struct Walk {
  std::mt19937_64 random{11};
  std::uniform_real_distribution<double> pm{-1, 1};
  std::vector<algebra::Vec3> x, half;
  std::vector<Bounds> boxes;
  std::vector<int> numbers, groups;
  std::vector<double> speed;
  std::vector<HalfSpace> spaces;

  explicit Walk(int count) {
    spaces = {{count, -1, algebra::Vec3::UnitZ(), -0.5}};
    for (int k = 0; k < count; ++k) {
      x.push_back(2 * algebra::Vec3(pm(random), pm(random), pm(random)));
      half.push_back(0.2 * algebra::Vec3(1.1 + pm(random), 1.1 + pm(random), 1.1 + pm(random)));
      numbers.push_back(k);
      groups.push_back(k / 2);
      speed.push_back(0);
    }
  }
  void bound() {
    boxes.clear();
    for (std::size_t k = 0; k < x.size(); ++k) boxes.push_back({x[k] - half[k], x[k] + half[k], half[k].norm()});
  }
  void move(double step) {
    for (std::size_t k = 0; k < x.size(); ++k) {
      x[k] += step * algebra::Vec3(pm(random), pm(random), pm(random));
      half[k] *= 1 + 0.01 * step * pm(random);
      speed[k] = step;
    }
    spaces[0].offset = -0.5 + 0.01 * pm(random);
  }
};

TEST(KeptPairs, are_those_of_a_full_search_at_any_speed) {
  for (const double step : {1e-4, 0.003, 0.05, 1.0}) {
    Walk walk(40);
    KeptPairs kept;
    BroadPhase full;
    const auto may_touch = [](int i, int j) { return (i + j) % 7 != 0; };
    std::vector<std::array<int, 2>> pairs, expected;
    std::size_t total = 0;
    for (int call = 0; call < 120; ++call) {
      walk.move(call == 60 ? 1.0 : step);  // once all at another place
      walk.bound();
      kept.find(walk.boxes, walk.numbers, walk.groups, walk.spaces, walk.speed, may_touch, pairs);
      full.find(walk.boxes, walk.numbers, walk.groups, walk.spaces, expected);
      // Searches without a skin leave the filter to the caller.
      const auto out = [&](const auto& pair) { return !may_touch(pair[0], pair[1]); };
      std::erase_if(pairs, out);
      std::erase_if(expected, out);
      ASSERT_EQ(pairs, expected) << step << " call " << call;
      total += pairs.size();
    }
    EXPECT_GT(total, 120u);  // the walk is not empty
  }
}

// Of many boxes a few leave their skin in every call, and some come back to where the search saw them; large ones reach
// over many cells. Far from the origin, where rounding is largest.
TEST(KeptPairs, are_those_of_a_full_search_where_some_leave_their_skin) {
  Walk walk(900);
  for (std::size_t k = 0; k < walk.x.size(); ++k) walk.half[k] *= k % 100 == 0 ? 8 : 0.4, walk.x[k].x() += 1e4;
  KeptPairs kept;
  BroadPhase full;
  const auto may_touch = [](int i, int j) { return (i + j) % 5 != 0; };
  std::vector<std::array<int, 2>> pairs, expected;
  std::size_t changed = 0;
  for (int call = 0; call < 200; ++call) {
    walk.move(1e-4);
    for (std::size_t n = 0; n < 6; ++n) {
      const std::size_t k = (n < 3 ? 17 * n : 31 * static_cast<std::size_t>(call)) % walk.x.size();
      walk.x[k] += (call % 2 == 0 ? 0.7 : -0.7) * algebra::Vec3(1, n % 2 == 0 ? 1 : -1, 0.5);
    }
    walk.bound();
    kept.find(walk.boxes, walk.numbers, walk.groups, walk.spaces, walk.speed, may_touch, pairs);
    const auto before = expected;
    full.find(walk.boxes, walk.numbers, walk.groups, walk.spaces, expected);
    std::erase_if(expected, [&](const auto& pair) { return !may_touch(pair[0], pair[1]); });
    ASSERT_EQ(pairs, expected) << "call " << call;
    changed += pairs != before;
  }
  EXPECT_GT(changed, 150u);  // what leaves meets others
}

TEST(KeptPairs, a_half_space_that_turns_is_looked_at_again) {
  Walk walk(10);
  KeptPairs kept;
  BroadPhase full;
  std::vector<std::array<int, 2>> pairs, expected;
  const auto all = [](int, int) { return true; };
  for (int call = 0; call < 5; ++call) {
    walk.spaces[0].n = algebra::Vec3(std::sin(0.5 * call), 0, std::cos(0.5 * call));
    walk.bound();
    kept.find(walk.boxes, walk.numbers, walk.groups, walk.spaces, walk.speed, all, pairs);
    full.find(walk.boxes, walk.numbers, walk.groups, walk.spaces, expected);
    EXPECT_EQ(pairs, expected) << call;
  }
}

}  // namespace
}  // namespace vinculum::collide
