// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The energy ledger of a step. The work of a percussion Λ at q_m is Λ·(γ⁻ + γ⁺)/2, exactly, because both velocities are
// taken with the same mass matrix. Losses are booked where the law takes them; positive work of a contact that is not
// an impact is no law's doing and is booked to the scheme. (Newton's restitution with friction can itself give positive
// work: that is the law, and stays under impact.)
#pragma once

#include "vinculum/integrators/integrator.hpp"
#include "vinculum/integrators/modes.hpp"
#include "vinculum/motion/velocity.hpp"

namespace vinculum::integrators {

/// `gamma` is the mean of γ⁻ and γ⁺.
void book_contact(Mode mode, const Vec3& Lambda, const Vec3& gamma, Ledger& ledger);

/// The same for a law of the trees: limits, dry friction, bonds.
void book_tree_law(Mode mode, const Vec3& Lambda, const Vec3& gamma, Ledger& ledger);

/// Work of the applied forces over the step: dt h·(v_k + v_{k+1})/2 at q_m. Gravity is in the potential.
void book_forces(const system::System& system, double t, double dt, const system::Configuration& q_m,
                 const motion::Velocity& before, const motion::Velocity& after, Ledger& ledger);

/// Velocities below tau_v are zero to the accuracy of the solve, gaps below tau_g to that of a step with such a
/// velocity (and of round-off in the coordinates).
Thresholds thresholds(const system::System& system, const std::vector<double>& speeds, const system::Configuration& q,
                      double dt, double tol);

}  // namespace vinculum::integrators
