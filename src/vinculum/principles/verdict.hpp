// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Does an acceleration satisfy the principles at a state?                                      Glocker (1998), section
// 4
//
//   A  d'Alembert   −(M a − h − f) ∈ Σ W_i ∂V_i(x_i)      work          for all virtual displacements
//   J  Jourdain     −(M a − h − f) ∈ Σ W_i ∂Φ_i(γ_i)      power         for all virtual velocities
//   G  Gauss        −(M a − h − f) ∈ Σ W_i ∂Ψ_i(γ̇_i)     power/time    for all virtual accelerations
//   Z  least constraint: a minimises ½ aᵀ M a − (h + f)ᵀ a + Σ Ψ_i(γ̇_i)
//
// Residual of A, J, G: the distance of the left side from the set in the metric of M⁻¹, i.e. the most that the
// inequality is violated by a virtual p with pᵀ M p = 1; that p is the worst virtual direction. Residual of Z: cost(a)
// − least cost. At an instant G => J => A; the converse holds over intervals only, and not at all where the sets are
// not regular.
#pragma once

#include "vinculum/principles/least_constraint.hpp"

#include <string_view>

namespace vinculum::principles {

enum class Principle { dalembert, jourdain, gauss, least_constraint };
std::string_view name(Principle principle);  // A, J, G, Z
std::string_view unit(Principle principle);  // of the inequality's two sides

enum class Status { pass, fail, not_applicable, not_regular, impact_instant };
std::string_view to_string(Status status);

struct Verdict {
  Principle principle = Principle::dalembert;
  Status status = Status::not_applicable;
  bool holds = false;   // the inclusion itself, also where the status says that it proves nothing
  double residual = 0;  // +inf: a set is empty
  double tolerance = 0;
  double fenchel_gap =
      0;  // Σ Φ_i(γ_i) + λ_i·γ_i for J, Σ Ψ_i(γ̇_i) + λ_i·γ̇_i for G, with the λ that fit best at the level before
  VectorXd direction;  // worst virtual direction
  std::string why;     // a status other than pass
};

/// `relative` of the size of the forces is the tolerance.
Verdict check(Principle principle, const parts::Lagrangian& part, const Instant& instant, const VectorXd& a,
              const Tolerances& tolerances, double relative = 1e-9);

/// Can the system rest at q (u = 0)? Distance of f to Σ W_i ∂V_i(x_i); velocity laws give what they can at rest.
Verdict check_equilibrium(const parts::Lagrangian& part, double t, const VectorXd& q, double relative = 1e-9);
/// Can u stay as it is? Distance of h + f to Σ W_i ∂Φ_i(γ_i): a = 0 is then the right acceleration.
Verdict check_steady(const parts::Lagrangian& part, double t, const VectorXd& q, const VectorXd& u,
                     double relative = 1e-9);

/// (5.18) by sampling: along q_n = q + t_n u, t_n -> 0+, limsup V^(x_n; e) <= Φ^(γ; e) <= V^(x; e). True where both
/// hold.
bool check_equivalence(const potentials::Superpotential& law, const convex::Vec& x, const convex::Vec& u,
                       const convex::Vec& e);

}  // namespace vinculum::principles
