// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Which velocity law a closed contact obeys in a step, decided from the state at the node before it (q_k, p_k).
//
// Notation: g_k, γ_k gap and local velocity at q_k; g_m, γ⁻ those at q_m with p_k; γ⁺ at q_m with p_{k+1};
//   β = γ(q_e, p_k) − γ(q_m, p_k), q_e = Φ(dt/2; q_m, p_k): how the local velocity turns between midpoint and node for
//   a constant momentum. Each γ is taken in the contact's own frame at that configuration, so β holds the centripetal
//   part of a pivoting edge and the turning normal of a curved or moving surface.
//
//   impact   max(g_k, 0) + dt γ_kN < −dt τ and γ⁻_N < 0     ξ = (γ⁺_N + e_N γ⁻_N, γ⁺_T + e_T γ⁻_T)
//   held     else g_k <= τ_g and γ_kN <= τ                  ξ = (γ⁺_N + β_N, γ⁺_T + s β_T)
//   impact   else e_N = 1                                   as above, whatever the sign of γ⁻_N
//   landing  else                                           ξ = (γ⁺_N + 2 (g_m − min(g_k, 0))/dt + min(β_N, 0)/2,
//                                                                γ⁺_T + s β_T)
//     that has arrived                                      ξ = (γ⁺_N + β_N + σ (g_k/dt − β_N/4), γ⁺_T + s β_T)
//   bond                                                    ξ = γ⁺_N + β_N
//   wedged   one of several that contradict each other      ξ = γ⁺                                       wedge.hpp
//
// τ = τ_v + 2 |β_N|: on a curved or turning surface a held contact has γ_kN = O(dt²) at the node, below the turning of
// its normal in one step; it is no impact. Landing closes the gap at the end of the step, with its curvature where that
// brings the surface nearer; an overlap at the node is left to the projection. s = 1 if |γ_kT| <= |β_T| + τ_v (sticks
// at the node), else 0: a sliding contact must not be turned.
//
// A landing on surfaces that bend away from each other ends with the gap dt β_N/4, so that they land in every step.
// With e = g_k − dt β_N/4 the law above gives γ_{k+1,N} = γ⁺_N + β_N = −γ_kN − 2 e/dt: with e = 0 a velocity that
// changes its sign and keeps its size. A landing has arrived if g_k <= dt β_N/2, |γ_kN| <= τ, and neither body turns by
// more than most_spin in the step, for then β says nothing. It asks for γ_{k+1,N} = −σ e/dt, so that by
// e_{k+1} = e + dt/2 (γ_kN + γ_{k+1,N})
//   (e, dt γ_N)_{k+1} = [1 − σ/2, 1/2; −σ, 0] (e, dt γ_N)_k
// and both fall by λ = √2 − 1 in a step for σ = 6 − 4 √2, where the two roots are one. Contacts of one patch
// then agree on what they ask for: patch.hpp.
//
// What is perfectly elastic cannot land: landing absorbs. Newton's law keeps the gap without it: Λ > 0 means γ⁺_N =
// −γ⁻_N, no work whatever the sign, and the gap at the end is g_m + dt/2 γ⁺_N >= g_m − dt/2 γ⁻_N, which is g_k up to
// curvature. γ⁻_N >= 0 happens: a ball struck in this step, about to reach its neighbour.
//
// ‘held’ asks for γ = 0 at the node q_{k+1}, not at q_m: with γ⁺ = 0 a pivoting edge gains energy at order 1, a bead on
// a ring too; with β both are of order 2. For a bead sliding on a ring γ_N(q_k) = 0 makes γ⁺_N = −γ⁻_N: no work.
#pragma once

#include "vinculum/integrators/integrator.hpp"

namespace vinculum::integrators {

/// What the decision depends on.
struct NodeView {
  double gap_node = 0;  // g_k
  double gap_mid = 0;   // g_m
  Vec3 gamma_node;      // γ_k
  Vec3 gamma_minus;     // γ⁻
  Vec3 beta;            // β
  double turn = 0;      // of the body that turns faster, in the step, rad; rows without bodies: 0
};

/// Velocities below tau_v and gaps below tau_g count as zero: the accuracy of the previous solve.
struct Thresholds {
  double tau_v = 0;  // m/s
  double tau_g = 0;  // m
  double near = 0;   // m: a gap below it at the end of the step makes a contact active
};

Mode decide_mode(const NodeView& view, double dt, double e_N, const Thresholds& thresholds);

inline constexpr double most_spin = 0.1;  // rad

/// Whether a contact in landing is where landings end.
bool has_arrived(const NodeView& view, double dt, const Thresholds& thresholds);

/// s = 1.
bool sticks_at_node(const NodeView& view, const Thresholds& thresholds);

/// ξ − γ⁺ for the mode: what is added to γ⁺ to give the argument of the law.
Vec3 law_offset(const NodeView& view, Mode mode, double dt, double e_N, double e_T, const Thresholds& thresholds);

}  // namespace vinculum::integrators
