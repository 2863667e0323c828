// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/nudge.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vinculum::integrators {

namespace {

constexpr std::size_t most = 32;    // laws of one island; more are for the solvers
constexpr double dependent = 1e-6;  // of the largest pivot: rows that others imply
constexpr double agreement = 0.5;   // of the tolerance of a gap
constexpr double noise = 1e-10;     // of the largest Π: rounding, no push

/// What a law asks its gap to become.
double wanted(const Nudge::Law& law) { return law.held ? std::max(law.gap, 0.0) : 0; }

bool is_violated(const Nudge::Law& law) { return law.gap < -law.tolerance; }

}  // namespace

int Nudge::root(int node) {
  while (parent_[static_cast<std::size_t>(node)] != node) node = parent_[static_cast<std::size_t>(node)];
  return node;
}

void Nudge::find_islands(const contact::ContactProblem& problem) {
  parent_.resize(problem.nodes);
  std::iota(parent_.begin(), parent_.end(), 0);
  for (const Law& law : laws_) {
    const int first = problem.row[law.block];
    for (int e = first + 1; e < problem.row[law.block + 1]; ++e) {
      const int a = root(problem.node[first]), b = root(problem.node[e]);
      parent_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
  }
  for (Law& law : laws_) {
    law.Pi = 0;
    law.island = problem.row[law.block] < problem.row[law.block + 1] ? root(problem.node[problem.row[law.block]]) : -1;
  }
}

bool Nudge::solve(const contact::ContactProblem& problem) {
  find_islands(problem);
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    if (!is_violated(laws_[i])) continue;
    const int island = laws_[i].island;
    if (island < 0) return false;
    const auto same = [&](const Law& law) { return law.island == island && is_violated(law); };
    if (std::any_of(laws_.begin(), laws_.begin() + static_cast<std::ptrdiff_t>(i), same)) continue;  // done
    members_.clear();
    for (std::size_t k = 0; k < laws_.size(); ++k) {
      if (laws_[k].island == island) members_.push_back(k);
    }
    if (members_.size() > most || !solve_island(problem)) return false;
  }
  return true;
}

double Nudge::end_gap(std::size_t i) const {
  const std::size_t n = members_.size();
  double gap = laws_[members_[i]].gap;
  for (std::size_t k = 0; k < n; ++k) gap += G_[n * i + k] * laws_[members_[k]].Pi;
  return gap;
}

/// G of the members: their rows side by side over the nodes of the island, then all products.
void Nudge::write_out(const contact::ContactProblem& problem) {
  const std::size_t n = members_.size();
  nodes_.clear();
  for (const std::size_t member : members_) {
    const std::size_t block = laws_[member].block;
    for (int e = problem.row[block]; e < problem.row[block + 1]; ++e) {
      if (std::find(nodes_.begin(), nodes_.end(), problem.node[e]) == nodes_.end()) nodes_.push_back(problem.node[e]);
    }
  }
  const std::size_t width = (6 * nodes_.size() + 3) / 4 * 4;
  rows_.assign(n * width, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t block = laws_[members_[i]].block;
    for (int e = problem.row[block]; e < problem.row[block + 1]; ++e) {
      const auto at = std::find(nodes_.begin(), nodes_.end(), problem.node[e]) - nodes_.begin();
      std::copy_n(problem.J[e].data(), 6, rows_.begin() + static_cast<std::ptrdiff_t>(width * i) + 6 * at);
    }
  }
  G_.resize(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      const double *a = rows_.data() + width * i, *b = rows_.data() + width * k;
      double sum[4] = {0, 0, 0, 0};
      for (std::size_t c = 0; c < width; c += 4) {
        for (std::size_t l = 0; l < 4; ++l) sum[l] += a[c + l] * b[c + l];
      }
      G_[n * i + k] = G_[n * k + i] = (sum[0] + sum[2]) + (sum[1] + sum[3]);
    }
  }
}

