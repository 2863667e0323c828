// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/corpus.hpp"

#include <gtest/gtest.h>

using namespace vinculum;
using corpus::Vec3;

namespace {

contact::Errors measure(const contact::ContactProblem& problem, const std::vector<Vec3>& Lambda) {
  std::vector<double> z;
  std::vector<Vec3> xi;
  return contact::measure(problem, Lambda, z, xi);
}

}  // namespace

TEST(Residual, of_no_blocks_is_zero) {
  contact::ContactProblem empty;
  empty.row.push_back(0);
  const contact::Errors errors = measure(empty, {});
  EXPECT_EQ(errors.judged, 0);
  EXPECT_EQ(errors.scaled, 0);
  EXPECT_EQ(errors.over_c, 0);
}

TEST(Residual, vanishes_at_the_closed_form_of_a_resting_ball) {
  const auto problem = corpus::particle_on_plane(Vec3(0, 0, corpus::kDrop), .5);
  const double weight = 2 * -corpus::kDrop;  // m g dt
  const contact::Errors errors = measure(problem, {Vec3(weight, 0, 0)});
  EXPECT_LT(errors.scaled, 1e-16);
  EXPECT_LT(errors.over_c, 1e-16);
}

TEST(Residual, is_one_over_c_when_nothing_is_done_about_a_closing_contact) {
  const auto problem = corpus::particle_on_plane(Vec3(0, 0, -1), .5);
  const contact::Errors errors = measure(problem, {Vec3::Zero()});
  EXPECT_DOUBLE_EQ(errors.over_c, 1);
  EXPECT_DOUBLE_EQ(errors.judged, 1);
}

TEST(Residual, scaled_errors_do_not_depend_on_units) {
  auto problem = corpus::stack(5, .5, [](int k) { return 1.0 + k; });
  std::vector<Vec3> Lambda(problem.size(), Vec3(.02, .001, -.003));
  const contact::Errors before = measure(problem, Lambda);
  // c in other units of velocity (× a), J in other units of 1/√mass (× b): Λ = a/b² Λ
  const double a = 1e3, b = 1e-2;
  for (auto& J : problem.J) J *= b;
  for (auto& c : problem.c) c *= a;
  for (auto& x : Lambda) x *= a / (b * b);
  const contact::Errors after = measure(problem, Lambda);
  EXPECT_NEAR(after.scaled / before.scaled, 1, 1e-13);
  EXPECT_NEAR(after.over_c / before.over_c, 1, 1e-13);
  EXPECT_GT(std::abs(after.judged / before.judged - 1), 1e-3);  // this one mixes units, as documented
}

TEST(Residual, sees_a_block_that_contradicts_its_law_without_touching_any_node) {
  corpus::Scene scene;
  scene.contact(corpus::Kind::bilateral, -1, -1, Vec3::Zero(), corpus::up, 0);
  scene.problem.c[0] = Vec3(1, 0, 0);
  const contact::Errors errors = measure(scene.problem, {Vec3::Zero()});
  EXPECT_EQ(errors.judged, 1);
  EXPECT_EQ(errors.scaled, 1);
}

TEST(Problem, apply_is_the_product_with_the_dense_delassus_matrix) {
  const auto problem = corpus::mixed();
  const long n = static_cast<long>(problem.size());
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(3 * n, 6 * static_cast<long>(problem.nodes));
  for (long i = 0; i < n; ++i) {
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) J.block<3, 6>(3 * i, 6 * problem.node[e]) = problem.J[e];
  }
  std::vector<Vec3> Lambda(problem.size()), xi;
  for (long i = 0; i < n; ++i) Lambda[i] = Vec3(1 + static_cast<double>(i), -2, .5);
  std::vector<double> z;
  contact::apply(problem, Lambda, z, xi);
  const Eigen::Map<const Eigen::VectorXd> x(Lambda[0].data(), 3 * n), c(problem.c[0].data(), 3 * n),
      result(xi[0].data(), 3 * n);
  EXPECT_LT((J * (J.transpose() * x) + c - result).norm(), 1e-13 * result.norm());
}
