// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/explicit_space.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::solvers {
namespace {

double length(const double* x) { return std::sqrt(x[0] * x[0] + x[1] * x[1]); }

// P_K for the groups (x[1], x[2]) and, with rolling, (x[3], x[4]): the cut groups determine the normal.
template <int Groups>
void project_cone(const double* mu, double* x) {
  double norm[Groups];
  double reach = x[0];
  bool inside = true;
  for (int g = 0; g < Groups; ++g) {
    norm[g] = length(x + 1 + 2 * g);
    reach += mu[g] * norm[g];
    inside = inside && norm[g] <= mu[g] * x[0];
  }
  if (inside && x[0] >= 0) return;
  if (reach <= 0) {
    std::fill(x, x + 1 + 2 * Groups, 0.0);
    return;
  }
  // Group g is cut where |x_g|/μ_g > n. Cutting one raises n, so they are taken in falling order of that ratio.
  double sum = x[0], weight = 1, n = x[0];
  bool cut[Groups] = {};
  for (int round = 0; round < Groups; ++round) {
    int next = -1;
    double highest = n;
    for (int g = 0; g < Groups; ++g) {
      if (cut[g] || norm[g] == 0) continue;
      const double ratio = mu[g] > 0 ? norm[g] / mu[g] : std::numeric_limits<double>::max();
      if (ratio > highest) next = g, highest = ratio;
    }
    if (next < 0) break;
    cut[next] = true;
    sum += mu[next] * norm[next];
    weight += mu[next] * mu[next];
    n = sum / weight;
  }
  n = std::max(n, 0.0);
  x[0] = n;
  for (int g = 0; g < Groups; ++g) {
    const double radius = mu[g] * n;
    if (norm[g] <= radius) continue;
    x[1 + 2 * g] *= radius / norm[g];
    x[2 + 2 * g] *= radius / norm[g];
  }
}

}  // namespace

double square(const std::vector<double>& x) {
  double a = 0, b = 0;
  std::size_t k = 0;
  for (; k + 2 <= x.size(); k += 2) {
    a += x[k] * x[k];
    b += x[k + 1] * x[k + 1];
  }
  if (k < x.size()) a += x[k] * x[k];
  return a + b;
}

template <int Rows>
void ContactSpace<Rows>::build(const contact::ExplicitProblem& problem) {
  const std::size_t n = problem.size();
  const int given = given_rows_ = problem.dimension;
  row.assign(problem.row.begin(), problem.row.end());
  column.assign(problem.column.begin(), problem.column.end());
  diagonal.assign(n, -1);
  d.assign(n, 0.0);
  double smallest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (int e = row[i]; e < row[i + 1]; ++e) {
      if (column[e] != static_cast<int>(i)) continue;
      diagonal[i] = e;
      double trace = 0;
      for (int k = 0; k < given; ++k) trace += problem.block(e)[k * (given + 1)];
      if (trace > 0) d[i] = std::sqrt(given / trace);
      if (d[i] > 0) smallest = smallest > 0 ? std::min(smallest, d[i]) : d[i];
    }
  }
  double sum = 0;
  q_given_square_ = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (d[i] == 0) d[i] = smallest > 0 ? smallest : 1.0;
    for (int k = 0; k < given; ++k) {
      const double x = problem.q[i * static_cast<std::size_t>(given) + static_cast<std::size_t>(k)];
      q_given_square_ += x * x;
      sum += (d[i] * x) * (d[i] * x);
    }
  }
  sigma = sum > 0 ? std::sqrt(sum) : 1.0;
  q_square_ = sum > 0 ? 1.0 : 0.0;
  q.assign(numbers(), 0.0);
  mu_.resize(groups * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (int k = 0; k < given; ++k) {
      q[stride * i + static_cast<std::size_t>(k)] =
          problem.q[i * static_cast<std::size_t>(given) + static_cast<std::size_t>(k)] * (d[i] / sigma);
    }
    mu_[groups * i] = problem.mu[i];
    if constexpr (groups == 2) mu_[groups * i + 1] = problem.mu_r[i];
  }
  rows_.assign(block_size * column.size(), 0.0);
  columns_.assign(block_size * column.size(), 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (int e = row[i]; e < row[i + 1]; ++e) {
      const double f = d[i] * d[static_cast<std::size_t>(column[e])];
      double* by_rows = rows_.data() + block_size * static_cast<std::size_t>(e);
      double* by_columns = columns_.data() + block_size * static_cast<std::size_t>(e);
      for (int a = 0; a < given; ++a) {
        for (int b = 0; b < given; ++b) {
          by_rows[stride * a + b] = by_columns[stride * b + a] = f * problem.block(e)[a * given + b];
        }
      }
      if (given == 2 && e == diagonal[i]) by_rows[stride * 2 + 2] = by_columns[stride * 2 + 2] = 1;
    }
  }
}

template <int Rows>
void ContactSpace<Rows>::scale(std::span<const double> r_given, std::vector<double>& r) const {
  r.assign(numbers(), 0.0);
  for (std::size_t i = 0; i < size(); ++i) {
    for (int k = 0; k < given_rows_; ++k) {
      r[stride * i + static_cast<std::size_t>(k)] =
          r_given[i * static_cast<std::size_t>(given_rows_) + static_cast<std::size_t>(k)] / (sigma * d[i]);
    }
  }
}

