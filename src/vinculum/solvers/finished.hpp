// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/solvers/solver.hpp"

namespace vinculum::solvers {

/// The solver, with what Settings::certify and Settings::minimum_norm ask for done after it.
std::unique_ptr<Solver> finish(std::unique_ptr<Solver> solver);
std::unique_ptr<ExplicitSolver> finish(std::unique_ptr<ExplicitSolver> solver);

}  // namespace vinculum::solvers
