// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/scaled.hpp"

#include "vinculum/solvers/kernels.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::solvers {

void ScaledProblem::build(const ContactProblem& given) {
  problem = &given;
  const std::size_t n = given.size();
  J.resize(18 * given.J.size() + 1);  // rows are read four numbers at a time
  c.resize(n);
  d.resize(n);
  mu.resize(n);
  law.resize(n);
  one_row.resize(n);
  double d_min = 0;
  for (std::size_t i = 0; i < n; ++i) {
    law[i] = &laws::law_of(given.law[i]);
    one_row[i] = law[i]->rows() == 1;
    double trace = 0;
    for (int e = begin(i); e < end(i); ++e) trace += given.J[e].squaredNorm();
    d[i] = trace > 0 ? std::sqrt(law[i]->rows() / trace) : 0.0;
    if (d[i] > 0) d_min = d_min > 0 ? std::min(d_min, d[i]) : d[i];
  }
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (d[i] == 0) d[i] = d_min > 0 ? d_min : 1.0;
    sum += d[i] * d[i] * given.c[i].squaredNorm();
  }
  sigma = sum > 0 ? std::sqrt(sum) : 1.0;
  c_norm = sum > 0 ? 1.0 : 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    c[i] = given.c[i] * (d[i] / sigma);
    mu[i] = law[i]->is_cone() ? given.mu[i] : given.mu[i] / (sigma * d[i]);
    for (int e = begin(i); e < end(i); ++e) {
      const double* from = given.J[e].data();
      double* to = J.data() + 18 * static_cast<std::size_t>(e);
      for (int k = 0; k < 18; ++k) to[k] = d[i] * from[k];
    }
  }
}

void ScaledProblem::scale(const std::vector<Vec3>& Lambda, std::vector<Vec3>& r) const {
  r.resize(size());
  for (std::size_t i = 0; i < size(); ++i) r[i] = Lambda[i] / (sigma * d[i]);
}

void ScaledProblem::unscale(const std::vector<Vec3>& r, std::vector<Vec3>& Lambda) const {
  Lambda.resize(size());
  for (std::size_t i = 0; i < size(); ++i) Lambda[i] = r[i] * (sigma * d[i]);
}

void ScaledProblem::impulse_to_nodes(const std::vector<Vec3>& r, std::vector<double>& z) const {
  z.resize(6 * nodes());
  std::fill(z.begin(), z.end(), 0.0);
  for (std::size_t i = 0; i < size(); ++i) {
    if (r[i][0] == 0 && r[i][1] == 0 && r[i][2] == 0) continue;
    for (int e = begin(i); e < end(i); ++e) {
      double* at = z.data() + 6 * node(e);
      one_row[i] ? add_transposed_row(J_entry(e), r[i][0], at)
                 : add_transposed(J_entry(e), r[i][0], r[i][1], r[i][2], at);
    }
  }
}

void ScaledProblem::velocity(const std::vector<double>& z, std::vector<Vec3>& u) const {
  u.resize(size());
  for (std::size_t i = 0; i < size(); ++i) {
    RowSums sums;
    for (int e = begin(i); e < end(i); ++e) {
      const double* at = z.data() + 6 * node(e);
      one_row[i] ? sums.add_row(J_entry(e), at) : sums.add(J_entry(e), at);
    }
    u[i] = c[i] + Vec3(sums.row0(), sums.row1(), sums.row2());
  }
}

double ScaledProblem::error(const std::vector<Vec3>& r, const std::vector<Vec3>& u) const {
  double map = 0;
  for (std::size_t i = 0; i < size(); ++i) map += law[i]->natural_map(u[i], r[i], mu[i]).squaredNorm();
  const double largest = std::max({c_norm, squared_norm(u), squared_norm(r)});
  return largest > 0 ? std::sqrt(map / largest) : 0.0;
}

bool is_moving(const std::vector<Vec3>& u) { return squared_norm(u) > 1e-6; }

void make_admissible(const ScaledProblem& scaled, std::vector<Vec3>& r) {
  for (std::size_t i = 0; i < r.size(); ++i) {
    const double mu = scaled.mu[i], radius = mu * r[i][0];
    const bool inside = r[i][0] >= 0 && r[i][1] * r[i][1] + r[i][2] * r[i][2] <= radius * radius;
    if (inside && scaled.problem->law[i] == laws::Kind::coulomb) continue;  // most of them
    r[i] = scaled.law[i]->project(r[i], mu);
  }
}

double squared_norm(const std::vector<Vec3>& x) {
  double sum = 0;
  for (const Vec3& v : x) sum += v.squaredNorm();
  return sum;
}

}  // namespace vinculum::solvers
