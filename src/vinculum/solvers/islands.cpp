// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/islands.hpp"

#include <algorithm>
#include <numeric>

namespace vinculum::solvers {

int Islands::root(int node) {
  while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
  return node;
}

bool Islands::find(const contact::ContactProblem& problem) {
  if (local_.size() == problem.nodes && rows_ == problem.row && touched_ == problem.node) return false;
  rows_ = problem.row;
  touched_ = problem.node;
  const std::size_t n = problem.size();
  parent_.resize(problem.nodes);
  std::iota(parent_.begin(), parent_.end(), 0);
  for (std::size_t i = 0; i < n; ++i) {
    for (int e = problem.row[i] + 1; e < problem.row[i + 1]; ++e) {
      const int a = root(problem.node[e - 1]), b = root(problem.node[e]);
      parent_[std::max(a, b)] = std::min(a, b);
    }
  }
  island_.assign(problem.nodes, -1);
  of_block_.resize(n);
  loose_.clear();
  start_.assign(1, 0);
  for (std::size_t i = 0; i < n; ++i) {
    if (problem.row[i] == problem.row[i + 1]) {
      of_block_[i] = -1;
      loose_.push_back(static_cast<int>(i));
      continue;
    }
    int& island = island_[root(problem.node[problem.row[i]])];
    if (island < 0) {
      island = static_cast<int>(start_.size()) - 1;
      start_.push_back(0);
    }
    of_block_[i] = island;
    ++start_[island + 1];
  }
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  block_.resize(n - loose_.size());
  nodes_.assign(start_.begin(), start_.end());
  for (std::size_t i = 0; i < n; ++i) {
    if (of_block_[i] >= 0) block_[nodes_[of_block_[i]]++] = static_cast<int>(i);
  }
  nodes_.assign(count(), 0);
  local_.resize(problem.nodes);
  for (std::size_t a = 0; a < problem.nodes; ++a) {
    const int island = island_[root(static_cast<int>(a))];
    if (island >= 0) local_[a] = nodes_[island]++;
  }
  return true;
}

void Islands::extract(const contact::ContactProblem& problem, std::size_t island, contact::ContactProblem& part) {
  part.clear();
  part.nodes = static_cast<std::size_t>(nodes_[island]);
  part.row.push_back(0);
  for (int i : blocks(island)) {
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
      part.node.push_back(local_[problem.node[e]]);
      part.J.push_back(problem.J[e]);
    }
    part.row.push_back(static_cast<int>(part.node.size()));
    part.c.push_back(problem.c[i]);
    part.law.push_back(problem.law[i]);
    part.mu.push_back(problem.mu[i]);
  }
}

}  // namespace vinculum::solvers
