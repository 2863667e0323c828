// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A proof that a problem has no solution. Let y carry normals only, y_i = λ_i n with λ_i ≥ 0, and any numbers on rows
// of bonds. A solution has u_N ≥ 0 at contacts and 0 at bonds, hence yᵀu ≥ 0. But for every admissible r
//   yᵀu = yᵀ(W r + q) ≤ qᵀy + |P_K(Wᵀy)| |r|,
// because the largest vᵀr over r ∈ K, |r| ≤ 1 is |P_K(v)|. So every solution has
//   |r| ≥ −qᵀy / |P_K(Wᵀy)|,
// and none exists where qᵀy < 0 and −Wᵀy ∈ K*  (Farkas). In rounded numbers the quotient stays finite; on unit-free
// variables (residual.cpp) it says how many times the free velocity an impulse would have to be.
// Friction does not enter y: with tangents in y one proves only that the convex relaxation Wᵀv + q ∈ K* is empty, and
// Coulomb's law may have a solution all the same, one that slips.
#pragma once

#include "vinculum/contact/explicit_problem.hpp"
#include "vinculum/contact/problem.hpp"

#include <span>
#include <vector>

namespace vinculum::contact {

/// Impulses beyond this many times the free velocity, both unit-free, are no solution: mass ratios of 1e6 ask for 1e7.
inline constexpr double unreachable = 1e10;

/// Lower bound of |r'|/|q'| for every solution that follows from y; 0 where y proves nothing (a wrong sign, a tangent,
/// qᵀy ≥ 0), infinite for a proof without rounding. No code of the solvers.
double check_witness(const ExplicitProblem& problem, std::span<const double> y);
double check_witness(const ContactProblem& problem, const std::vector<Vec3>& y);

}  // namespace vinculum::contact
