// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Connected components of a problem: blocks that share a node, directly or through others, belong together. Blocks that
// touch no node belong to none.
#pragma once

#include "vinculum/contact/problem.hpp"

#include <span>
#include <vector>

namespace vinculum::solvers {

class Islands {
 public:
  /// Numbered by their first block. False where blocks touch the same nodes as those of the last problem: then the
  /// islands are the same, too.
  bool find(const contact::ContactProblem& problem);

  std::size_t count() const { return start_.empty() ? 0 : start_.size() - 1; }
  /// Blocks of an island, ascending.
  std::span<const int> blocks(std::size_t island) const {
    return {block_.data() + start_[island], static_cast<std::size_t>(start_[island + 1] - start_[island])};
  }
  std::size_t nodes(std::size_t island) const { return static_cast<std::size_t>(nodes_[island]); }
  /// Of each node of the problem: its number inside its island.
  std::span<const int> local() const { return local_; }
  std::span<const int> loose_blocks() const { return loose_; }  // without nodes

  /// The island as a problem of its own; nodes are renumbered in their order.
  void extract(const contact::ContactProblem& problem, std::size_t island, contact::ContactProblem& part);

 private:
  int root(int node);

  std::vector<int> rows_, touched_;                   // what the problem was: row and node
  std::vector<int> parent_, island_, local_, nodes_;  // per node: union-find, island, number inside; nodes per island
  std::vector<int> start_, block_, loose_, of_block_;
};

}  // namespace vinculum::solvers
