// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Looks for the proof of contact/certificate.hpp: y ≥ 0 (normals; bonds of either sign) with Wᵀ y = 0 and qᵀ y = −1, by
//   min |V y|² + (qᵀ y + 1)²,  y ≥ 0       V = Wᵀ, or Jᵀ where W = J Jᵀ
// (Lawson & Hanson 1974, nonnegative least squares: finite, dense, up to `most_columns`). It is zero exactly where
// there is a proof.
#pragma once

#include "vinculum/solvers/solver.hpp"

namespace vinculum::solvers {

inline constexpr std::size_t most_columns = 400;

/// Where there is a witness that contact::check_witness accepts: sets it and the status infeasible, returns true.
bool find_witness(const contact::ExplicitProblem& problem, ExplicitSolution& solution);
bool find_witness(const contact::ContactProblem& problem, Solution& solution);

}  // namespace vinculum::solvers
