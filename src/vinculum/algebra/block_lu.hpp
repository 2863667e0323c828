// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// LU of a sparse matrix of N × N blocks with symmetric pattern and unsymmetric values, no pivoting between blocks
// (inside a diagonal block there is). Meant for matrices whose diagonal blocks carry the elimination: I + Jᵀ S J in the
// space of bodies (N = 6), W + barrier or proximal term in the space of contacts (N = 3, 5). Rows of a block, and
// vectors node by node, are padded with zeros to `stride` doubles (block_kernels.hpp).
//
//   use:  analyse(graph);  clear_values();  add into block(i, j);  factor();  solve(b)
//
// Order and fill are worked out only when the graph differs from the last one; buffers grow and never shrink.
#pragma once

#include "vinculum/algebra/block_kernels.hpp"
#include "vinculum/algebra/ordering.hpp"

#include <limits>
#include <span>
#include <vector>

namespace vinculum::algebra {

template <int N>
class BasicBlockLU {
 public:
  static constexpr int stride = BlockKernels<N>::stride;

  /// Graph of n nodes: neighbours of i in adjacent[start[i] .. start[i + 1]), symmetric, without i. True when new.
  /// Gives up where a factorisation would take more than `most_flops`: then flops() is infinite and nothing below
  /// works.
  bool analyse(int n, std::span<const int> start, std::span<const int> adjacent,
               double most_flops = std::numeric_limits<double>::infinity());

  /// Multiplications and additions of one factorisation.
  double flops() const { return flops_; }
  /// Blocks stored: L, diagonal and U.
  std::size_t blocks() const { return static_cast<std::size_t>(row_.empty() ? 0 : row_.back()); }

  void clear_values();
  /// Index of the block at node row i, node column j; it must be in the graph or i = j. Stable until analyse() is true.
  int find(int i, int j) const;
  double* block(int index) { return value_.data() + kernels::size * static_cast<std::size_t>(index); }

  /// Replaces the values by their factors. False when a diagonal block is singular.
  bool factor();

  /// x ← A⁻¹ x, `stride` numbers per node.
  void solve(std::vector<double>& x);

 private:
  using kernels = BlockKernels<N>;
  bool find_fill(std::span<const int> start, std::span<const int> adjacent, double most_flops);
  void lay_out_rows();
  bool factor_row(int i);

  int n_ = 0;
  double flops_ = 0, most_flops_ = 0;
  std::vector<int> key_start_, key_adjacent_;  // the graph last analysed
  MinimumDegree ordering_;
  std::vector<int> order_, position_;  // k-th node to go, and back
  // Row i of the permuted matrix is stored as [L | D | U], columns ascending, blocks row_[i] .. row_[i + 1].
  std::vector<int> row_, diagonal_, column_;
  std::vector<int> parent_, child_, sibling_, mark_, slot_, slots_;
  std::vector<int> upper_start_, upper_;
  std::vector<char> alone_;  // rows that are their diagonal block: open contacts, still bodies
  std::vector<double> value_, x_;
};

using BlockLU = BasicBlockLU<6>;

}  // namespace vinculum::algebra
