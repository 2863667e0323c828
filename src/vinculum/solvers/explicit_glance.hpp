// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A first look at a problem in contact space, in the units given and without memory of its own:
//   for every contact in index order   b = q_i + Σ_{j≠i} W_ij r_j,   r_i ← the answer of (W_ii, b)
// Contacts that do not feel each other are solved by one such sweep, which the second confirms by moving nothing, those
// that hardly do by a few; setting up unit-free variables would take several times as long. The answer of a block needs
// no units.
#pragma once

#include "vinculum/contact/explicit_problem.hpp"

namespace vinculum::solvers {

struct Glance {
  int sweeps = 0;
  bool still = false;  // the last sweep moved r by less than `step` |r|: probably solved
};

/// Starts at r = 0 (as it must be given) and leaves its point there. Goes on beyond the second sweep while each moves r
/// by less than half of the one before. A block that has no answer ends it, with r = 0.
Glance glance(const contact::ExplicitProblem& problem, int most_sweeps, double step, std::vector<double>& r);

}  // namespace vinculum::solvers
