// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Free rigid bodies and particles: the part whose mass matrix is block diagonal, M_b = diag(m 1, R I Rᵀ), in structure
// of arrays. Whitening with I = C Cᵀ (body axes) gives M = L Lᵀ, L_b = diag(√m 1, R C): the contact problem is posed in
// coordinates z = Lᵀ v = L⁻¹ p, where the kinetic energy is |z|²/2.
#pragma once

#include "vinculum/algebra/types.hpp"
#include "vinculum/model/model.hpp"

#include <cstdint>
#include <vector>

namespace vinculum::parts {

using algebra::Mat3;
using algebra::Vec3;

/// Mass properties of all bodies, about their centres of mass in body axes. A particle has inertia 0 and inverse
/// inertia 0: it does not turn.
struct Bodies {
  std::vector<double> mass;
  std::vector<Mat3> inertia;            // I
  std::vector<Mat3> inertia_inverse;    // I⁻¹
  std::vector<Mat3> inertia_whitening;  // C⁻ᵀ, so I⁻¹ = C⁻ᵀ C⁻¹
  std::vector<std::uint8_t> isotropic;  // I = i 1: the spin is constant in the body too
  std::vector<double> size;             // radius of a ball about the centre of mass that holds all shapes, m
};

Bodies make_bodies(const model::Model& model);

}  // namespace vinculum::parts
