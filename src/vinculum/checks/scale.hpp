// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The measure of a step's laws: unit-free impulses Λ' = Λ/d and velocities ξ' = d ξ, d = (tr G_ii / rows)^(-1/2), and
//   scale = max(|c'|, |Λ'|, |ξ'|) over all contacts of the step.
#pragma once

#include "vinculum/checks/replay.hpp"

namespace vinculum::checks {

double law_scale(const Replay& step);

}  // namespace vinculum::checks
