// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/contact/bond_space.hpp"

#include <gtest/gtest.h>
#include <Eigen/SVD>
#include <array>
#include <random>

namespace vinculum::contact {
namespace {

/// Two bonds of three and two rows on one node: row 4 = row 0 + row 1, up to `off`.
ContactProblem two_bonds(double off) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> pm(-1, 1);
  ContactProblem problem;
  problem.nodes = 1;
  problem.row = {0, 1, 2};
  problem.node = {0, 0};
  for (int k = 0; k < 2; ++k) {
    problem.J.push_back(JBlock::Zero());
    for (int i = 0; i < 3 - k; ++i) {
      for (int j = 0; j < 6; ++j) problem.J[static_cast<std::size_t>(k)](i, j) = pm(random);
    }
    problem.c.push_back({pm(random), pm(random), k == 0 ? pm(random) : 0.0});
    problem.law.push_back(laws::Kind::bilateral);
    problem.mu.push_back(0);
  }
  for (int j = 0; j < 6; ++j) problem.J[1](1, j) = problem.J[0](0, j) + problem.J[0](1, j) + off * pm(random);
  return problem;
}

Eigen::MatrixXd dense(const ContactProblem& problem) {
  Eigen::MatrixXd J(5, 6);
  J << problem.J[0], problem.J[1].topRows(2);
  return J;
}

constexpr std::array<int, 2> rows{3, 2};

TEST(BondSpace, leaves_independent_bonds_alone) {
  ContactProblem problem = two_bonds(0.5);
  const ContactProblem before = problem;
  BondSpace space;
  space.reduce(0, rows, problem);
  EXPECT_EQ(space.redundant(), 0);
  EXPECT_EQ(dense(problem), dense(before));
  EXPECT_EQ(problem.c[1], before.c[1]);
}

TEST(BondSpace, rows_that_depend_on_each_other_exactly_stay_and_ask_for_what_can_be) {
  ContactProblem problem = two_bonds(0);
  const Eigen::MatrixXd before = dense(problem);
  BondSpace space;
  space.reduce(0, rows, problem);
  EXPECT_EQ(space.redundant(), 1);
  EXPECT_LT((dense(problem) - before).norm(), 1e-14);
  EXPECT_NEAR(problem.c[1][1], problem.c[0][0] + problem.c[0][1], 1e-14);
}

TEST(BondSpace, rows_that_nearly_do_lose_the_direction_that_would_stop_everything) {
  ContactProblem problem = two_bonds(1e-6);
  const Eigen::MatrixXd before = dense(problem);
  BondSpace space;
  space.reduce(0, rows, problem);
  EXPECT_EQ(space.redundant(), 1);
  EXPECT_LT((dense(problem) - before).norm(), 1e-5);
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(dense(problem));
  EXPECT_GT(svd.singularValues()[3], 0.1);
  EXPECT_LT(svd.singularValues()[4], 1e-14);
}

TEST(BondSpace, gives_the_impulse_of_least_norm_among_those_that_act_alike) {
  ContactProblem problem = two_bonds(0);
  const Eigen::MatrixXd J = dense(problem);
  BondSpace space;
  space.reduce(0, rows, problem);
  std::array<Vec3, 2> Lambda{Vec3(1, -2, 3), Vec3(4, 5, 0)};
  Eigen::VectorXd x(5);
  x << Lambda[0], Lambda[1].head<2>();
  space.project(Lambda);
  Eigen::VectorXd y(5);
  y << Lambda[0], Lambda[1].head<2>();
  EXPECT_LT((J.transpose() * (x - y)).norm(), 1e-13);
  // The null vector of Jᵀ is (1, 1, 0, 0, −1).
  EXPECT_NEAR(y[0] + y[1] - y[4], 0, 1e-13);
  Eigen::VectorXd null(5);
  null << 1, 1, 0, 0, -1;
  EXPECT_LT((space.null_projector() - null * null.transpose() / 3).norm(), 1e-13);
}

}  // namespace
}  // namespace vinculum::contact
