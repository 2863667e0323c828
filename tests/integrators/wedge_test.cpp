// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/wedge.hpp"

#include "solvers/corpus.hpp"

#include <gtest/gtest.h>

namespace vinculum::integrators {
namespace {

using algebra::Vec3;

// A stone between a floor (below) and a wall (left): points on a line at 45 degrees.
struct Corner {
  corpus::Scene scene;
  Vec3 s[2];  // the self-stress: one pushes along the line, the other against it
  Corner() {
    scene.box(Vec3(.5, 0, .5), 1, Vec3(1, 1, 1), Vec3(0, 0, corpus::kDrop));
    const Vec3 floor(1, 0, 0), wall(0, 0, 1),
        along = (wall - floor).normalized();  // from the floor's point to the wall's
    scene.contact(corpus::Kind::coulomb, -1, 0, floor, Vec3(0, 0, 1), 2);
    scene.contact(corpus::Kind::coulomb, -1, 0, wall, Vec3(1, 0, 0), 2);
    const Vec3 normals[2] = {Vec3(0, 0, 1), Vec3(1, 0, 0)};
    for (int i = 0; i < 2; ++i) {
      const Vec3 n = normals[i], t1 = algebra::orthogonal_to(n), force = i == 0 ? along : Vec3(-along);
      s[i] = Vec3(n.dot(force), t1.dot(force), n.cross(t1).dot(force));
    }
  }
};

TEST(Wedge, a_self_stress_is_found_where_impulses_run_away_along_it) {
  const Corner corner;
  ASSERT_GT(corner.s[0].x(), 0);
  ASSERT_GT(corner.s[1].x(), 0);
  const std::vector<Vec3> Lambda{1e6 * corner.s[0] + Vec3(.01, 0, 0), 1e6 * corner.s[1]};
  std::vector<Vec3> found;
  ASSERT_TRUE(find_self_stress(corner.scene.problem, Lambda, 2, found));
  const double largest = corner.s[0].cwiseAbs().maxCoeff();                                // that of both
  for (int i = 0; i < 2; ++i) EXPECT_LT((found[i] - corner.s[i] / largest).norm(), 1e-7);  // .01 of 1e6
}

TEST(Wedge, impulses_of_a_load_are_none) {
  const Corner corner;
  std::vector<Vec3> found;
  EXPECT_FALSE(find_self_stress(corner.scene.problem, {corner.s[0], corner.s[1]}, 2, found)) << "not large";
  EXPECT_FALSE(find_self_stress(corner.scene.problem, {1e6 * corner.s[0], 1.001e6 * corner.s[1]}, 2, found))
      << "they move the stone";
  EXPECT_FALSE(find_self_stress(corner.scene.problem, {1e6 * corner.s[0], 1e6 * corner.s[1]}, 1, found))
      << "one alone is no contact";
}

}  // namespace
}  // namespace vinculum::integrators