template <int Rows>
void ContactSpace<Rows>::unscale(const std::vector<double>& r, std::vector<double>& r_given) const {
  r_given.resize(size() * static_cast<std::size_t>(given_rows_));
  for (std::size_t i = 0; i < size(); ++i) {
    for (int k = 0; k < given_rows_; ++k) {
      r_given[i * static_cast<std::size_t>(given_rows_) + static_cast<std::size_t>(k)] =
          r[stride * i + static_cast<std::size_t>(k)] * (sigma * d[i]);
    }
  }
}

template <int Rows>
void ContactSpace<Rows>::velocity(const std::vector<double>& r, std::vector<double>& u) const {
  u.assign(q.begin(), q.end());
  for (std::size_t i = 0; i < size(); ++i) add_products(row[i], row[i + 1], r.data(), u.data() + stride * i);
}

template <int Rows>
void ContactSpace<Rows>::product(const std::vector<double>& x, std::vector<double>& y) const {
  y.assign(numbers(), 0.0);
  for (std::size_t i = 0; i < size(); ++i) add_products(row[i], row[i + 1], x.data(), y.data() + stride * i);
}

template <int Rows>
void ContactSpace<Rows>::project_block(std::size_t i, double* x) const {
  project_cone<groups>(mu_.data() + groups * i, x);
}

template <int Rows>
void ContactSpace<Rows>::project(std::vector<double>& r) const {
  for (std::size_t i = 0; i < size(); ++i) project_block(i, r.data() + stride * i);
}

template <int Rows>
typename ContactSpace<Rows>::Errors ContactSpace<Rows>::errors(const std::vector<double>& r,
                                                               const std::vector<double>& u) const {
  double map[2] = {}, r_sum[2] = {}, u_sum[2] = {};
  for (std::size_t i = 0; i < size(); ++i) {
    const double* r_i = r.data() + stride * i;
    const double* u_i = u.data() + stride * i;
    double shift = 0;
    for (int g = 0; g < groups; ++g) shift += mu_[groups * i + static_cast<std::size_t>(g)] * length(u_i + 1 + 2 * g);
    // Given units: r = σ d r', u = σ u'/d; σ drops out of the quotient.
    for (const int given : {0, 1}) {
      const double a = given ? d[i] : 1.0, b = given ? 1 / d[i] : 1.0;
      double x[Rows];
      for (int k = 0; k < Rows; ++k) x[k] = a * r_i[k] - b * u_i[k];
      x[0] -= b * shift;
      project_block(i, x);
      for (int k = 0; k < Rows; ++k) {
        const double r_k = a * r_i[k], u_k = b * u_i[k];
        map[given] += (r_k - x[k]) * (r_k - x[k]);
        r_sum[given] += r_k * r_k;
        u_sum[given] += u_k * u_k;
      }
    }
  }
  const double q_given = q_given_square_ / (sigma * sigma);
  const double size_scaled = std::max({q_square_, r_sum[0], u_sum[0]});
  const double size_given = std::max({q_given, r_sum[1], u_sum[1]});
  Errors out;
  out.scaled = size_scaled > 0 ? std::sqrt(map[0] / size_scaled) : 0.0;
  const double rounding =
      std::numeric_limits<double>::epsilon() * std::sqrt(r_sum[0]);  // beside huge r, q is forgotten
  out.over_q = q_square_ > 0 ? std::max(std::sqrt(map[0]), rounding) / std::sqrt(q_square_) : 0.0;
  out.judged = size_given > 0 ? std::sqrt(map[1] / size_given) : 0.0;
  return out;
}

template <int Rows>
void ContactMatrix<Rows>::prepare(const ContactSpace<Rows>& space, double most_flops) {
  const int n = static_cast<int>(space.size());
  // The pattern made symmetric: W may have a block where its transpose has none.
  neighbours_.resize(space.size());
  for (auto& list : neighbours_) list.clear();
  for (int i = 0; i < n; ++i) {
    for (int e = space.row[i]; e < space.row[i + 1]; ++e) {
      if (space.column[e] != i) neighbours_[space.column[e]].push_back(i);
    }
  }
  mark_.assign(space.size(), -1);
  start_.assign(1, 0);
  adjacent_.clear();
  for (int i = 0; i < n; ++i) {
    auto take = [&](int j) {
      if (j == i || mark_[j] == i) return;
      mark_[j] = i;
      adjacent_.push_back(j);
    };
    for (int e = space.row[i]; e < space.row[i + 1]; ++e) take(space.column[e]);
    for (int j : neighbours_[i]) take(j);
    std::sort(adjacent_.begin() + start_.back(), adjacent_.end());
    start_.push_back(static_cast<int>(adjacent_.size()));
  }
  factorisations = 0;
  lu_.analyse(n, start_, adjacent_, most_flops);
  if (!std::isfinite(lu_.flops())) return;
  slot_.resize(space.column.size());
  for (int i = 0; i < n; ++i) {
    for (int e = space.row[i]; e < space.row[i + 1]; ++e) slot_[e] = lu_.find(i, space.column[e]);
  }
}

template class ContactSpace<3>;
template class ContactSpace<5>;
template class ContactMatrix<3>;
template class ContactMatrix<5>;

}  // namespace vinculum::solvers
