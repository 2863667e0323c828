// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// An elimination order with little fill: minimum degree on the quotient graph, with approximate degrees, element
// absorption, mass elimination and merging of indistinguishable nodes (the ideas of Amestoy, Davis & Duff, SIAM J.
// Matrix Anal. Appl. 17, 1996). Deterministic: ties go to the node that entered its degree list last.
#pragma once

#include <span>
#include <vector>

namespace vinculum::algebra {

/// Owns its scratch memory, which only grows.
class MinimumDegree {
 public:
  /// The graph of n nodes: neighbours of i are adjacent[start[i] .. start[i + 1]), symmetric, without i itself.
  /// order[k] receives the node to be eliminated k-th.
  void order(int n, std::span<const int> start, std::span<const int> adjacent, std::vector<int>& order);

 private:
  void set_up(std::span<const int> start, std::span<const int> adjacent);
  void insert(int i);
  void remove(int i);
  int next_pivot();
  void gather(int p);
  void count_outside(int p);
  void update_degree(int p, int i);
  void merge_twins(int p);
  bool same_neighbours(int i, int j);
  void absorb(int into, int i);
  void raise_mark();

  int n_ = 0, left_ = 0, lowest_ = 0, mark_ = 0;
  // A list in pool_: the first elements_[i] entries are elements, the rest nodes. For an element: its nodes.
  std::vector<int> pool_, begin_, length_, elements_;
  std::vector<int> weight_;  // nodes merged into this one; 0: gone; negative while in the current element
  std::vector<int> degree_;  // of a live node; of an element: weight of its nodes
  std::vector<char> alive_;  // as an element
  std::vector<int> head_, next_, previous_;  // lists of nodes by degree
  std::vector<int> work_;                    // marks; for elements |L_e \ L_p| + mark
  std::vector<int> bucket_, bucket_next_, hash_;
  std::vector<int> member_next_, member_last_;  // nodes merged into i, in order
};

}  // namespace vinculum::algebra
