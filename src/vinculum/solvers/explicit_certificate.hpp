// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// When a problem has no solution. For y ≥ 0 on the normals (no tangents), z = Wᵀ y and any r ∈ K, u = W r + q:
//   Σ y_i u_Ni = yᵀ q + Σ_j z_j·r_j ≤ yᵀ q + ε Σ_j r_Nj,      ε = max_j (z_Nj + Σ_g μ_g |z_gj|)
// A solution needs u_N ≥ 0, so that with yᵀ q < 0 and ε ≤ 0 there is none. Computed in floating point ε is rounding:
// what is shown is that Σ r_N ≥ −yᵀ q / ε in any solution, which we call none from 1e10 |q'| on (r in unit-free
// variables). Candidates for y come from impulses that grow without end: their direction is the direction of
// contradiction.
#pragma once

#include "vinculum/solvers/explicit_space.hpp"

namespace vinculum::solvers {

/// Least Σ r_N of any solution in units of |q'| that the direction of r proves; 0 where it proves nothing.
template <int Rows>
double least_impulse(const ContactSpace<Rows>& space, const std::vector<double>& r);

/// That direction, normals only: the witness that contact::check_witness checks.
template <int Rows>
void witness_along(const std::vector<double>& r, std::vector<double>& y);

inline constexpr double kNoSolution = 1e10;

}  // namespace vinculum::solvers
