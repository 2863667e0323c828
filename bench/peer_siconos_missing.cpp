// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// In the place of peer_siconos.cpp where Siconos is not installed.
#include "peer_siconos.hpp"

namespace vinculum::bench {

std::vector<SiconosSolver> siconos_solvers() { return {}; }
PeerAnswer run_siconos(const SiconosSolver&, const contact::ExplicitProblem&, double, double) { return {}; }

}  // namespace vinculum::bench
