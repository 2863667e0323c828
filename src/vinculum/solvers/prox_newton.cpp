// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Placeholder while the method is being written: sweeps.
#include "vinculum/solvers/solver.hpp"

namespace vinculum::solvers {
std::unique_ptr<Solver> make_nsgs();
std::unique_ptr<Solver> make_prox_newton() { return make_nsgs(); }
}  // namespace vinculum::solvers
