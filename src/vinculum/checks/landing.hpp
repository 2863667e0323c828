// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What a landing adds to γ⁺_N. It aims at a closed gap at the end of the step, of surfaces that bend towards each other
// with their curvature; of those that bend away by β > 0 it leaves dt β/4. Once it is there, within dt β/2 and as slow
// as β, it takes the rest e = g − dt β/4 away by the factor √2 − 1 a step: γ at the next node is −2 (√2 − 1)² e/dt. Not
// of bodies that turn by more than a tenth of a radian in the step.
#pragma once

#include <algorithm>
#include <cmath>

namespace vinculum::checks {

struct Landing {
  bool arrived;
  double offset;

  Landing(double gap_node, double gap_mid, double gamma_node, double beta, double turn, double dt, double tau_v)
      : arrived(turn <= 0.1 && gap_node <= 0.5 * dt * beta && std::abs(gamma_node) <= tau_v + 2 * beta) {
    const double fall = std::sqrt(2.0) - 1;
    offset = arrived ? beta + 2 * fall * fall * (gap_node - 0.25 * dt * beta) / dt
                     : 2 * (gap_mid - std::min(gap_node, 0.0)) / dt + 0.5 * std::min(beta, 0.0);
  }
};

}  // namespace vinculum::checks
