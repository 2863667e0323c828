// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Small problems written out: the answer is judged by contact::measure, which shares no code with the method.
#include "vinculum/solvers/dense_newton.hpp"

#include "solvers/corpus.hpp"

#include <gtest/gtest.h>

namespace vinculum::solvers {
namespace {

using corpus::Kind;

Solution cold(const contact::ContactProblem& problem) {
  Solution solution;
  solution.Lambda.assign(problem.size(), contact::Vec3::Zero());
  return solution;
}

double error_of(const contact::ContactProblem& problem, const Solution& solution) {
  std::vector<double> z;
  std::vector<contact::Vec3> xi;
  return contact::measure(problem, solution.Lambda, z, xi).over_c;
}

TEST(DenseNewton, solves_to_rounding_what_sticks_slips_and_opens) {
  const corpus::Vec3 down(0, 0, corpus::kDrop);
  int count = 0;
  for (const contact::ContactProblem& problem :
       {corpus::box_on_ground(down, 0.5), corpus::box_on_ground(down + corpus::Vec3(0.1, 0.03, 0), 0.5),
        corpus::box_on_ground(corpus::Vec3(0.001, 0, 0.1), 0.5),
        corpus::stack(3, 0.5, [](int k) { return k == 2 ? 3.0 : 1.0; })}) {
    DenseNewton newton;
    Solution solution = cold(problem);
    ASSERT_TRUE(DenseNewton::fits(problem));
    ASSERT_TRUE(newton.solve(problem, {.tol = 1e-8}, solution)) << count;
    // Rounding of impulses of order |c|, a hundred rows at most.
    EXPECT_LT(error_of(problem, solution), 1e-12) << count;
    ++count;
  }
}

TEST(DenseNewton, a_new_free_part_with_the_kept_matrix_gives_the_answer_of_a_fresh_one) {
  contact::ContactProblem problem = corpus::box_on_ground(corpus::Vec3(0.002, 0.001, corpus::kDrop), 0.3);
  DenseNewton kept;
  Solution solution = cold(problem);
  ASSERT_TRUE(kept.solve(problem, {}, solution));
  for (int k = 0; k < 5; ++k) {
    for (auto& c : problem.c) c *= 1.1;
    problem.c[0].y() += 1e-4;
    ASSERT_TRUE(kept.solve(problem, {.same_matrix = true}, solution));
    EXPECT_LT(error_of(problem, solution), 1e-10);  // a hundredth of the tolerance is not worth other impulses
    DenseNewton fresh;
    Solution other = cold(problem);
    ASSERT_TRUE(fresh.solve(problem, {}, other));
    std::vector<double> z, z_other;
    contact::apply(problem, solution.Lambda, z, solution.xi);
    contact::apply(problem, other.Lambda, z_other, other.xi);
    for (std::size_t i = 0; i < z.size(); ++i) EXPECT_NEAR(z[i], z_other[i], 1e-11);  // what moves is unique here
  }
}

// Four corners that do not lie in one plane to the last digit: along the warp no impulse moves anything, and rounds
// that differ by little must not each shift the load farther along it.
TEST(DenseNewton, shares_of_the_load_stay_where_they_are_from_round_to_round) {
  contact::ContactProblem problem = corpus::box_on_ground(corpus::Vec3(0.1, 0.03, corpus::kDrop), 0.3);
  const double warp = 1e-13;  // m/s, 1e-12 of the free velocity
  for (std::size_t i = 0; i < 4; ++i) problem.c[i].x() += i == 0 || i == 3 ? warp : -warp;
  DenseNewton newton;
  Solution solution = cold(problem);
  ASSERT_TRUE(newton.solve(problem, {}, solution));
  const Solution first = solution;
  for (int k = 0; k < 20; ++k) {
    for (contact::Vec3& c : problem.c) c.y() += (k % 2 == 0 ? 1e-9 : -1e-9);
    ASSERT_TRUE(newton.solve(problem, {.same_matrix = true}, solution));
  }
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_LT((solution.Lambda[i] - first.Lambda[i]).norm(), 1e-6 * first.Lambda[i].norm()) << i;
  }
  EXPECT_LT(error_of(problem, solution), 1e-10);
}

TEST(DenseNewton, does_not_touch_the_warm_start_of_what_it_cannot_solve) {
  // Two bonds that contradict each other.
  corpus::Scene scene;
  scene.sphere(corpus::Vec3::Zero(), 1, 0.5, corpus::Vec3(0, 0, -1));
  scene.contact(Kind::bilateral, -1, 0, corpus::Vec3::Zero(), corpus::up, 0, 1);
  scene.contact(Kind::bilateral, -1, 0, corpus::Vec3::Zero(), corpus::up, 0, 1);
  scene.problem.c[1].x() = 2;
  DenseNewton newton;
  Solution solution = cold(scene.problem);
  solution.Lambda[0].x() = 0.125;
  EXPECT_FALSE(newton.solve(scene.problem, {.tol = 1e-8}, solution));
  EXPECT_EQ(solution.Lambda[0].x(), 0.125);
  EXPECT_EQ(solution.Lambda[1].x(), 0.0);
}

TEST(DenseNewton, is_not_made_for_large_problems) { EXPECT_FALSE(DenseNewton::fits(corpus::pyramid(6, 0.5))); }

}  // namespace
}  // namespace vinculum::solvers
