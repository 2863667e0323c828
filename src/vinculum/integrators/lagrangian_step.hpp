// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Moreau's midpoint step for a Lagrangian part. With mean velocity ū = (u_k + u_{k+1})/2:
//
//   q_m = q_k + dt/2 u_k                 t_m = t_k + dt/2
//   M(q_m) (u_{k+1} − u_k) = dt (h + f)(t_m, q_m, ū) + W(q_m) Λ        implicit in ū, by fixed point to round-off
//   q* = q_m + dt/2 u_{k+1},   q_{k+1} = q* + M⁻¹ W Π: unilateral gaps back to >= 0, bonds to 0, nothing else moved
//
// Symmetric in time, so that energy does not drift in smooth motion. What the laws ask of their rows:
// lagrangian_laws.hpp.
#pragma once

#include "vinculum/integrators/integrator.hpp"

namespace vinculum::integrators {

std::unique_ptr<Integrator> make_lagrangian_moreau(const system::System& system, const Settings& settings);

}  // namespace vinculum::integrators
