// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/colouring.hpp"

#include <algorithm>
#include <bit>

namespace vinculum::solvers {

void Colouring::colour_by_nodes(const contact::ContactProblem& problem) {
  if (taken_.size() < problem.nodes) taken_.resize(problem.nodes);
  for (auto& bits : taken_) bits.clear();
  colour_.assign(problem.size(), 0);
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const std::span<const int> nodes(problem.node.data() + problem.row[i], problem.node.data() + problem.row[i + 1]);
    std::uint64_t free = 0;
    std::size_t word = 0;
    for (; free == 0; ++word) {
      free = ~std::uint64_t{0};
      for (int b : nodes) {
        if (word < taken_[static_cast<std::size_t>(b)].size()) free &= ~taken_[static_cast<std::size_t>(b)][word];
      }
    }
    --word;
    const int bit = std::countr_zero(free);
    colour_[i] = static_cast<int>(64 * word) + bit;
    for (int b : nodes) {
      auto& bits = taken_[static_cast<std::size_t>(b)];
      if (bits.size() <= word) bits.resize(word + 1, 0);
      bits[word] |= std::uint64_t{1} << bit;
    }
  }
  sort_into_classes();
}

void Colouring::colour_by_entries(std::span<const int> row, std::span<const int> column) {
  const std::size_t n = row.empty() ? 0 : row.size() - 1;
  if (into_.size() < n) into_.resize(n);
  for (auto& list : into_) list.clear();
  for (std::size_t i = 0; i < n; ++i) {
    for (int e = row[i]; e < row[i + 1]; ++e) into_[static_cast<std::size_t>(column[e])].push_back(static_cast<int>(i));
  }
  colour_.assign(n, -1);
  mark_.assign(n + 1, -1);  // class k is taken by a neighbour of mark_[k]
  for (std::size_t i = 0; i < n; ++i) {
    auto take = [&](int j) {
      const int k = colour_[static_cast<std::size_t>(j)];
      if (k >= 0) mark_[static_cast<std::size_t>(k)] = static_cast<int>(i);
    };
    for (int e = row[i]; e < row[i + 1]; ++e) take(column[e]);
    for (int j : into_[i]) take(j);
    std::size_t k = 0;
    while (mark_[k] == static_cast<int>(i)) ++k;
    colour_[i] = static_cast<int>(k);
  }
  sort_into_classes();
}

void Colouring::sort_into_classes() {
  const int classes = colour_.empty() ? 0 : *std::max_element(colour_.begin(), colour_.end()) + 1;
  start_.assign(static_cast<std::size_t>(classes) + 1, 0);
  for (int k : colour_) ++start_[static_cast<std::size_t>(k) + 1];
  for (int k = 0; k < classes; ++k) start_[static_cast<std::size_t>(k) + 1] += start_[static_cast<std::size_t>(k)];
  mark_.assign(start_.begin(), start_.end());
  order_.resize(colour_.size());
  for (std::size_t i = 0; i < colour_.size(); ++i) {
    order_[static_cast<std::size_t>(mark_[static_cast<std::size_t>(colour_[i])]++)] = static_cast<int>(i);
  }
}

}  // namespace vinculum::solvers
