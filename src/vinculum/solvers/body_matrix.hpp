// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// I + Jᵀ S J with one 3 × 3 block S_i per contact, six rows per node, and its factors. Two nodes are coupled when a
// block touches both; the symbolic work is kept while the pattern of the problem stays.
#pragma once

#include "vinculum/algebra/block_lu.hpp"
#include "vinculum/solvers/scaled.hpp"

#include <limits>

namespace vinculum::solvers {

class BodyMatrix {
 public:
  /// `most_flops` per block: beyond that no factor is made and flops() is infinite.
  void prepare(const ScaledProblem& scaled, double most_flops = std::numeric_limits<double>::infinity());
  double flops() const { return lu_.flops(); }

  /// Factors I + Jᵀ (D/α) J, or keeps the factors if D and α are those of the last call. False when singular.
  bool factor(const std::vector<laws::Mat3>& D, double alpha);

  /// x ← (I + Jᵀ (D/α) J)⁻¹ x.
  void solve(std::vector<double>& x) { lu_.solve(x); }

  int factorisations = 0;  // since the last prepare

 private:
  void make_graph();
  void find_slots();
  void add_block(std::size_t i, const laws::Mat3& S);

  const ScaledProblem* scaled_ = nullptr;
  algebra::BlockLU lu_;
  std::size_t nodes_ = 0;
  std::vector<int> key_row_, key_node_;
  std::vector<int> start_, adjacent_, edge_, fill_;
  std::vector<int> slot_start_, slot_;  // per block: its nodes² places in the matrix
  std::vector<int> diagonal_;
  std::vector<laws::Mat3> D_;  // of the factors at hand
  double most_flops_ = 0;
  double alpha_ = 0;  // 0: no factors
};

}  // namespace vinculum::solvers
