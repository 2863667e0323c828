// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
#include "vinculum/convex/fixed_point.hpp"

#include <Eigen/QR>

#include <limits>

namespace vinculum::convex {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

Vector newton_step(const Map& T, const Vector& x, const Vector& residual) {
  const double h = 1e-6 * (1e-6 + x.norm());
  Matrix D = Matrix::Identity(x.size(), x.size());
  for (int j = 0; j < x.size(); ++j) {
    const Vector e = h * Vector::Unit(x.size(), j);
    D.col(j) -= (T(x + e) - T(x - e)) / (2 * h);
  }
  Eigen::CompleteOrthogonalDecomposition<Matrix> solver;
  solver.setThreshold(1e-9);
  solver.compute(D);
  return solver.solve(residual);
}

}  // namespace

Vector find_fixed_point(const Map& T, const Vector& start) {
  Vector x = start, residual = T(x) - x;
  for (int k = 0; k < 500; ++k) {
    const double size = residual.norm();
    if (!(size > 2 * std::numeric_limits<double>::epsilon() * (1 + x.norm()))) break;
    const Vector trial = x + newton_step(T, x, residual);
    const Vector step = T(trial) - trial;
    if (step.norm() < .5 * size) {
      x = trial;
      residual = step;
    } else {
      x += residual;
      residual = T(x) - x;
    }
  }
  return x;
}

Vector project_in_metric(const Map& P, const Matrix& M, const Vector& y) {
  const double rho = 1 / M.norm();
  const Map T = [&](const Vector& z) -> Vector { return P(z - rho * (M * (z - y))); };
  return T(find_fixed_point(T, P(y)));
}

}  // namespace vinculum::convex
