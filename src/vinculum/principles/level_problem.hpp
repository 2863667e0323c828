// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// From laws and their sets at a state to the one problem: ξ = G Λ + c over the rows of the laws that have a choice.
// A law whose set is a single force has none: it becomes a load.
#pragma once

#include "vinculum/principles/instant.hpp"
#include "vinculum/principles/small_problem.hpp"

namespace vinculum::principles {

struct LevelProblem {
  SmallProblem problem;
  std::vector<int> rows;  // problem row -> row of the laws
  VectorXd given;         // λ of the laws without choice, over all rows
};

/// `minus_sets[i]` is the set of −λ_i of law i; null for coupled friction, which joins the block of its normal law.
/// `free` is the acceleration (or velocity) without any law; `offset` is added to Wᵀ v: the drift w.
LevelProblem make_level_problem(const parts::Lagrangian& part, const Instant& instant,
                                const std::vector<convex::SetPtr>& minus_sets, const VectorXd& free_force,
                                const VectorXd& offset, const Tolerances& tolerances);

/// A block for one set.
Block make_block(const convex::SetPtr& minus_set);

}  // namespace vinculum::principles
