// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Islands that are alike: the same number of nodes, and the same laws on the same nodes, block by block, that do the
// same in the warm start (let go, hold, slip). Numbers may differ. Up to eight of them make a batch, which is solved
// side by side (dense_newton.hpp); two are as soon solved one by one. What an island's neighbours are in a batch does
// not change its answer; that they start alike makes it likely that they go the same way.
#pragma once

#include "vinculum/solvers/islands.hpp"

#include <cstdint>

namespace vinculum::solvers {

class Alike {
 public:
  static constexpr std::size_t most = 8, fewest = 3;  // of a batch

  /// Among the islands of each kind k ≥ 0 by themselves; of `kind` < 0 none. It must not depend on numbers. `others`:
  /// they are not those of the last problem.
  template <class Kind>
  void find(const contact::ContactProblem& problem, const std::vector<contact::Vec3>& start, const Islands& islands,
            bool others, Kind&& kind) {
    if (!look(problem, start) && !others && !rows_count_) return;
    begin();
    if (islands.count() < fewest) return;
    for (std::size_t k = 0; k < islands.count(); ++k) {
      if (const int own = kind(k); own >= 0) describe(problem, islands, k, own);
    }
    sort();
  }

  std::size_t count() const { return batches_.size(); }
  /// The islands of a batch, ascending.
  std::span<const int> batch(std::size_t k) const { return {island_.data() + batches_[k].first, batches_[k].count}; }

 private:
  struct Batch {
    std::size_t first, count;
  };
  struct Described {
    std::uint64_t hash;
    int island;
    std::size_t begin, end;  // in words_
  };

  bool look(const contact::ContactProblem& problem, const std::vector<contact::Vec3>& start);
  void begin();
  void describe(const contact::ContactProblem& problem, const Islands& islands, std::size_t island, int kind);
  void sort();

  std::vector<int> doing_;   // of each block its law and what it does
  bool rows_count_ = false;  // there are bonds, which may have one row or three
  std::vector<int> words_;   // what islands that are alike have in common
  std::vector<Described> described_;
  std::vector<int> island_;
  std::vector<Batch> batches_;
};

}  // namespace vinculum::solvers
