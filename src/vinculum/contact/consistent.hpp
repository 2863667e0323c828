// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Redundant bonds ask for the same thing twice (a spatial linkage closed by a hinge, planar loops by balls). Rows that
// depend on each other can be met together only if their right-hand sides depend in the same way: b ∈ range(J). What a
// scheme adds to them (the turning of a frame over half a step, a gap of second order) does so up to its own error
// only; without this, impulses without bound would fight over the rest. The part of b in the range, J = Q R P with rank
// r:
//   b ← Q₁ Q₁ᵀ b,   Q₁ the first r columns of Q
#pragma once

#include "vinculum/contact/problem.hpp"

#include <span>

namespace vinculum::contact {

/// b: one vector for each of the blocks, which are bonds of the problem. Returns the number of redundant rows.
int make_consistent(const ContactProblem& problem, std::span<const int> blocks, std::span<const int> rows,
                    std::span<Vec3> b);

}  // namespace vinculum::contact
