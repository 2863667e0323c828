// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The small problem of a nudge, on rows whose products are known: node 0 has the coordinates of a plate on four
// corners (height, two tilts), whose rows (1, ±1, ±1) have rank three; node 1 is somebody else's.
#include "vinculum/integrators/nudge.hpp"

#include <gtest/gtest.h>
#include <array>

namespace vinculum::integrators {
namespace {

using algebra::Vec3;

constexpr double tolerance = 1e-9;

void add_row(contact::ContactProblem& problem, int node, double height, double x, double y) {
  if (problem.row.empty()) problem.row.push_back(0);
  contact::JBlock J = contact::JBlock::Zero();
  J(0, 0) = height, J(0, 1) = x, J(0, 2) = y;
  problem.nodes = 2;
  problem.node.push_back(node);
  problem.J.push_back(J);
  problem.row.push_back(static_cast<int>(problem.node.size()));
  problem.law.push_back(laws::Kind::unilateral);
}

contact::ContactProblem corners() {
  contact::ContactProblem problem;
  for (const double x : {-1.0, 1.0}) {
    for (const double y : {-1.0, 1.0}) add_row(problem, 0, 1, x, y);
  }
  add_row(problem, 1, 1, 0, 0);
  return problem;
}

/// Gaps at the end: g + J Jᵀ Π.
std::array<double, 5> ends(const contact::ContactProblem& problem, const Nudge& nudge) {
  std::array<Vec3, 2> z{Vec3::Zero(), Vec3::Zero()};
  std::array<double, 5> end{};
  for (const Nudge::Law& law : nudge.laws())
    z[static_cast<std::size_t>(problem.node[law.block])] += law.Pi * problem.J[law.block].row(0).head<3>().transpose();
  for (const Nudge::Law& law : nudge.laws()) {
    end[law.block] =
        law.gap + problem.J[law.block].row(0).head<3>().dot(z[static_cast<std::size_t>(problem.node[law.block])]);
  }
  return end;
}

TEST(Nudge, corners_that_are_held_end_closed_although_one_row_is_implied_by_the_others) {
  const contact::ContactProblem problem = corners();
  Nudge nudge;
  const std::array<double, 4> gaps{-3e-8, -1e-8, -2e-8, 0};  // of one plane: g₀ + g₃ = g₁ + g₂
  for (std::size_t i = 0; i < 4; ++i) nudge.add(i, gaps[i], tolerance, true);
  ASSERT_TRUE(nudge.solve(problem));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(ends(problem, nudge)[i], 0, 1e-22) << i;
}

TEST(Nudge, gaps_of_corners_that_no_plate_can_have_are_a_contradiction) {
  const contact::ContactProblem problem = corners();
  Nudge nudge;
  for (std::size_t i = 0; i < 4; ++i) nudge.add(i, i == 0 ? -3e-8 : 0, tolerance, true);
  EXPECT_FALSE(nudge.solve(problem));
}

TEST(Nudge, what_is_not_held_is_pushed_or_left_and_never_pulled) {
  // One corner overlaps, the others are open by what a contact that only pushes may leave open.
  const contact::ContactProblem problem = corners();
  Nudge nudge;
  for (std::size_t i = 0; i < 4; ++i) nudge.add(i, i == 0 ? -3e-8 : 1e-8, tolerance, false);
  ASSERT_TRUE(nudge.solve(problem));
  EXPECT_NEAR(nudge.laws()[0].Pi, 1e-8, 1e-22);  // G₀₀ = 3
  for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(nudge.laws()[i].Pi, 0) << i;
  // The opposite corner is let down by what lifts the first, G₀₃ = −1, and is in its turn lifted.
  nudge.clear();
  for (std::size_t i = 0; i < 4; ++i) nudge.add(i, i == 0 ? -3e-8 : 0, tolerance, false);
  ASSERT_TRUE(nudge.solve(problem));
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_GE(nudge.laws()[i].Pi, 0) << i;
    EXPECT_GE(ends(problem, nudge)[i], -0.5 * tolerance) << i;
    EXPECT_LE(nudge.laws()[i].Pi * ends(problem, nudge)[i], 1e-24) << i;
  }
}

TEST(Nudge, others_without_a_violation_stay_where_they_are) {
  const contact::ContactProblem problem = corners();
  Nudge nudge;
  nudge.add(0, -1e-8, tolerance, true);
  nudge.add(4, -0.9e-9, tolerance, true);
  ASSERT_TRUE(nudge.solve(problem));
  EXPECT_GT(nudge.laws()[0].Pi, 0);
  EXPECT_EQ(nudge.laws()[1].Pi, 0);
}

TEST(Nudge, a_violation_that_nothing_moves_is_refused) {
  contact::ContactProblem problem = corners();
  problem.row.push_back(problem.row.back());
  problem.law.push_back(laws::Kind::unilateral);
  Nudge nudge;
  nudge.add(5, -1e-8, tolerance, false);
  EXPECT_FALSE(nudge.solve(problem));
}

}  // namespace
}  // namespace vinculum::integrators
