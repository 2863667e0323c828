// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What the portfolio leaves unsolved is written out in contact space and solved from nothing: other equations (Alart
// and Curnier's on W itself), another start, and paths that may turn back. Of the steps of 18 random heaps and struck
// towers that the portfolio left at 1e-8 to 5e-6 this solves most (decisions/heaps.md).
//
// It is the only stage that allocates, and bounded by a count: it does not depend on what other steps did or took.
#pragma once

#include "vinculum/solvers/solver.hpp"

#include <memory>

namespace vinculum::solvers {

class LastResort {
 public:
  /// From a solution that is not good enough; it is replaced by a better one only.
  void improve(const contact::ContactProblem& problem, const Settings& settings, Solution& solution);

 private:
  std::unique_ptr<Solver> solver_;  // made when first needed
  Solution other_;
};

}  // namespace vinculum::solvers
