// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The measure of a step's laws: unit-free impulses Λ' = Λ/d and velocities ξ' = d ξ, d = (tr G_ii / rows)^(-1/2), and
//   scale = max(|c'|, |Λ'|, |ξ'|) over all contacts of the step,
// but no smaller than that tol times it is what rounding makes of the motion, 8 ε |M^½ v|, and of the gaps of contacts
// that land, 8 ε 2 d |x| / dt: in free fall joints that rub have neither velocity nor force, up to rounding, and the
// quotient of two of those is nothing to judge by.
#pragma once

#include "vinculum/checks/replay.hpp"

namespace vinculum::checks {

double law_scale(const Replay& step);

/// What a run promises is De Saxcé's map of the whole law (natural_map.cpp). Of a contact that slips with ξ_N = ε, or
/// with a friction that is too small by ε, that map is what of ε stands on the side of the cone, ε/√(1 + μ²): the
/// promise bounds each part of the law by √(1 + μ²) times the tolerance.
double side_of_cone(const ContactView& contact);

}  // namespace vinculum::checks
