// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Are the closed unilateral gaps of a state a fair description of C = { q : x_i(t, q) >= 0 }? Mangasarian–Fromovitz:
// some direction opens all of them at once. Where it fails the sum of their normals may miss a part of N_C(q), and
// neither λ nor the principles can be trusted (digest, test 24: q2 >= q1², q2 <= −q1²).
#pragma once

#include "vinculum/convex/region.hpp"
#include "vinculum/principles/instant.hpp"

namespace vinculum::principles {

/// Of the closed unilateral laws; with its witnesses. Without any the answer is a qualification that holds.
convex::Qualification check_qualification(const parts::Lagrangian& part, const Instant& instant,
                                          const ActiveSets& sets);

}  // namespace vinculum::principles
