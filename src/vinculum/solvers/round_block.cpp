// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/round_block.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <limits>

namespace vinculum::solvers {
namespace {

constexpr double kRounding = 64 * std::numeric_limits<double>::epsilon();

}  // namespace

bool make_round_block(const ScaledProblem& scaled, std::size_t i, RoundBlock& block) {
  const int entries = scaled.end(i) - scaled.begin(i);
  if (entries < 1 || entries > 2) return false;
  using Rows = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  Rows R, SR;
  block = {};
  for (int k = 0; k < entries; ++k) {
    const int e = scaled.begin(i) + k;
    const Eigen::Map<const contact::JBlock> J(scaled.J_entry(e));
    if (k == 0) {
      const double a = J.row(0).head<3>().norm();
      if (!(a > 0)) return false;
      R = J.leftCols<3>() / a;
      SR << Eigen::RowVector3d::Zero(), R.row(2), -R.row(1);
    }
    const double a = R.row(0).dot(J.row(0).head<3>()), b = R.row(2).dot(J.row(1).tail<3>());
    const double difference =
        std::max((J.leftCols<3>() - a * R).cwiseAbs().maxCoeff(), (J.rightCols<3>() - b * SR).cwiseAbs().maxCoeff());
    if (!(difference <= kRounding * (std::abs(a) + std::abs(b)))) return false;
    block.node[k] = scaled.node(e);
    block.a[k] = a;
    block.b[k] = b;
  }
  if (!((R * R.transpose() - Rows::Identity()).cwiseAbs().maxCoeff() <= kRounding)) return false;
  for (int k = 0; k < 3; ++k) {
    block.n[k] = R(0, k);
    block.t1[k] = R(1, k);
    block.t2[k] = R(2, k);
    block.c[k] = scaled.c[i][k];
  }
  const double A_N = block.a[0] * block.a[0] + block.a[1] * block.a[1];
  block.inverse_N = 1 / A_N;
  block.inverse_T = 1 / (A_N + (block.b[0] * block.b[0] + block.b[1] * block.b[1]));
  block.mu = scaled.mu[i];
  return true;
}

}  // namespace vinculum::solvers
