// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Newton's attraction of atoms, E3 corrected (it attracts).                    theory/cheremensky.md, section 1, Def 6
//   g(x) = γ Σ_y m_y (y − x)/|y − x|³,   x itself excluded
#pragma once

#include "vinculum/screw/inertia.hpp"

namespace vinculum::screw {

constexpr double gravitational_constant = 6.67430e-11;  // m³/(kg s²), CODATA 2018

/// Field at x. InputError if an atom with mass lies at x.
Vec3 attraction_field(std::span<const Atom> atoms, const Vec3& x, double gamma = gravitational_constant);

/// F(A, B): the wrench of B's attraction on A at the origin. Skew: F(A, B) = −F(B, A), force and moment.
Wrench attraction(std::span<const Atom> A, std::span<const Atom> B, double gamma = gravitational_constant);

}  // namespace vinculum::screw
