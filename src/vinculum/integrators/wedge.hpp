// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Wedged bodies: contacts that contradict each other.
//   Let s be a self-stress, s_i ∈ K_i and W s = 0: impulses that are admissible and move nothing. No impulse changes
//     Σ s_i·ξ_i = Σ s_i·o_i,    o = ξ − γ⁺ the offsets of the laws: gaps that are closed, turning, restitution
//   (Σ s·γ⁺ = 0). If all of them hold, ξ = 0, the sum on the right must vanish. Where it is negative they would have to
//   slip, and where s lies inside the cones, as between a floor and a wall at µ = 2, a search over all states found no
//   such slip (decisions/wedges.md): the discrete step asks for some 1e-8 m of room that is not there.
//   (Enough for a solution, and violated here: o + W^T v inside K* for some v; Acary, Cadoux, Lemaréchal and Malick,
//   Z. Angew. Math. Mech. 91, 2011.) Solvers then follow s without end, and errors relative to |Λ| fall to nothing.
// So contacts that run away along such an s ask for γ⁺ alone (Mode::wedged, ξ = γ⁺): o = 0 contradicts nobody, and gaps
// are left to the projection, as overlaps are. s is the witness: it goes into the record, and the auditor checks it.
#pragma once

#include "vinculum/contact/problem.hpp"

#include <vector>

namespace vinculum::integrators {

/// A self-stress among the first `contacts` blocks, as far as their impulses exceed the free velocity by four decades;
/// largest entry 1, zero for all others. False where there is none.
bool find_self_stress(const contact::ContactProblem& problem, const std::vector<contact::Vec3>& Lambda,
                      std::size_t contacts, std::vector<contact::Vec3>& s);

}  // namespace vinculum::integrators
