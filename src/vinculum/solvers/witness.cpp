// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/witness.hpp"

#include "vinculum/contact/certificate.hpp"

#include <Eigen/Dense>
#include <limits>

namespace vinculum::solvers {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd least_squares(const MatrixXd& A, const VectorXd& b, const std::vector<int>& columns) {
  MatrixXd part(A.rows(), static_cast<long>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k) part.col(static_cast<long>(k)) = A.col(columns[k]);
  return part.completeOrthogonalDecomposition().solve(b);
}

// min |A y − b|, y ≥ 0: columns enter where the residual still points along them; those that would turn negative leave.
VectorXd nonnegative_least_squares(const MatrixXd& A, const VectorXd& b) {
  const long n = A.cols();
  VectorXd y = VectorXd::Zero(n);
  std::vector<int> passive;
  std::vector<char> in(static_cast<std::size_t>(n), 0);
  for (long round = 0; round < 3 * n; ++round) {
    const VectorXd residual = b - A * y;
    const VectorXd gradient = A.transpose() * residual;
    int enter = -1;
    double steepest = 1e-13 * residual.norm();
    for (int j = 0; j < n; ++j) {
      const double slope = gradient[j] / std::max(A.col(j).norm(), 1e-300);
      if (!in[static_cast<std::size_t>(j)] && slope > steepest) enter = j, steepest = slope;
    }
    if (enter < 0 || residual.norm() < 1e-14 * b.norm()) break;
    passive.push_back(enter);
    in[static_cast<std::size_t>(enter)] = 1;
    for (;;) {
      const VectorXd s = least_squares(A, b, passive);
      double t = 1;
      for (std::size_t k = 0; k < passive.size(); ++k) {
        const double now = y[passive[k]], then = s[static_cast<long>(k)];
        if (then < 0 && now - then > 0) t = std::min(t, now / (now - then));
      }
      std::vector<int> kept;
      for (std::size_t k = 0; k < passive.size(); ++k) {
        double& value = y[passive[k]];
        const double target = s[static_cast<long>(k)];
        value += t * (target - value);
        const bool leaves = t < 1 && target < 0 && value <= 1e-14 * std::abs(target);
        if (leaves || value < 0) {
          value = 0;
          in[static_cast<std::size_t>(passive[k])] = 0;
        } else {
          kept.push_back(passive[k]);
        }
      }
      const bool done = kept.size() == passive.size();
      passive.swap(kept);
      if (done || passive.empty()) break;
    }
  }
  return y;
}

// y ≥ 0 with V y = 0, cᵀ y = −1 as nearly as there is one.
VectorXd find_ray(const MatrixXd& V, const VectorXd& c) {
  MatrixXd A(V.rows() + 1, V.cols());
  A.topRows(V.rows()) = V;
  A.bottomRows(1) = c.transpose();
  VectorXd b = VectorXd::Zero(A.rows());
  b[A.rows() - 1] = -1;
  return nonnegative_least_squares(A, b);
}

}  // namespace

bool find_witness(const contact::ExplicitProblem& problem, ExplicitSolution& solution) {
  const std::size_t n = problem.size(), d = static_cast<std::size_t>(problem.dimension);
  if (n == 0 || n > most_columns) return false;
  // Columns of unit length: (Wᵀ n_i, q_N) is as large as block i makes it.
  MatrixXd V = MatrixXd::Zero(static_cast<long>(n * d), static_cast<long>(n));
  VectorXd c(static_cast<long>(n)), length(static_cast<long>(n));
  for (std::size_t i = 0; i < n; ++i) {
    const long at = static_cast<long>(i);
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
      for (std::size_t b = 0; b < d; ++b) {
        V(static_cast<long>(static_cast<std::size_t>(problem.column[e]) * d + b), at) = problem.block(e)[b];
      }
    }
    length[at] = std::max(V.col(at).norm(), 1e-300);
    V.col(at) /= length[at];
    c[at] = problem.q[i * d] / length[at];
  }
  if (c.norm() > 0) c /= c.norm();
  const VectorXd y = find_ray(V, c);
  std::vector<double> witness(n * d, 0.0);
  for (std::size_t i = 0; i < n; ++i) witness[i * d] = y[static_cast<long>(i)] / length[static_cast<long>(i)];
  if (contact::check_witness(problem, witness) < contact::unreachable) return false;
  solution.witness = std::move(witness);
  solution.report.status = Status::infeasible;
  return true;
}

bool find_witness(const contact::ContactProblem& problem, Solution& solution) {
  struct Column {
    std::size_t block;
    int row;
    double sign, length;
  };
  std::vector<Column> columns;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    if (problem.law[i] != laws::Kind::bilateral) {
      columns.push_back({i, 0, 1, 1});
    } else {
      for (int k = 0; k < 3; ++k) {
        for (const double sign : {1.0, -1.0}) columns.push_back({i, k, sign, 1});
      }
    }
  }
  if (columns.empty() || columns.size() > most_columns) return false;
  const long n = static_cast<long>(columns.size());
  MatrixXd V = MatrixXd::Zero(6 * static_cast<long>(problem.nodes), n);
  VectorXd c(n);
  for (long j = 0; j < n; ++j) {
    Column& column = columns[static_cast<std::size_t>(j)];
    for (int e = problem.row[column.block]; e < problem.row[column.block + 1]; ++e) {
      V.col(j).segment<6>(6 * problem.node[e]) = column.sign * problem.J[e].row(column.row).transpose();
    }
    const double length = V.col(j).norm();
    column.length = length > 0 ? length : 1.0;
    V.col(j) /= column.length;
    c[j] = column.sign * problem.c[column.block][column.row] / column.length;
  }
  if (c.norm() > 0) c /= c.norm();
  const VectorXd y = find_ray(V, c);
  std::vector<contact::Vec3> witness(problem.size(), contact::Vec3::Zero());
  for (long j = 0; j < n; ++j) {
    const Column& column = columns[static_cast<std::size_t>(j)];
    witness[column.block][column.row] += column.sign * y[j] / column.length;
  }
  if (contact::check_witness(problem, witness) < contact::unreachable) return false;
  solution.witness = std::move(witness);
  solution.report.status = Status::infeasible;
  return true;
}

}  // namespace vinculum::solvers
