// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A Lagrangian part at one state (t, q, u): the numbers and the sets that the principles speak of.
//
//   M a = h + f + W λ,      γ̇ = Wᵀ a + w,      −λ_i ∈ ∂Ψ_i(γ̇_i) ⊂ ∂Φ_i(γ_i) ⊂ ∂V_i(x_i)       Glocker (1998) (6.2)
//
// Standing of a law: penetration, open, separating, impact, active (potentials::State). Of the laws that can be closed
// I0 are those with x on the edge, I1 ⊂ I0 those with γ on the edge too; only I1 enters the acceleration problem.
#pragma once

#include "vinculum/parts/lagrangian.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <vector>

namespace vinculum::principles {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using potentials::Tolerances;

struct Instant {
  double t = 0;
  VectorXd q, u;
  MatrixXd M;
  Eigen::LLT<MatrixXd> factor;  // of M
  VectorXd h, f;                // gyroscopic, applied
  VectorXd x, gamma, w;         // per row
  MatrixXd W;                   // n × rows

  VectorXd solve(const VectorXd& force) const { return factor.solve(force); }  // M⁻¹ force
};

/// Cholesky accepts matrices that are definite by round-off only; this does not.
bool is_definite(const Eigen::LLT<Eigen::MatrixXd>& factor, const Eigen::MatrixXd& M);

/// Throws base::InputError when q or u are not finite or M is not symmetric positive definite there.
Instant make_instant(const parts::Lagrangian& part, double t, const VectorXd& q, const VectorXd& u);

/// Where |x|, |γ|, |γ̇| count as zero: `relative` of the sizes that occur at this instant.
Tolerances tolerances_of(const Instant& instant, double relative = 1e-10);

struct ActiveSets {
  std::vector<potentials::Standing> standing;  // of every law
  std::vector<int> I0, I1;                     // laws
  Tolerances tolerances;
};

ActiveSets find_active_sets(const parts::Lagrangian& part, const Instant& instant, const Tolerances& tolerances);

/// The rows of a law out of a vector over all rows.
convex::Vec rows_of(const parts::RowLaw& law, const VectorXd& all);

}  // namespace vinculum::principles
