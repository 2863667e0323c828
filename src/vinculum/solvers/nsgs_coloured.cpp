// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Gauss-Seidel by colours: the sweeps of nsgs in a fixed order of classes of independent blocks (colouring.hpp), each
// class on all threads, with the same bits on any number of them. For problems of bodies blocks are independent when
// they share no body, in contact space when W does not couple them. Another order than index order, hence other
// iterates and another rate: cost to a tolerance can be more or less than that of nsgs on one thread.
#include "vinculum/solvers/explicit_sweep.hpp"
#include "vinculum/solvers/solver.hpp"
#include "vinculum/solvers/sweep.hpp"

namespace vinculum::solvers {

std::unique_ptr<Solver> make_nsgs_coloured() { return make_gauss_seidel(Order::coloured); }
std::unique_ptr<ExplicitSolver> make_explicit_nsgs_coloured() { return make_explicit_gauss_seidel(Order::coloured); }

}  // namespace vinculum::solvers