bool Nudge::solve_island(const contact::ContactProblem& problem) {
  const std::size_t n = members_.size();
  write_out(problem);
  active_.resize(n);
  for (std::size_t i = 0; i < n; ++i) active_[i] = laws_[members_[i]].held || laws_[members_[i]].gap < 0;
  for (std::size_t round = 0; round <= 2 * n; ++round) {
    solve_active();
    double largest = 0, worst = 0;
    std::size_t change = n;
    for (const std::size_t member : members_) largest = std::max(largest, std::abs(laws_[member].Pi));
    for (std::size_t i = 0; i < n; ++i) {  // first, what pulls and must not
      const Law& law = laws_[members_[i]];
      if (law.held || !active_[i] || !(law.Pi < worst)) continue;
      worst = law.Pi;
      change = i;
    }
    if (change < n && worst < -noise * largest) {
      active_[change] = 0;
      continue;
    }
    change = n;
    worst = agreement;
    for (std::size_t i = 0; i < n; ++i) {  // then, what is not where it is wanted
      const Law& law = laws_[members_[i]];
      const double off = wanted(law) - end_gap(i), amiss = (law.held ? std::abs(off) : off) / law.tolerance;
      if (!(amiss > worst)) continue;
      worst = amiss;
      change = i;
    }
    if (change == n) {
      for (const std::size_t member : members_) {
        double& Pi = laws_[member].Pi;
        if (std::abs(Pi) <= noise * largest || (!laws_[member].held && Pi < 0)) Pi = 0;
      }
      return true;
    }
    if (active_[change]) return false;  // others imply its row and want something else
    active_[change] = 1;
  }
  return false;
}

/// Π of the active ones by a Cholesky factor with pivots: U with UᵀU = G in their order, row by row.
void Nudge::solve_active() {
  const std::size_t n = members_.size();
  order_.clear();
  for (std::size_t i = 0; i < n; ++i) {
    laws_[members_[i]].Pi = 0;
    if (active_[i]) order_.push_back(i);
  }
  const std::size_t m = order_.size();
  factor_.resize(m * m);
  x_.resize(m);
  std::vector<double>& U = factor_;
  std::size_t rank = 0;
  double largest = 0;
  for (; rank < m; ++rank) {
    // The pivots that are left, G_kk − Σ U_rk², are kept on the diagonal.
    if (rank == 0) {
      for (std::size_t k = 0; k < m; ++k) x_[k] = G_[(n + 1) * order_[k]];
    }
    std::size_t pivot = rank;
    for (std::size_t k = rank + 1; k < m; ++k) {
      if (x_[k] > x_[pivot]) pivot = k;
    }
    if (rank == 0) largest = x_[pivot];
    if (!(x_[pivot] > dependent * largest)) break;
    if (pivot != rank) {
      std::swap(order_[rank], order_[pivot]);
      std::swap(x_[rank], x_[pivot]);
      for (std::size_t r = 0; r < rank; ++r) std::swap(U[m * r + rank], U[m * r + pivot]);
    }
    const double root = std::sqrt(x_[rank]);
    U[m * rank + rank] = root;
    for (std::size_t k = rank + 1; k < m; ++k) {
      double sum = G_[n * order_[rank] + order_[k]];
      for (std::size_t r = 0; r < rank; ++r) sum -= U[m * r + rank] * U[m * r + k];
      sum /= root;
      U[m * rank + k] = sum;
      x_[k] -= sum * sum;
    }
  }
  for (std::size_t k = 0; k < rank; ++k) {
    const Law& law = laws_[members_[order_[k]]];
    double sum = wanted(law) - law.gap;
    for (std::size_t r = 0; r < k; ++r) sum -= U[m * r + k] * x_[r];
    x_[k] = sum / U[m * k + k];
  }
  for (std::size_t k = rank; k-- > 0;) {
    for (std::size_t r = k + 1; r < rank; ++r) x_[k] -= U[m * k + r] * x_[r];
    x_[k] /= U[m * k + k];
    laws_[members_[order_[k]]].Pi = x_[k];
  }
}

}  // namespace vinculum::integrators
