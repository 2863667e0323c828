// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Siconos' solvers of friction-contact problems, each call in a process of its own with a limit of CPU time: some of
// them print, end the program or never end.
#pragma once

#include "vinculum/contact/explicit_problem.hpp"

#include <string>
#include <vector>

namespace vinculum::bench {

struct SiconosSolver {
  const char* name;
  int id;
  int dimension;  // of the problems it takes
  bool blocks;    // wants the matrix as sparse blocks
  int most_iterations;
};

/// Empty where Siconos is not installed.
std::vector<SiconosSolver> siconos_solvers();

struct PeerAnswer {
  bool returned = false;  // within the limit
  double cpu_s = 0;       // best of a few runs from zero
  std::vector<double> r;
};

/// `tol` is relative to |q|, as Siconos measures.
PeerAnswer run_siconos(const SiconosSolver& solver, const contact::ExplicitProblem& problem, double tol,
                       double limit_s);

}  // namespace vinculum::bench
