// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/contact/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::contact {
namespace {

// |P_K(v)|² for K = { |r_T| ≤ μ r_N }, given v_N and |v_T|: v itself, 0, or its part along the nearest generator.
double reach_square(double v_N, double v_T, double mu) {
  if (v_N >= 0 && v_T <= mu * v_N) return v_N * v_N + v_T * v_T;
  const double along = v_N + mu * v_T;
  return along > 0 ? along * along / (1 + mu * mu) : 0.0;
}

// With rolling friction vᵀr ≤ r_N (v_N + μ |v_T| + μ_r |v_R|) and r_N ≤ |r|: a bound from above, which is the safe
// side.
double reach_square(const ExplicitProblem& problem, std::size_t i, const double* v) {
  const double tangent = problem.dimension == 2 ? std::abs(v[1]) : std::hypot(v[1], v[2]);
  if (problem.dimension < 5) return reach_square(v[0], tangent, problem.mu[i]);
  const double along = std::max(0.0, v[0] + problem.mu[i] * tangent + problem.mu_r[i] * std::hypot(v[3], v[4]));
  return along * along;
}

double bound(double q_y, double q_square, double reach) {
  if (!(q_y < 0)) return 0;
  const double gain = -q_y / std::sqrt(q_square);
  return reach > 0 ? gain / std::sqrt(reach) : std::numeric_limits<double>::infinity();
}

double scale_of(double trace, double rows) { return trace > 0 ? std::sqrt(rows / trace) : 0.0; }

void fill_still(std::vector<double>& d) {
  double smallest = 0;
  for (double x : d) {
    if (x > 0) smallest = smallest > 0 ? std::min(smallest, x) : x;
  }
  for (double& x : d) x = x > 0 ? x : smallest > 0 ? smallest : 1.0;
}

}  // namespace

double check_witness(const ExplicitProblem& problem, std::span<const double> y) {
  const int rows = problem.dimension;
  const std::size_t n = problem.size(), width = static_cast<std::size_t>(rows);
  if (y.size() != n * width) return 0;
  std::vector<double> d(n, 0.0), v(n * width, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (int k = 0; k < rows; ++k) {
      const double y_k = y[i * width + static_cast<std::size_t>(k)];
      if (!(k == 0 ? y_k >= 0 : y_k == 0)) return 0;
    }
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
      const double* W = problem.block(e);
      const auto j = static_cast<std::size_t>(problem.column[e]);
      double trace = 0;
      for (int b = 0; b < rows; ++b) {
        v[j * width + static_cast<std::size_t>(b)] += W[b] * y[i * width];
        trace += W[b * rows + b];
      }
      if (j == i) d[i] = scale_of(trace, rows);
    }
  }
  fill_still(d);
  double q_y = 0, q_square = 0, reach = 0;
  for (std::size_t i = 0; i < n; ++i) {
    q_y += problem.q[i * width] * y[i * width];
    for (std::size_t k = 0; k < width; ++k) {
      const double q_k = d[i] * problem.q[i * width + k];
      q_square += q_k * q_k;
    }
    reach += d[i] * d[i] * reach_square(problem, i, v.data() + i * width);
  }
  return bound(q_y, q_square, reach);
}

double check_witness(const ContactProblem& problem, const std::vector<Vec3>& y) {
  const std::size_t n = problem.size();
  if (y.size() != n) return 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!y[i].allFinite()) return 0;
    if (problem.law[i] == laws::Kind::bilateral) continue;
    if (!(y[i][0] >= 0) || y[i][1] != 0 || y[i][2] != 0) return 0;
  }
  std::vector<double> d(n);
  Eigen::VectorXd z = Eigen::VectorXd::Zero(6 * static_cast<long>(problem.nodes));  // Jᵀ y
  for (std::size_t i = 0; i < n; ++i) {
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
      z.segment<6>(6 * problem.node[e]) += problem.J[e].transpose() * y[i];
    }
  }
  double q_y = 0, q_square = 0, reach = 0;
  const std::span<const laws::LawType> types = laws::law_types();
  for (std::size_t i = 0; i < n; ++i) {
    double trace = 0;
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) trace += problem.J[e].squaredNorm();
    d[i] = scale_of(trace, types[static_cast<std::size_t>(problem.law[i])].law->rows());
  }
  fill_still(d);
  for (std::size_t i = 0; i < n; ++i) {
    Vec3 v = Vec3::Zero();
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) v += problem.J[e] * z.segment<6>(6 * problem.node[e]);
    q_y += problem.c[i].dot(y[i]);
    q_square += d[i] * d[i] * problem.c[i].squaredNorm();
    const double mu = problem.law[i] == laws::Kind::coulomb ? problem.mu[i] : 0.0;
    const bool bond = problem.law[i] == laws::Kind::bilateral;
    const double square = bond ? v.squaredNorm() : reach_square(v[0], std::hypot(v[1], v[2]), mu);
    reach += d[i] * d[i] * square;
  }
  return bound(q_y, q_square, reach);
}

}  // namespace vinculum::contact
