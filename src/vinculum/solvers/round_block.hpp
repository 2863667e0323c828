// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The Coulomb contact of balls, the bulk of every granular problem, in less memory. With the rows n, t₁, t₂
// = n × t₁ of the contact and the arm of a ball along n, both of its blocks of J are made of the same three vectors:
//   J_k = [ a_k R | b_k S R ],   R = (n; t₁; t₂),   S R = (0; t₂; −t₁),   A = J Jᵀ = diag(A_N, A_T, A_T)
// (S stands for n ×.) What a sweep reads of a contact is one record of 192 bytes instead of 500 in four arrays, half of
// the arithmetic goes, and large problems are bound by just that.
#pragma once

#include "vinculum/solvers/scaled.hpp"

namespace vinculum::solvers {

struct alignas(64) RoundBlock {
  double n[4] = {}, t1[4] = {}, t2[4] = {};  // the last of four is zero
  double c[3] = {};
  double a[2] = {}, b[2] = {};
  double inverse_N = 0, inverse_T = 0;
  double mu = 0;
  int node[2] = {-1, -1};  // the second is −1 for a contact with the world
};

/// True if block i, of Coulomb's law, is of this form up to rounding.
bool make_round_block(const ScaledProblem& scaled, std::size_t i, RoundBlock& block);

}  // namespace vinculum::solvers
