// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/collide/broad_phase.hpp"

#include "collide/support.hpp"
#include "vinculum/base/parallel.hpp"

#include <gtest/gtest.h>

using namespace vinculum;
using collide::Bounds;
using test::Random;
using test::Vec3;

namespace {

using Pairs = std::vector<std::array<int, 2>>;

struct Scene {
  std::vector<Bounds> boxes;
  std::vector<int> numbers, groups;
  std::vector<collide::HalfSpace> half_spaces;
};

Scene random_scene(Random& random, int count, double spread, double octaves) {
  Scene scene;
  for (int k = 0; k < count; ++k) {
    const double size = std::exp2(random.uniform(-octaves, 0));
    const Vec3 centre = random.vector(spread), half = size * (Vec3::Ones() + random.vector(0.5));
    scene.boxes.push_back({centre - half, centre + half, half.norm()});
    scene.numbers.push_back(2 * k + 1);  // even numbers are left to half spaces
    scene.groups.push_back(static_cast<int>(random.uniform(0, 0.8 * count)));
  }
  for (int k = 0; k < 3; ++k) scene.half_spaces.push_back({2 * k, -1, random.direction(), random.uniform(-spread, 0)});
  return scene;
}

Pairs brute_force(const Scene& scene) {
  Pairs pairs;
  const auto add = [&](int i, int j) { pairs.push_back({std::min(i, j), std::max(i, j)}); };
  for (std::size_t i = 0; i < scene.boxes.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (scene.groups[i] != scene.groups[j] && overlap(scene.boxes[i], scene.boxes[j]))
        add(scene.numbers[i], scene.numbers[j]);
    }
    for (const auto& space : scene.half_spaces) {
      double low = 1e300;
      for (int corner = 0; corner < 8; ++corner) {
        const Bounds& box = scene.boxes[i];
        const Vec3 x(corner & 1 ? box.high.x() : box.low.x(), corner & 2 ? box.high.y() : box.low.y(),
                     corner & 4 ? box.high.z() : box.low.z());
        low = std::min(low, space.n.dot(x));
      }
      if (low <= space.offset && scene.groups[i] != space.group) add(space.index, scene.numbers[i]);
    }
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace

TEST(BroadPhase, finds_the_pairs_that_all_against_all_finds) {
  Random random;
  collide::BroadPhase broad;
  Pairs pairs;
  for (int trial = 0; trial < 60; ++trial) {
    const double spread = std::exp2(random.uniform(0, 7)), octaves = trial % 4 * 4.0;  // sizes from 1 to 1/4096
    const Scene scene = random_scene(random, 1 + trial * 20, spread, octaves);
    broad.find(scene.boxes, scene.numbers, scene.groups, scene.half_spaces, pairs);
    EXPECT_EQ(pairs, brute_force(scene)) << "trial " << trial;
  }
}

TEST(BroadPhase, around_a_box_are_those_that_overlap_it) {
  Random random;
  for (int trial = 0; trial < 40; ++trial) {
    const double spread = std::exp2(random.uniform(0, 7)), octaves = trial % 4 * 4.0;
    Scene scene = random_scene(random, 40 + trial * 20, spread, octaves);
    if (trial % 3 == 0) scene.boxes[5] = {Vec3::Constant(1e15), Vec3::Constant(1e15 + 1), 1};  // beyond the cells
    collide::BroadPhase broad;
    Pairs pairs;
    broad.find(scene.boxes, scene.numbers, scene.groups, {}, pairs);
    const Scene others = random_scene(random, 30, 1.2 * spread, octaves + 2);
    std::vector<int> found, expected;
    for (const Bounds& box : others.boxes) {
      broad.around(box, found);
      expected.clear();
      for (std::size_t k = 0; k < scene.boxes.size(); ++k) {
        if (overlap(scene.boxes[k], box)) expected.push_back(scene.numbers[k]);
      }
      std::sort(found.begin(), found.end());
      EXPECT_EQ(found, expected) << "trial " << trial;
    }
  }
}

TEST(BroadPhase, works_where_the_places_are_far_beyond_the_range_of_its_cells) {
  Random random;
  Scene scene = random_scene(random, 300, 20, 2);
  scene.boxes.push_back({Vec3::Constant(-1e9), Vec3::Constant(-1e9 + 1), 1});
  scene.numbers.push_back(9999);
  scene.groups.push_back(-7);
  Scene one_far = scene;
  one_far.boxes.back() = {Vec3::Constant(1e15), Vec3::Constant(1e15 + 1), 1};
  collide::BroadPhase broad;
  for (const Scene& s : {scene, one_far}) {
    Pairs pairs;
    broad.find(s.boxes, s.numbers, s.groups, s.half_spaces, pairs);
    EXPECT_EQ(pairs, brute_force(s));
  }
}

TEST(BroadPhase, a_box_that_is_not_a_number_meets_nothing) {
  Random random;
  Scene scene = random_scene(random, 200, 4, 3);
  scene.half_spaces.clear();
  scene.boxes[17] = {Vec3::Constant(NAN), Vec3::Constant(NAN), NAN};
  Pairs pairs;
  collide::BroadPhase().find(scene.boxes, scene.numbers, scene.groups, scene.half_spaces, pairs);
  EXPECT_EQ(pairs, brute_force(scene));
}

TEST(BroadPhase, does_not_depend_on_the_number_of_threads) {
  Random random;
  const Scene scene = random_scene(random, 20000, 15, 5);
  Pairs expected;
  for (int threads : {1, 2, 3, 8}) {
    base::ThreadLimit limit(threads);
    Pairs pairs;
    collide::BroadPhase().find(scene.boxes, scene.numbers, scene.groups, scene.half_spaces, pairs);
    if (threads == 1) expected = pairs;
    EXPECT_EQ(pairs, expected);
  }
}

TEST(BroadPhase, of_nothing_is_nothing) {
  Pairs pairs{{1, 2}};
  collide::BroadPhase().find({}, {}, {}, {}, pairs);
  EXPECT_TRUE(pairs.empty());
}
