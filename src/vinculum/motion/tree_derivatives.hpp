// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of inverse and forward dynamics in tangent coordinates: ∂/∂q_j means along integrate(q, s e_j) at s = 0,
// velocity coordinates held. External wrenches are held in the axes of their links.
//
//   ∂τ/∂q, ∂τ/∂v   of τ = RNEA(q, v, v̇);  ∂τ/∂v̇ = M
//   v̇ = ABA(q, v, τ):   ∂v̇/∂q = −M⁻¹ ∂τ/∂q,   ∂v̇/∂v = −M⁻¹ ∂τ/∂v,   ∂v̇/∂τ = M⁻¹
//
// Spatial vectors (linear, angular), world axes, at one point O per root (the position of the root's node), so that
// twists of one tree add without arms. With V, A the twist and spatial acceleration (gravity as −g at the world), λ the
// parent:
//   Ψ̇_j = V_λ × S_j,   Ψ̈_j = A_λ × S_j + V_λ × Ψ̇_j,   Ṡ_j = V_j × S_j
//   B = ½ [(V×*) Θ − Θ (V×) + (ΘV) ×̄*],     (F ×̄*) U = U ×* F;    sums over the subtree: Θ^C, B^C, F^C
// for j = i or an ancestor of i:
//   ∂τ_i/∂q_j = S_iᵀ (Θ_i^C Ψ̈_j + 2 B_i^C Ψ̇_j)
//   ∂τ_i/∂v_j = S_iᵀ (2 B_i^C S_j + Θ_i^C (Ψ̇_j + Ṡ_j))
// and for strict ancestors
//   ∂τ_j/∂q_i = S_jᵀ (2 B_i^C Ψ̇_i + Θ_i^C Ψ̈_i + F_i^C ×̄* S_i)
//   ∂τ_j/∂v_i = S_jᵀ (2 B_i^C S_i + Θ_i^C (Ψ̇_i + Ṡ_i))
// Source: Singh, Russell, Wensing, IEEE Robotics and Automation Letters 7 (2022), equations for multi-dof joints.
#pragma once

#include "vinculum/motion/tree.hpp"

namespace vinculum::motion {

/// Results and scratch; no allocation after the constructor.
struct TreeDerivatives {
  TreeDerivatives() = default;
  explicit TreeDerivatives(const Tree& tree);

  Eigen::MatrixXd dtau_dq, dtau_dv;    // nv × nv, of inverse dynamics
  Eigen::MatrixXd dvdot_dq, dvdot_dv;  // nv × nv, of forward dynamics

  // Scratch: per coordinate, per node.
  std::vector<Vec6> S, S_dot, Psi_dot, Psi_ddot;
  std::vector<Vec6> V, A, F;
  std::vector<Mat6> Theta, B;
  std::vector<Vec3> reference;
};

/// dtau_dq, dtau_dv at (q of place, v, v̇).
void differentiate_inverse(const Tree& tree, const double* v, const double* vdot, const Vec3& gravity,
                           std::span<const Wrench> external, const TreeWorkspace& ws, TreeDerivatives& out);

/// All four, at the v̇ that forward_dynamics gave for τ. Needs mass_matrix and factor before.
void differentiate_forward(const Tree& tree, const double* v, const double* vdot, const Vec3& gravity,
                           std::span<const Wrench> external, const TreeWorkspace& ws, TreeDerivatives& out);

}  // namespace vinculum::motion
