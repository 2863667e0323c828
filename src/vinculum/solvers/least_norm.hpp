// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Hyperstatic problems: many impulses give one velocity. Of those that do with the velocity of a given solution r*,
//   min |r|²,   W r = W r*,   r_i ∈ C_i
//     C_i = {0} where u_N > 0,   the ray opposite to the slip where u_N = 0, u_T ≠ 0,   the cone K where u = 0,
//           the whole space for bonds
// is the one of least norm: every r in this set solves the same problem. A strongly convex program, solved by
// alternating directions (r in the affine space, z in the product of the C_i); dense, up to `most_numbers` unknowns.
#pragma once

#include "vinculum/solvers/solver.hpp"

namespace vinculum::solvers {

inline constexpr std::size_t most_numbers = 2000;

/// Replaces the impulse of a solved problem by that of least norm where the result is still solved; else leaves all as
/// it is. Sets report.minimum_norm when done. Not for rolling friction.
void minimise_norm(const contact::ExplicitProblem& problem, const Settings& settings, ExplicitSolution& solution);
void minimise_norm(const contact::ContactProblem& problem, const Settings& settings, Solution& solution);

}  // namespace vinculum::solvers
