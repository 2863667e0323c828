// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Boxes in closed form against the walk through faces and edges, and balls against the nearest point of a box.
#include "vinculum/collide/box_pair.hpp"
#include "collide/support.hpp"

#include <gtest/gtest.h>

using namespace vinculum;
using namespace vinculum::test;
using collide::Axis;

namespace {

/// Both ways; `edges` counts the pairs whose best axis belongs to edges.
void expect_same_axis(const Shape& a, const Shape& b, const Pose& X_AB, double limit, int& edges, int& apart) {
  collide::Core core_a, core_b;
  core_a.place(a);
  core_b.place(b, X_AB);
  Axis walked, closed;
  const bool near = find_axis(core_a, core_b, limit, collide::Edges::all, walked);
  ASSERT_EQ(find_box_axis(a, b, X_AB, limit, closed), near);
  if (!near) return ++apart, void();
  EXPECT_NEAR(closed.separation, walked.separation, 1e-14);  // some thirty roundings of lengths of about 1
  EXPECT_LT((closed.n - walked.n).norm(), 1e-12);
  EXPECT_EQ(closed.from, walked.from);
  EXPECT_EQ(closed.i, walked.i);
  if (walked.from != Axis::From::edges) return;
  EXPECT_EQ(closed.j, walked.j);
  ++edges;
}

}  // namespace

TEST(BoxPair, has_the_axis_of_its_faces_and_edges) {
  Random random;
  int edges = 0, apart = 0;
  for (int k = 0; k < 2000; ++k) {
    const Shape a = box(random.uniform(.2, 1), random.uniform(.2, 1), random.uniform(.2, 1));
    const Shape b = box(random.uniform(.2, 1), random.uniform(.2, 1), random.uniform(.2, 1));
    expect_same_axis(a, b, {random.vector(.8), random.rotation()}, .1, edges, apart);
  }
  EXPECT_GT(edges, 100);
  EXPECT_GT(apart, 100);
}

TEST(BoxPair, side_by_side_has_the_axis_of_its_faces) {
  int edges = 0, apart = 0;
  const Shape a = box(.4, .3, .2), b = box(.2, .2, .2);
  for (const Vec3& place : {Vec3(0, .05, .2), Vec3(.1, 0, -.2), Vec3(.3, .02, .01), Vec3(0, -.25, 0)}) {
    expect_same_axis(a, b, {place, Quat::Identity()}, .1, edges, apart);
    expect_same_axis(a, b, {place, Quat(std::sqrt(.5), 0, 0, std::sqrt(.5))}, .1, edges, apart);
  }
  EXPECT_EQ(edges + apart, 0);
}

TEST(BoxPair, of_a_box_and_a_capsule_has_the_axis_of_its_faces_and_edges) {
  Random random;
  int edges = 0, apart = 0;
  for (int k = 0; k < 2000; ++k) {
    const Shape block = box(random.uniform(.2, 1), random.uniform(.2, 1), random.uniform(.2, 1));
    const Shape rod = capsule(random.uniform(.05, .2), random.uniform(.1, .6));
    const Pose X_AB{random.vector(.8), random.rotation()};
    k % 2 == 0 ? expect_same_axis(block, rod, X_AB, .1, edges, apart)
               : expect_same_axis(rod, block, X_AB, .1, edges, apart);
  }
  EXPECT_GT(edges, 100);
  EXPECT_GT(apart, 100);
}

TEST(BallBox, has_the_distance_of_the_nearest_point) {
  Random random;
  const double r = .15, margin = .1;
  const Shape ball = sphere(r);
  int inside = 0, far = 0;
  for (int k = 0; k < 3000; ++k) {
    const Shape block = box(random.uniform(.2, 1), random.uniform(.2, 1), random.uniform(.2, 1));
    const Vec3 half = block.half_extents, x = random.vector(.8), nearest = x.cwiseMax(-half).cwiseMin(half);
    const Pose X_block{random.vector(3), random.rotation()};
    const Pose X_ball{X_block * x, random.rotation()};
    const double depth = (x.cwiseAbs() - half).maxCoeff();  // < 0 where the centre is inside
    const double gap = (depth < 0 ? depth : (x - nearest).norm()) - r;
    for (const bool box_first : {true, false}) {
      std::vector<Contact> found;
      box_first ? collide_pair(block, X_block, ball, X_ball, margin, found)
                : collide_pair(ball, X_ball, block, X_block, margin, found);
      ASSERT_EQ(found.size(), gap <= margin ? 1u : 0u) << gap;
      if (found.empty()) continue;
      EXPECT_NEAR(found[0].at.gap, gap, 1e-14);
      const Vec3 on_box = box_first ? found[0].at.p_a : found[0].at.p_b;
      if (depth < 0) continue;
      EXPECT_LT((on_box - X_block * nearest).norm(), 1e-14);
    }
    inside += depth < 0;
    far += gap > margin;
  }
  EXPECT_GT(inside, 100);
  EXPECT_GT(far, 100);
}
