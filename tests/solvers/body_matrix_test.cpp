// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/body_matrix.hpp"

#include "solvers/corpus.hpp"

#include <gtest/gtest.h>
#include <Eigen/Dense>

using namespace vinculum;

TEST(BodyMatrix, solves_with_identity_plus_J_transposed_S_J) {
  const auto problem = corpus::mixed();
  const long n = static_cast<long>(problem.size()), m = 6 * static_cast<long>(problem.nodes);
  solvers::ScaledProblem scaled;
  scaled.build(problem);
  solvers::BodyMatrix matrix;
  matrix.prepare(scaled);
  std::vector<laws::Mat3> D(problem.size());
  Eigen::MatrixXd A = Eigen::MatrixXd::Identity(m, m);
  std::srand(3);
  const double alpha = .01;
  for (long i = 0; i < n; ++i) {
    D[i] = laws::Mat3::Identity() + .3 * laws::Mat3::Random();  // unsymmetric, positive definite
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(3, m);
    for (int e = scaled.begin(i); e < scaled.end(i); ++e) {
      J.middleCols<6>(6 * scaled.node(e)) = Eigen::Map<const contact::JBlock>(scaled.J_entry(e));
    }
    A += J.transpose() * D[i] / alpha * J;
  }
  ASSERT_TRUE(matrix.factor(D, alpha));
  Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(m, -1, 1);
  std::vector<double> x(b.data(), b.data() + m);
  matrix.solve(x);
  EXPECT_LT((A * Eigen::Map<Eigen::VectorXd>(x.data(), m) - b).norm(), 1e-11);  // condition about 1e3
  ASSERT_TRUE(matrix.factor(D, alpha));
  EXPECT_EQ(matrix.factorisations, 1) << "the same matrix is not factored twice";
}
