// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Classes of blocks that do not touch each other, so that a sweep over one class gives the same bits in any order and
// on any number of threads. Greedy: every block in index order takes the first class none of its neighbours is in.
#pragma once

#include "vinculum/base/parallel.hpp"
#include "vinculum/contact/problem.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace vinculum::solvers {

enum class Order : std::uint8_t { index, coloured };

class Colouring {
 public:
  /// Neighbours share a node.
  void colour_by_nodes(const contact::ContactProblem& problem);
  /// Neighbours are coupled by an entry of the square sparse matrix, either way.
  void colour_by_entries(std::span<const int> row, std::span<const int> column);

  int classes() const { return static_cast<int>(start_.size()) - 1; }
  std::span<const int> members(int k) const {
    return {order_.data() + start_[static_cast<std::size_t>(k)],
            order_.data() + start_[static_cast<std::size_t>(k) + 1]};
  }

  /// update(members, change) writes change[k] of the k-th member; class after class, each class in parallel. Returns
  /// the sum of the changes in the order of the members.
  template <class Update>
  double sweep(Update&& update) {
    change_.resize(order_.size());
    for (int k = 0; k < classes(); ++k) {
      const std::span<const int> blocks = members(k);
      double* change = change_.data() + start_[static_cast<std::size_t>(k)];
      base::parallel_chunks(blocks.size(), kGrain, [&](std::size_t, std::size_t begin, std::size_t end) {
        update(blocks.subspan(begin, end - begin), change + begin);
      });
    }
    double sum = 0;
    for (double x : change_) sum += x;
    return sum;
  }

 private:
  static constexpr std::size_t kGrain = 64;  // some 5 µs of work

  void sort_into_classes();

  std::vector<int> order_, start_, colour_, mark_;
  std::vector<std::vector<std::uint64_t>> taken_;  // per node: bits of the classes at it
  std::vector<std::vector<int>> into_;             // per column: rows that read it
  std::vector<double> change_;
};

}  // namespace vinculum::solvers
