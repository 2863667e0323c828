// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A small lift by what the step has already: its rows at q_m, J = Wᵀ L⁻¹, and its metric, M̂ = LᵀL. With normal rows
// j_i and gaps g_i at the end of the step,
//
//   0 <= g_i + Σ_k (j_i·j_k) Π_k  ⊥  Π_i >= 0
//   of those that are held: = max(g_i, 0), Π_i of any sign
//   δq = M̂(q_m)⁻¹ W(q_m) Π = L⁻¹ Jᵀ Π
//
// instead of M, its factor and the rows at q*. The rows turn by O(dt |v|) from q_m to q*, so that this part of the
// violation is left, and the square of what is moved: of a violation of 1e-5 of the bodies nothing that is seen. Larger
// ones, and what this leaves, are for the projection (projection.hpp).
//
// Laws that share no coordinates are taken apart; those without a violation stay as they are. Rows that others imply
// (four corners of one foot) are left out by the pivots of the factor, and must agree; which of the one-sided laws push
// is found by taking them in or out one by one.
#pragma once

#include "vinculum/contact/problem.hpp"

#include <cstddef>
#include <vector>

namespace vinculum::integrators {

class Nudge {
 public:
  /// A normal row of the step's problem.
  struct Law {
    std::size_t block;  // of the problem: its first row
    double gap, tolerance;
    bool held;
    double Pi;
    int island;
  };

  void clear() { laws_.clear(); }
  void add(std::size_t block, double gap, double tolerance, bool held) {
    laws_.push_back({block, gap, tolerance, held, 0.0, 0});
  }
  /// In the order in which they were added; Π after `solve`.
  const std::vector<Law>& laws() const { return laws_; }
  /// False where the laws contradict one another, or are too many.
  bool solve(const contact::ContactProblem& problem);

 private:
  void find_islands(const contact::ContactProblem& problem);
  int root(int node);
  void write_out(const contact::ContactProblem& problem);
  bool solve_island(const contact::ContactProblem& problem);
  void solve_active();
  double end_gap(std::size_t i) const;

  std::vector<Law> laws_;
  std::vector<int> parent_;           // of the nodes: islands
  std::vector<std::size_t> members_;  // of the island at hand
  std::vector<char> active_;          // of those: is to reach its end gap
  std::vector<int> nodes_;            // of the island
  std::vector<double> rows_, G_, factor_, x_;
  std::vector<std::size_t> order_;  // of the pivots
};

}  // namespace vinculum::integrators
