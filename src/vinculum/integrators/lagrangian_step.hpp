// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Moreau's midpoint step for a Lagrangian part. With mean velocity ū = (u_k + u_{k+1})/2:
//
//   q_m = q_k + dt/2 u_k                 t_m = t_k + dt/2
//   M(q_m) (u_{k+1} − u_k) = dt (h + f)(t_m, q_m, ū) + W(q_m) Λ        implicit in ū, by fixed point to round-off
//   q* = q_m + dt/2 u_{k+1},   q_{k+1} = q* + M⁻¹ W Π: unilateral gaps back to >= 0, bonds to 0, nothing else moved
//
// Symmetric in time, so that energy does not drift in smooth motion. What a law asks of its rows in the step,
// γ⁺ = γ(t_m, q_m, u_{k+1}), Λ an impulse:
//
//   unilateral gap       impact, held, landing: modes.hpp, with Newton's e                       0 <= ξ ⊥ Λ >= 0
//   bond (gap or rate)   ξ = γ⁺ + β = 0: the row turned to the node at the end of the step
//   force of a gap       −Λ/dt = V'(x_m); where V has a kink x° that the row can reach in this step,
//                        −Λ/dt ∈ [V'(x°−), V'(x°+)]: it may stay there, with ξ = γ⁺ + β if it rests at x° already,
//                        ξ = γ⁺ + (x_m − x°)/dt + ¾ β if it arrives: the next middle is x°, where it then rests after
//                        two steps. (To ask for the next node, 2 (x_m − x°)/dt, would turn γ round for ever.)
//   dry friction         −ξ ∈ N_{dt C}(Λ), ξ = γ⁺ (+ β while it sticks); C = −∂Φ(0)
//   other velocity laws  −Λ/dt = ∇Φ(γ̄); with a kink at rest (Stribeck) |Λ| <= dt |∂Φ(γ⁺)| as for friction
#pragma once

#include "vinculum/integrators/integrator.hpp"
#include "vinculum/motion/flow.hpp"

namespace vinculum::integrators {

/// Kinetic and potential energy, potentials of the gap laws included.
motion::Energy energy(const parts::Lagrangian& part, const system::State& state);

std::unique_ptr<Integrator> make_lagrangian_moreau(const system::System& system, const Settings& settings);

}  // namespace vinculum::integrators
