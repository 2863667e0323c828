// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Gauss's principle with set-valued laws: the right accelerations of a state (t, q, u⁺).      Glocker (1998) (4.13)
//
//   a = argmin ½ aᵀ M a − (h + f)ᵀ a + Σ Ψ_i(W_iᵀ a + w_i),      Ψ_i the support function of S_i = ∂Φ_i(γ_i)
//
// The gap acceleration W_iᵀ a + w_i carries the curvature w_i = Ẇ_iᵀ u + ...; the printed (4.13) freezes the cone and
// drops it (digest, trap 1). Strictly convex, so a is unique; λ need not be. Dual, and what a third party checks
// without solving:
//
//   λ_i with −λ_i ∈ S_i,   M a = h + f + W λ,   gap = Σ Ψ_i(γ̇_i) + λ_i·γ̇_i = 0
#pragma once

#include "vinculum/principles/instant.hpp"
#include "vinculum/principles/small_problem.hpp"

namespace vinculum::principles {

/// How well (a, λ) proves itself. Each is zero for the exact answer.
struct Certificate {
  double balance = 0;      // |M a − h − f − W λ|
  double feasibility = 0;  // largest distance of −λ_i to S_i
  double domain = 0;       // largest distance of γ̇_i to the domain of Ψ_i
  double gap = 0;          // duality gap
};

struct Accelerations {
  VectorXd a;
  VectorXd lambda;        // per row of the laws; 0 in rows of open laws
  VectorXd f;             // W λ: unique, as a is
  double cost = 0;        // of (4.13); NaN where there is no such program
  bool convex = true;     // false: friction coupled to its normal force; an answer of the inclusion, no minimum
  MatrixXd undetermined;  // columns: directions in which λ may change without changing a
  ActiveSets sets;
  Certificate certificate;
  SmallReport report;
};

/// Solves the inclusion −λ_i ∈ ∂Ψ_i(γ̇_i) for all laws. Throws base::InputError if q is not in C (penetration), or u not
/// in its tangent cone (an impact is needed first).
Accelerations solve_accelerations(const parts::Lagrangian& part, const Instant& instant, const Tolerances& tolerances);

/// The same as a minimum: also refuses laws without potential (their load is itself unknown) by base::InputError.
Accelerations least_constraint(const parts::Lagrangian& part, const Instant& instant, const Tolerances& tolerances);
Accelerations least_constraint(const parts::Lagrangian& part, double t, const VectorXd& q, const VectorXd& u);

/// The certificate of any (a, λ), from the definitions alone.
Certificate certify(const parts::Lagrangian& part, const Instant& instant, const ActiveSets& sets, const VectorXd& a,
                    const VectorXd& lambda);

/// All left accelerations a⁻ with which the state (q, u⁻) can have been reached without an impact.
struct PastAccelerations {
  std::vector<VectorXd> a;
  bool unique = true;    // by theory (convex), not only by count
  bool complete = true;  // all were enumerated; false with sets that are not boxes: a search from many starts
};
PastAccelerations past_accelerations(const parts::Lagrangian& part, const Instant& instant,
                                     const Tolerances& tolerances);

/// F = M (u⁺ − u⁻), and how far a given impulse is from it.                                     (3.19)
struct ImpactBalance {
  VectorXd impulse;
  double residual = 0;
};
ImpactBalance impact_balance(const Instant& instant, const VectorXd& u_plus, const VectorXd& supplied);

}  // namespace vinculum::principles
