// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Against Eigen's dense algebra, for every remainder of the size by four.
#include "vinculum/algebra/dense_kernels.hpp"

#include <gtest/gtest.h>
#include <Eigen/Dense>
#include <random>

namespace vinculum::algebra {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// rows × columns of random numbers in a padded square or rectangle of zeros.
Rows random_padded(int rows, int columns, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> pm(-1, 1);
  Rows A = Rows::Zero(padded(rows), padded(columns));
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) A(i, j) = pm(random);
  }
  return A;
}

TEST(DenseKernels, products_are_those_of_eigen) {
  for (int rows = 1; rows <= 21; ++rows) {
    const int columns = 3 + (5 * rows) % 17;
    const Rows A = random_padded(rows, columns, 7), T = A.transpose();
    std::vector<int> listed(static_cast<std::size_t>(columns));
    for (int k = 0; k < columns; ++k) listed[static_cast<std::size_t>(k)] = k * padded(rows);
    Rows G = Rows::Constant(padded(rows), padded(rows), std::nan(""));
    for (int i = 0, step = 1; i < padded(rows); i += step) {
      step = std::min(padded(rows) - i, 1 + i % 3);
      gram_rows(T.data(), padded(rows), listed.data(), columns, i, step, G.data());
    }
    for (int i = 0; i < padded(rows); ++i) {
      for (int j = 0; j < i; ++j) G(j, i) = G(i, j);
    }
    EXPECT_LT((G - A * A.transpose()).cwiseAbs().maxCoeff(), 1e-14) << rows;  // 20 addends of size one
    const Eigen::VectorXd x = random_padded(padded(rows), 1, 9).col(0);
    Eigen::VectorXd y = Eigen::VectorXd::Constant(padded(rows), std::nan(""));
    multiply(G.data(), padded(rows), padded(rows), x.data(), y.data());
    EXPECT_LT((y - G * x).cwiseAbs().maxCoeff(), 1e-13) << rows;
  }
}

TEST(DenseKernels, factors_solve_with_row_exchanges) {
  for (int n = 1; n <= 37; ++n) {
    Rows A = random_padded(n, n, static_cast<unsigned>(n));
    for (int i = 0; i < n; ++i) A(i, i) *= 1e-9;  // without exchanges nine digits would be lost
    if (n == 1) A(0, 0) = 2;
    const Rows given = A;
    std::vector<int> order(static_cast<std::size_t>(n));
    std::vector<double> inverse(static_cast<std::size_t>(n));
    const Eigen::VectorXd b = random_padded(n, 1, 3).col(0);
    Eigen::VectorXd x = Eigen::VectorXd::Zero(padded(n));
    ASSERT_TRUE(factor_lu(A.data(), n, order.data(), inverse.data()));
    solve_lu(A.data(), n, order.data(), inverse.data(), b.data(), x.data());
    const double scale = x.cwiseAbs().maxCoeff() + 1;
    EXPECT_LT((given * x - b).cwiseAbs().maxCoeff(), 1e-13 * n * scale) << n;  // backward stable
  }
}

TEST(DenseKernels, a_matrix_without_pivot_is_refused) {
  Rows A = random_padded(5, 5, 1);
  A.col(2).setZero();
  int order[5];
  double inverse[5];
  EXPECT_FALSE(factor_lu(A.data(), 5, order, inverse));
  A = random_padded(5, 5, 1);
  A(3, 3) = std::nan("");
  A(0, 0) = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(factor_lu(A.data(), 5, order, inverse));
}

TEST(DenseKernels, factors_of_positive_definite_matrices_solve) {
  for (int n = 1; n <= 37; ++n) {
    const Rows B = random_padded(n, n + 3, static_cast<unsigned>(n));
    Rows A = B * B.transpose();
    for (int i = 0; i < n; ++i) A(i, i) += 0.1;
    const Rows given = A;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < i; ++j) A(i, j) = std::nan("");  // not read
    }
    std::vector<double> corners(static_cast<std::size_t>(8 * padded(n)));
    ASSERT_TRUE(factor_cholesky(A.data(), n, corners.data())) << n;
    const Eigen::VectorXd b = random_padded(n, 1, 3).col(0);
    Eigen::VectorXd x = b;
    solve_cholesky(A.data(), n, corners.data(), x.data());
    const double scale = given.cwiseAbs().maxCoeff() * x.cwiseAbs().maxCoeff() + 1;
    EXPECT_LT((given * x - b).cwiseAbs().maxCoeff(), 1e-14 * n * scale) << n;  // backward stable
    const int zeros = n / 3;
    Rows four = random_padded(padded(n), 4, 5);
    four.topRows(zeros).setZero();
    const Rows columns = four;
    solve_cholesky_four(A.data(), n, corners.data(), zeros, four.data());
    EXPECT_LT((given * four - columns).topRows(n).cwiseAbs().maxCoeff(),
              1e-14 * n * given.cwiseAbs().maxCoeff() * (four.cwiseAbs().maxCoeff() + 1))
        << n;
  }
}

TEST(DenseKernels, a_matrix_that_is_not_positive_definite_is_refused) {
  Rows A = Rows::Identity(8, 8);
  double corners[64];
  A(5, 5) = -1;
  EXPECT_FALSE(factor_cholesky(A.data(), 8, corners));
  A = Rows::Identity(8, 8);
  A(2, 6) = std::nan("");
  EXPECT_FALSE(factor_cholesky(A.data(), 8, corners));
}

}  // namespace
}  // namespace vinculum::algebra
