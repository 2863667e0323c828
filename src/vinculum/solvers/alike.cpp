// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/alike.hpp"

#include "vinculum/solvers/dense_newton.hpp"

#include <algorithm>

namespace vinculum::solvers {

static_assert(Alike::most == DenseNewtons::lanes);

namespace {

constexpr double kEdge = 0.999;  // of the friction that there can be: more is taken for slip

enum Doing : int { lets_go, holds, slips, doings };

Doing doing(const contact::ContactProblem& problem, std::size_t i, const contact::Vec3& Lambda) {
  if (problem.law[i] == laws::Kind::unilateral) return Lambda[0] > 0 ? holds : lets_go;
  if (problem.law[i] != laws::Kind::coulomb) return holds;
  const double edge = kEdge * problem.mu[i] * Lambda[0];
  return !(Lambda[0] > 0) ? lets_go : Lambda[1] * Lambda[1] + Lambda[2] * Lambda[2] < edge * edge ? holds : slips;
}

}  // namespace

/// True where blocks do other things than those of the last problem.
bool Alike::look(const contact::ContactProblem& problem, const std::vector<contact::Vec3>& start) {
  bool others = doing_.size() != problem.size();
  doing_.resize(problem.size());
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const int now = doings * static_cast<int>(problem.law[i]) + doing(problem, i, start[i]);
    others = others || now != doing_[i];
    doing_[i] = now;
  }
  return others;
}

void Alike::begin() {
  rows_count_ = false;
  words_.clear();
  described_.clear();
  island_.clear();
  batches_.clear();
}

void Alike::describe(const contact::ContactProblem& problem, const Islands& islands, std::size_t island, int kind) {
  const std::size_t begin = words_.size();
  words_.push_back(kind);
  const std::span<const int> local = islands.local();
  words_.push_back(static_cast<int>(islands.nodes(island)));
  for (const int i : islands.blocks(island)) {
    const bool bond = problem.law[i] == laws::Kind::bilateral, one_row = bond && has_one_row(problem, i);
    rows_count_ = rows_count_ || bond;
    words_.push_back(2 * doing_[i] + one_row);
    words_.push_back(problem.row[i + 1] - problem.row[i]);
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) words_.push_back(local[problem.node[e]]);
  }
  std::uint64_t hash = 1469598103934665603u;  // FNV
  for (std::size_t k = begin; k < words_.size(); ++k) {
    hash = (hash ^ static_cast<std::uint64_t>(words_[k])) * 1099511628211u;
  }
  described_.push_back({hash, static_cast<int>(island), begin, words_.size()});
}

/// Runs of equal descriptions. Two that differ and have the same hash are so rare that the second is left out.
void Alike::sort() {
  std::sort(described_.begin(), described_.end(), [](const Described& a, const Described& b) {
    return a.hash != b.hash ? a.hash < b.hash : a.island < b.island;
  });
  for (std::size_t k = 0; k < described_.size();) {
    const Described& first = described_[k];
    std::size_t begin = island_.size();
    for (; k < described_.size() && described_[k].hash == first.hash; ++k) {
      const Described& own = described_[k];
      if (std::equal(words_.begin() + static_cast<std::ptrdiff_t>(own.begin),
                     words_.begin() + static_cast<std::ptrdiff_t>(own.end),
                     words_.begin() + static_cast<std::ptrdiff_t>(first.begin),
                     words_.begin() + static_cast<std::ptrdiff_t>(first.end))) {
        island_.push_back(own.island);
      }
    }
    for (; island_.size() - begin >= fewest; begin += batches_.back().count) {
      batches_.push_back({begin, std::min(most, island_.size() - begin)});
    }
  }
}

}  // namespace vinculum::solvers
