// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/contact/explicit_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::contact {

void apply(const ExplicitProblem& problem, std::span<const double> r, std::vector<double>& u) {
  const int d = problem.dimension;
  u.assign(problem.q.begin(), problem.q.end());
  for (std::size_t i = 0; i < problem.size(); ++i) {
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
      const double* A = problem.block(e);
      const double* x = r.data() + problem.column[e] * d;
      double* y = u.data() + static_cast<int>(i) * d;
      for (int a = 0; a < d; ++a) {
        for (int b = 0; b < d; ++b) y[a] += A[a * d + b] * x[b];
      }
    }
  }
}

namespace {

// The groups of a block: first row, rows, friction coefficient.
struct Group {
  int first, rows;
  double mu;
};

struct Groups {
  Group at[2];
  int count;
};

Groups groups_of(const ExplicitProblem& problem, std::size_t i) {
  if (problem.dimension == 5) return {{{1, 2, problem.mu[i]}, {3, 2, problem.mu_r[i]}}, 2};
  return {{{1, problem.dimension - 1, problem.mu[i]}, {}}, 1};
}

double group_norm(const double* x, const Group& g) {
  return g.rows == 2 ? std::hypot(x[g.first], x[g.first + 1]) : std::abs(x[g.first]);
}

// P_K: the normal n minimises (n − x_N)² + Σ_g max(0, |x_g| − μ_g n)², convex and piecewise quadratic; of all choices
// of groups that are cut, the right one is consistent with its own n.
void project(const Groups& groups, double* x) {
  double norm[2], at_zero = x[0];
  for (int g = 0; g < groups.count; ++g) {
    norm[g] = group_norm(x, groups.at[g]);
    at_zero += groups.at[g].mu * norm[g];
  }
  double n = std::max(0.0, x[0]), lowest = -1;
  for (int choice = 0; choice < 1 << groups.count && at_zero > 0; ++choice) {
    double sum = x[0], weight = 1;
    for (int g = 0; g < groups.count; ++g) {
      if (!(choice >> g & 1)) continue;
      sum += groups.at[g].mu * norm[g];
      weight += groups.at[g].mu * groups.at[g].mu;
    }
    const double candidate = std::max(0.0, sum / weight);
    double value = (candidate - x[0]) * (candidate - x[0]);
    for (int g = 0; g < groups.count; ++g) {
      const double over = std::max(0.0, norm[g] - groups.at[g].mu * candidate);
      value += over * over;
    }
    if (lowest < 0 || value < lowest) {
      lowest = value;
      n = candidate;
    }
  }
  if (!(at_zero > 0)) n = 0;
  x[0] = n;
  for (int g = 0; g < groups.count; ++g) {
    const double radius = groups.at[g].mu * n;
    if (norm[g] <= radius) continue;
    for (int k = 0; k < groups.at[g].rows; ++k) x[groups.at[g].first + k] *= radius / norm[g];
  }
}

// Squares of the natural map, q, u and r.
struct Sums {
  double map = 0, q = 0, u = 0, r = 0;

  void add(const ExplicitProblem& problem, std::size_t i, const double* r_i, const double* u_i, double d) {
    const int rows = problem.dimension;
    const Groups groups = groups_of(problem, i);
    double x[5], scaled_u[5];
    for (int k = 0; k < rows; ++k) {
      scaled_u[k] = d * u_i[k];
      x[k] = r_i[k] / d - scaled_u[k];
    }
    for (int g = 0; g < groups.count; ++g) x[0] -= groups.at[g].mu * group_norm(scaled_u, groups.at[g]);
    project(groups, x);
    for (int k = 0; k < rows; ++k) {
      const double q_k = d * problem.q[i * static_cast<std::size_t>(rows) + static_cast<std::size_t>(k)];
      const double r_k = r_i[k] / d;
      map += (r_k - x[k]) * (r_k - x[k]);
      q += q_k * q_k;
      u += scaled_u[k] * scaled_u[k];
      r += r_k * r_k;
    }
  }
  double relative() const {
    const double size = std::max({q, u, r});
    return size > 0 ? std::sqrt(map / size) : 0.0;
  }
};

std::vector<double> block_scales(const ExplicitProblem& problem) {
  std::vector<double> d(problem.size(), 0.0);
  double smallest = 0;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    double trace = 0;
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
      if (problem.column[e] != static_cast<int>(i)) continue;
      for (int k = 0; k < problem.dimension; ++k) trace += problem.block(e)[k * (problem.dimension + 1)];
    }
    if (trace > 0) d[i] = std::sqrt(problem.dimension / trace);
    if (d[i] > 0) smallest = smallest > 0 ? std::min(smallest, d[i]) : d[i];
  }
  for (double& x : d) x = x > 0 ? x : smallest > 0 ? smallest : 1.0;
  return d;
}

}  // namespace

Errors measure(const ExplicitProblem& problem, std::span<const double> r, std::vector<double>& u) {
  apply(problem, r, u);
  const std::vector<double> d = block_scales(problem);
  Sums judged, scaled;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const std::size_t at = i * static_cast<std::size_t>(problem.dimension);
    judged.add(problem, i, r.data() + at, u.data() + at, 1);
    scaled.add(problem, i, r.data() + at, u.data() + at, d[i]);
  }
  Errors errors;
  errors.judged = judged.relative();
  errors.scaled = scaled.relative();
  // Beside huge r the sum W r + q forgets q: the map is then no better known than rounding of r.
  const double rounding = std::numeric_limits<double>::epsilon() * std::sqrt(scaled.r);
  errors.over_c = scaled.q > 0 ? std::max(std::sqrt(scaled.map), rounding) / std::sqrt(scaled.q) : errors.scaled;
  return errors;
}

double asymmetry(const ExplicitProblem& problem) {
  const int d = problem.dimension;
  double largest = 0, difference = 0;
  for (int i = 0; i < static_cast<int>(problem.size()); ++i) {
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
      const int j = problem.column[e];
      const auto begin = problem.column.begin() + problem.row[j], end = problem.column.begin() + problem.row[j + 1];
      const auto at = std::lower_bound(begin, end, i);
      const double* A = problem.block(e);
      const double* B = at != end && *at == i ? problem.block(static_cast<int>(at - problem.column.begin())) : nullptr;
      for (int a = 0; a < d; ++a) {
        for (int b = 0; b < d; ++b) {
          largest = std::max(largest, std::abs(A[a * d + b]));
          difference = std::max(difference, std::abs(A[a * d + b] - (B ? B[b * d + a] : 0.0)));
        }
      }
    }
  }
  return largest > 0 ? difference / largest : 0.0;
}

}  // namespace vinculum::contact
