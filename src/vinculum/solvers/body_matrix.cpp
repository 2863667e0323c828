// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/body_matrix.hpp"

#include "vinculum/solvers/kernels.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::solvers {

void BodyMatrix::prepare(const ScaledProblem& scaled, double most_flops) {
  scaled_ = &scaled;
  factorisations = 0;
  alpha_ = 0;
  const ContactProblem& problem = *scaled.problem;
  const bool same_pattern = problem.row == key_row_ && problem.node == key_node_ && nodes_ == problem.nodes;
  if (same_pattern && (std::isfinite(flops()) || most_flops <= most_flops_)) return;
  nodes_ = problem.nodes;
  most_flops_ = most_flops;
  key_row_ = problem.row;
  key_node_ = problem.node;
  make_graph();
  lu_.analyse(static_cast<int>(problem.nodes), start_, adjacent_, most_flops * static_cast<double>(problem.size()));
  if (std::isfinite(flops())) find_slots();
}

// Neighbours of every node, ascending, each once: counting sort of the pairs, then one pass that drops repetitions.
void BodyMatrix::make_graph() {
  const ContactProblem& problem = *scaled_->problem;
  const std::size_t nodes = problem.nodes;
  fill_.assign(nodes + 1, 0);
  auto for_pairs = [&](auto&& use) {
    for (std::size_t i = 0; i < problem.size(); ++i) {
      for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
        for (int f = problem.row[i]; f < problem.row[i + 1]; ++f) {
          if (e != f) use(problem.node[e], problem.node[f]);
        }
      }
    }
  };
  for_pairs([&](int a, int) { ++fill_[a + 1]; });
  for (std::size_t a = 0; a < nodes; ++a) fill_[a + 1] += fill_[a];
  edge_.resize(static_cast<std::size_t>(fill_[nodes]));
  start_.assign(fill_.begin(), fill_.end());
  for_pairs([&](int a, int b) { edge_[fill_[a]++] = b; });
  adjacent_.clear();
  for (std::size_t a = 0; a < nodes; ++a) {
    const auto begin = edge_.begin() + start_[a], end = edge_.begin() + fill_[a];
    std::sort(begin, end);
    start_[a] = static_cast<int>(adjacent_.size());
    adjacent_.insert(adjacent_.end(), begin, std::unique(begin, end));
  }
  start_[nodes] = static_cast<int>(adjacent_.size());
}

void BodyMatrix::find_slots() {
  const ContactProblem& problem = *scaled_->problem;
  slot_start_.resize(problem.size());
  slot_.clear();
  int last_a = -1, last_b = -1, last = -1;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    slot_start_[i] = static_cast<int>(slot_.size());
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
      for (int f = problem.row[i]; f < problem.row[i + 1]; ++f) {
        const int a = problem.node[e], b = problem.node[f];
        if (a != last_a || b != last_b) last = lu_.find(a, b);
        last_a = a;
        last_b = b;
        slot_.push_back(last);
      }
    }
  }
  diagonal_.resize(problem.nodes);
  for (std::size_t a = 0; a < problem.nodes; ++a) {
    diagonal_[a] = lu_.find(static_cast<int>(a), static_cast<int>(a));
  }
}

// block(a, b) += J_aᵀ S J_b for all nodes a, b of the contact.
void BodyMatrix::add_block(std::size_t i, const laws::Mat3& S) {
  const int begin = scaled_->begin(i), end = scaled_->end(i), count = end - begin;
  for (int f = begin; f < end; ++f) {
    const Pair* J = reinterpret_cast<const Pair*>(scaled_->J_entry(f));
    Pair T[9];  // S J_b
    for (int r = 0; r < 3; ++r) {
      const double s0 = S(r, 0), s1 = S(r, 1), s2 = S(r, 2);
      for (int k = 0; k < 3; ++k) {
        T[3 * r + k] = Pair{s0, s0} * J[k] + Pair{s1, s1} * J[3 + k] + Pair{s2, s2} * J[6 + k];
      }
    }
    for (int e = begin; e < end; ++e) {
      const double* Ja = scaled_->J_entry(e);
      Pair* to = reinterpret_cast<Pair*>(lu_.block(slot_[slot_start_[i] + (e - begin) * count + (f - begin)]));
      for (int r = 0; r < 6; ++r) {
        const double j0 = Ja[r], j1 = Ja[6 + r], j2 = Ja[12 + r];
        for (int k = 0; k < 3; ++k) {
          to[3 * r + k] += Pair{j0, j0} * T[k] + Pair{j1, j1} * T[3 + k] + Pair{j2, j2} * T[6 + k];
        }
      }
    }
  }
}

bool BodyMatrix::factor(const std::vector<laws::Mat3>& D, double alpha) {
  if (alpha == alpha_ && D == D_) return true;
  D_ = D;
  alpha_ = 0;
  lu_.clear_values();
  for (int index : diagonal_) {
    double* block = lu_.block(index);
    for (int k = 0; k < 6; ++k) block[7 * k] = 1;
  }
  for (std::size_t i = 0; i < D.size(); ++i) {
    if (D[i].isZero(0)) continue;
    add_block(i, D[i] / alpha);
  }
  ++factorisations;
  if (!lu_.factor()) return false;
  alpha_ = alpha;
  return true;
}

}  // namespace vinculum::solvers
