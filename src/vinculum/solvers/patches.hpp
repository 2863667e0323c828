// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact solves of small patches, for what sweeps leave behind. In a collapsing heap a few dozen contacts of thousands
// soon hold nine tenths of the error: bodies jammed so that a soft mode of some thirty contacts stays, and sweeps move
// it by a hundredth each. A patch is the contacts around one of them, nearest first through common bodies, the rest
// held:
//   u_i = J_i z + c'_i,   z = z_outside + Σ_{patch} J_jᵀ r_j,     law(u_i, r_i) for i in the patch
// a problem of the same kind, solved by Newton and if need be by the interior point for less than the price of one
// sweep over a large heap. Block Gauss-Seidel with blocks where the error is: what it costs depends on how many places
// are jammed, not on how large the heap is.
#pragma once

#include "vinculum/solvers/interior.hpp"
#include "vinculum/solvers/prox.hpp"

namespace vinculum::solvers {

class Patches {
 public:
  /// Which blocks meet at which node. The scaled problem must outlive the calls of improve.
  void prepare(const ScaledProblem& scaled);

  /// Solves patches around the blocks with the largest natural map, worst first, until those left outside are within
  /// `target` (scaled error of the whole) together. r changes in the patches only. `growth`: 1, or more for patches so
  /// many times as large, where small ones have not helped.
  struct Outcome {
    int patches = 0;
    int newton_steps = 0;
    int factorisations = 0;
  };
  Outcome improve(double target, int growth, std::vector<Vec3>& r);

 private:
  void rank(const std::vector<Vec3>& r);
  void grow(int seed);
  void extract(const std::vector<Vec3>& r);
  void solve_patch(double target, Outcome& outcome);
  void put_back(std::vector<Vec3>& r);

  const ScaledProblem* scaled_ = nullptr;
  std::vector<int> start_, fill_, block_at_;  // blocks of each node
  std::vector<double> z_, map_;
  std::vector<Vec3> u_;
  std::vector<int> order_;  // blocks by falling map
  double scale_ = 0;        // max(|c'|, |u|, |r|)
  std::vector<char> done_;
  std::vector<int> seen_, local_, nodes_, patch_;
  int stamp_ = 0;
  std::size_t most_blocks_ = 0;  // of a patch

  ContactProblem part_;
  ScaledProblem part_scaled_;
  BodyMatrix matrix_;
  ProxNewton newton_;
  InteriorPoint interior_;
  std::vector<Vec3> Lambda_, part_r_, trial_, part_u_;
  std::vector<double> part_z_;
};

}  // namespace vinculum::solvers
