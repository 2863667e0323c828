// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
#include "vinculum/convex/least_squares.hpp"

#include <Eigen/QR>

#include <cmath>
#include <limits>
#include <vector>

namespace vinculum::convex {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
constexpr double kEps = std::numeric_limits<double>::epsilon();

// Least squares over the chosen columns, zero elsewhere.
Vector solve_over(const Matrix& A, const std::vector<int>& chosen, const Vector& b) {
  Vector x = Vector::Zero(A.cols());
  if (chosen.empty()) return x;
  const Matrix S = A(Eigen::all, chosen);
  const Vector y = Eigen::CompleteOrthogonalDecomposition<Matrix>(S).solve(b);
  for (std::size_t k = 0; k < chosen.size(); ++k) x[chosen[k]] = y[static_cast<int>(k)];
  return x;
}

// The signed column that would help most, −1 if none: largest ⟨a_j, b − A x⟩/|a_j|.
int find_entering(const Matrix& A, int free, const Vector& residual, const std::vector<bool>& passive, double zero) {
  int best = -1;
  double most = zero;
  for (int j = free; j < A.cols(); ++j) {
    const double size = A.col(j).norm();
    if (passive[j] || size == 0) continue;
    const double gain = A.col(j).dot(residual) / size;
    if (gain > most) {
      most = gain;
      best = j;
    }
  }
  return best;
}

std::vector<int> list_of(const std::vector<bool>& passive) {
  std::vector<int> chosen;
  for (std::size_t j = 0; j < passive.size(); ++j) {
    if (passive[j]) chosen.push_back(static_cast<int>(j));
  }
  return chosen;
}

}  // namespace

Vector solve_nonnegative(const Matrix& A, int free, const Vector& b) {
  const int n = static_cast<int>(A.cols());
  std::vector<bool> passive(n, false);
  for (int j = 0; j < free; ++j) passive[j] = true;
  Vector x = solve_over(A, list_of(passive), b);
  const double zero = 8 * kEps * (b.norm() + kEps);
  for (int round = 0; round < 10 * n + 10; ++round) {
    const int entering = find_entering(A, free, b - A * x, passive, zero);
    if (entering < 0) break;
    passive[entering] = true;
    for (int guard = 0; guard <= n; ++guard) {
      const Vector target = solve_over(A, list_of(passive), b);
      // The longest step to the target that keeps x ≥ 0; columns that reach zero leave.
      double step = 1;
      for (int j = free; j < n; ++j) {
        if (passive[j] && target[j] <= 0) step = std::min(step, x[j] / (x[j] - target[j]));
      }
      if (step >= 1) {
        x = target;
        break;
      }
      x += step * (target - x);
      for (int j = free; j < n; ++j) {
        if (passive[j] && (x[j] <= kEps * x.cwiseAbs().maxCoeff() || (target[j] <= 0 && x[j] <= 0))) {
          passive[j] = false;
          x[j] = 0;
        }
      }
    }
  }
  return x;
}

std::optional<Vector> find_least_point(const Matrix& E, const Vector& e, const Matrix& A, const Vector& h) {
  const int n = static_cast<int>(E.rows()), free = static_cast<int>(E.cols()), m = static_cast<int>(A.cols());
  Matrix G(n + 1, free + m);
  if (free) G.topLeftCorner(n, free) = E;
  if (m) G.topRightCorner(n, m) = A;
  Vector right(free + m);
  right << e, h;
  G.row(n) = right.transpose();
  const double scale = std::max(1e-300, G.topRows(n).size() ? G.topRows(n).cwiseAbs().maxCoeff() : 1.0);
  const double unit = std::max(right.size() ? right.cwiseAbs().maxCoeff() : 0.0, 1e-300);
  G.row(n) *= scale / unit;  // p in units of `unit/scale`
  Vector f = Vector::Zero(n + 1);
  f[n] = 1;
  const Vector u = solve_nonnegative(G, free, f);
  const Vector r = G * u - f;
  if (r.norm() <= 1e-11) return std::nullopt;
  // Certificate of the answer: the tight constraints, solved as equations, give p without the division by r_{n+1}.
  std::vector<int> tight;
  for (int j = 0; j < free + m; ++j) {
    if (j < free || u[j] > 0) tight.push_back(j);
  }
  if (tight.empty()) return Vector::Zero(n);
  const Matrix S = G(Eigen::all, tight).topRows(n).transpose();
  return Vector(Eigen::CompleteOrthogonalDecomposition<Matrix>(S).solve(Vector(right(tight))));
}

}  // namespace vinculum::convex
