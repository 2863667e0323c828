// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Against Eigen's dense algebra, for every remainder of the size by four.
#include "vinculum/algebra/dense_kernels.hpp"

#include <gtest/gtest.h>
#include <Eigen/Dense>
#include <cstring>
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
    std::vector<double> inverse(static_cast<std::size_t>(n));
    const Eigen::VectorXd b = random_padded(n, 1, 3).col(0);
    Eigen::VectorXd x = Eigen::VectorXd::Zero(padded(n)), exchanged = b;
    ASSERT_EQ(factor_lu(A.data(), n, exchanged.data(), inverse.data()), 1u);
    solve_lu(A.data(), n, inverse.data(), exchanged.data(), x.data());
    const double scale = x.cwiseAbs().maxCoeff() + 1;
    EXPECT_LT((given * x - b).cwiseAbs().maxCoeff(), 1e-13 * n * scale) << n;  // backward stable
  }
}

TEST(DenseKernels, a_matrix_without_pivot_is_refused) {
  Rows A = random_padded(5, 5, 1);
  A.col(2).setZero();
  double b[5] = {}, inverse[5];
  EXPECT_EQ(factor_lu(A.data(), 5, b, inverse), 0u);
  A = random_padded(5, 5, 1);
  A(3, 3) = std::nan("");
  A(0, 0) = std::numeric_limits<double>::infinity();
  EXPECT_EQ(factor_lu(A.data(), 5, b, inverse), 0u);
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
    ASSERT_EQ(factor_cholesky(A.data(), n, corners.data()), 1u) << n;
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
  EXPECT_EQ(factor_cholesky(A.data(), 8, corners), 0u);
  A = Rows::Identity(8, 8);
  A(2, 6) = std::nan("");
  EXPECT_EQ(factor_cholesky(A.data(), 8, corners), 0u);
}

/// Matrices side by side: number k of lane t.
template <class Matrix>
WideVector<Eight> side_by_side(const std::vector<Matrix>& lanes) {
  WideVector<Eight> out(static_cast<std::size_t>(lanes[0].size()));
  for (std::size_t k = 0; k < out.size(); ++k) {
    for (int t = 0; t < 8; ++t) out[k][t] = lanes[static_cast<std::size_t>(t)].data()[k];
  }
  return out;
}

template <class Matrix>
bool same_bits(const WideVector<Eight>& wide, int t, const Matrix& alone) {
  for (Eigen::Index k = 0; k < alone.size(); ++k) {
    const double x = wide[static_cast<std::size_t>(k)][t];
    if (std::memcmp(&x, alone.data() + k, sizeof(double)) != 0) return false;
  }
  return true;
}

TEST(DenseKernels, eight_matrices_side_by_side_have_the_bits_of_each_alone) {
  for (int n = 1; n <= 21; ++n) {
    const int side = padded(n);
    std::vector<Rows> A, K;
    std::vector<Eigen::VectorXd> b;
    std::vector<Rows> four;
    for (unsigned t = 0; t < 8; ++t) {
      A.push_back(random_padded(n, n, 8 * static_cast<unsigned>(n) + t));
      K.push_back(A[t] * A[t].transpose());
      for (int i = 0; i < n; ++i) K[t](i, i) += 0.1, A[t](i, i) *= t % 2 == 0 ? 1e-9 : 1;  // other pivots in each
      b.push_back(random_padded(n, 1, t).col(0));
      four.push_back(random_padded(n, 4, t));
    }
    if (n > 2) A[3].col(1).setZero(), K[5](1, 1) = -1;  // two that are refused
    WideVector<Eight> wide_A = side_by_side(A), wide_K = side_by_side(K), wide_b = side_by_side(b);
    WideVector<Eight> wide_x = wide_b, wide_y = wide_b, wide_four = side_by_side(four);
    WideVector<Eight> inverse(static_cast<std::size_t>(side)), corners(8 * static_cast<std::size_t>(side));
    WideVector<Eight> wide_Kb = wide_b, G(static_cast<std::size_t>(side * side));
    std::vector<int> listed;
    for (int k = 0; k < n; ++k) listed.push_back(k * side);
    for (int i = 0; i < n; i += 3) {
      gram_rows(wide_A.data(), side, listed.data(), n, i, std::min(3, n - i), G.data());
    }
    multiply(wide_K.data(), side, side, wide_b.data(), wide_Kb.data());
    const unsigned good_K = factor_cholesky(wide_K.data(), n, corners.data());
    solve_cholesky(wide_K.data(), n, corners.data(), wide_x.data());
    solve_cholesky_four(wide_K.data(), n, corners.data(), 0, wide_four.data());
    const unsigned good_A = factor_lu(wide_A.data(), n, wide_b.data(), inverse.data());
    solve_lu(wide_A.data(), n, inverse.data(), wide_b.data(), wide_y.data());
    for (int t = 0; t < 8; ++t) {
      const auto own = static_cast<std::size_t>(t);
      Eigen::VectorXd x = b[own], y = b[own], Kb = b[own], d(side), c(8 * side);
      Rows own_G = Rows::Zero(side, side);
      for (int i = 0; i < n; i += 3) {
        gram_rows(A[own].data(), side, listed.data(), n, i, std::min(3, n - i), own_G.data());
      }
      EXPECT_TRUE(same_bits(G, t, own_G)) << n << " " << t;
      multiply(K[own].data(), side, side, b[own].data(), Kb.data());
      EXPECT_TRUE(same_bits(wide_Kb, t, Kb)) << n << " " << t;
      const unsigned K_is_good = factor_cholesky(K[own].data(), n, c.data());
      EXPECT_EQ(good_K >> t & 1, K_is_good) << n << " " << t;
      EXPECT_EQ(K_is_good, n > 2 && t == 5 ? 0u : 1u);
      if (K_is_good) {
        solve_cholesky(K[own].data(), n, c.data(), x.data());
        EXPECT_TRUE(same_bits(wide_x, t, x)) << n << " " << t;
        solve_cholesky_four(K[own].data(), n, c.data(), 0, four[own].data());
        EXPECT_TRUE(same_bits(wide_four, t, four[own])) << n << " " << t;
      }
      const unsigned A_is_good = factor_lu(A[own].data(), n, b[own].data(), d.data());
      EXPECT_EQ(good_A >> t & 1, A_is_good) << n << " " << t;
      EXPECT_EQ(A_is_good, n > 2 && t == 3 ? 0u : 1u);
      if (!A_is_good) continue;
      solve_lu(A[own].data(), n, d.data(), b[own].data(), y.data());
      EXPECT_TRUE(same_bits(wide_y, t, y)) << n << " " << t;
    }
  }
}

}  // namespace
}  // namespace vinculum::algebra
