// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The Coulomb block with everything that does not depend on the free velocity worked out beforehand, for loops that
// solve the same block many times. Equations: coulomb.cpp.
#pragma once

#include "vinculum/laws/law.hpp"

namespace vinculum::laws {

/// A = [A_NN A_NT; A_TN A_TT] reduced to its tangent Schur complement S = A_TT − A_TN A_NT / A_NN.
struct CoulombBlock {
  double A_NN = 0;
  double inverse_NN = 0;      // 1 / A_NN, or 0 where the block cannot move along its normal
  double A_NT[2] = {};        // row
  double g[2] = {};           // A_TN / A_NN
  double S[4] = {};           // row major
  double trace = 0, det = 0;  // of S
};

CoulombBlock make_coulomb_block(const Mat3& A);

/// Λ with ξ = A Λ + b under Coulomb's law. `slip` carries λ = |ξ_T| / |Λ_T| from one call to the next (0: unknown or
/// stick); it only speeds up the search.
Vec3 solve_coulomb_block(const CoulombBlock& block, const Vec3& b, double mu, double& slip);

/// Projection onto the cone K_μ = { |x_T| ≤ μ x_N }.
Vec3 project_cone(const Vec3& x, double mu);

}  // namespace vinculum::laws
