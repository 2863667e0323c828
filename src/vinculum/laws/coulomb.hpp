// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The Coulomb block with everything that does not depend on the free velocity worked out beforehand, for loops that
// solve the same block many times. Equations: coulomb.cpp.
#pragma once

#include "vinculum/laws/law.hpp"

#include <cmath>

namespace vinculum::laws {

/// A = [A_NN A_NT; A_TN A_TT] reduced to its tangent Schur complement S = A_TT − A_TN A_NT / A_NN.
struct CoulombBlock {
  double A_NN = 0;
  double inverse_NN = 0;      // 1 / A_NN, or 0 where the block cannot move along its normal
  double A_NT[2] = {};        // row
  double g[2] = {};           // A_TN / A_NN
  double S[4] = {};           // row major
  double trace = 0, det = 0;  // of S
  double size = 0;            // trace of A_TT
  bool round = false;         // A = diag(A_NN, a, a) up to rounding: a contact of balls
  double inverse_TT = 0;      // 1/a of a round block
};

CoulombBlock make_coulomb_block(const Mat3& A);

/// Λ with ξ = A Λ + b under Coulomb's law. `slip` carries λ = |ξ_T| / |Λ_T| from one call to the next (0: unknown or
/// stick); it only speeds up the search. A known λ may be refined by fewer steps than it takes to settle: Λ then lies
/// on the cone with ξ_N = 0 all the same, and λ settles from call to call.
Vec3 solve_coulomb_block(const CoulombBlock& block, const Vec3& b, double mu, double& slip, int most_steps = 100);

/// The same for a round block, A = diag(A_N, A_T, A_T), where the normal decouples: Λ_T = −b_T/A_T, cut to the radius
/// μ Λ_N.
inline Vec3 solve_round_block(double inverse_N, double inverse_T, const Vec3& b, double mu) {
  if (b[0] >= 0) return Vec3::Zero();
  const double Lambda_N = -b[0] * inverse_N;
  const double t1 = -b[1] * inverse_T, t2 = -b[2] * inverse_T;
  const double square = t1 * t1 + t2 * t2, radius = mu * Lambda_N;
  if (square <= radius * radius) return {Lambda_N, t1, t2};
  const double cut = radius / std::sqrt(square);
  return {Lambda_N, cut * t1, cut * t2};
}

inline Vec3 solve_round_block(const CoulombBlock& block, const Vec3& b, double mu) {
  return solve_round_block(block.inverse_NN, block.inverse_TT, b, mu);
}

/// Projection onto the cone K_μ = { |x_T| ≤ μ x_N }.
inline Vec3 project_cone(const Vec3& x, double mu) {
  const double t2 = x[1] * x[1] + x[2] * x[2];
  if (x[0] >= 0 && t2 <= mu * mu * x[0] * x[0]) return x;
  const double s = std::sqrt(t2);
  if (mu * s <= -x[0]) return Vec3::Zero();
  const double n = (x[0] + mu * s) / (1 + mu * mu);
  const double f = mu * n / s;
  return {n, f * x[1], f * x[2]};
}

/// Λ − P_K(Λ − ξ − μ|ξ_T| n), with slip = |ξ_T|.
inline Vec3 coulomb_natural_map(const Vec3& xi, double slip, const Vec3& Lambda, double mu) {
  return Lambda - project_cone({Lambda[0] - xi[0] - mu * slip, Lambda[1] - xi[1], Lambda[2] - xi[2]}, mu);
}

}  // namespace vinculum::laws
