// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Nonsmooth Gauss-Seidel sweeps in body space: block after block, the exact answer of the block with all others held,
//   b_i = u_i − A_i r_i,   r_i ← solve_local(A_i, b_i),   z ← z + J_iᵀ Δr_i,     A_i = J_i J_iᵀ,  u = J z + c
// z is kept up to date, so that a block costs O(its nodes) whatever the number of neighbours.
// In index order, or class by class of blocks without common node, each class in parallel (colouring.hpp).
#pragma once

#include "vinculum/solvers/anderson.hpp"
#include "vinculum/solvers/colouring.hpp"
#include "vinculum/solvers/sweep_blocks.hpp"

#include <memory>

namespace vinculum::solvers {

class Sweeper {
 public:
  /// Diagonal blocks and their reductions. The scaled problem must outlive the sweeps. `slip_steps`: on the λ of a
  /// block that begins to slip, whose impulse is on its cone after any number of them.
  void prepare(const ScaledProblem& scaled, Order order = Order::index, int slip_steps = 100);

  /// Recomputes z from r, so that rounding does not accumulate.
  void start(const std::vector<Vec3>& r);

  /// One pass; returns |Δr|². The r that comes out is admissible, whatever went in.
  double sweep(std::vector<Vec3>& r);

  /// Replaces r, the result of a sweep from `before`, by an accelerated point, which need not be admissible; z follows.
  void accelerate(Anderson& anderson, const std::vector<Vec3>& before, std::vector<Vec3>& r);

 private:
  SweepBlocks blocks_;
  std::vector<double> z_;  // six a node
  Order order_ = Order::index;
  Colouring colouring_;
};

class Solver;
/// The solver of nsgs.cpp, in either order.
std::unique_ptr<Solver> make_gauss_seidel(Order order);

}  // namespace vinculum::solvers
