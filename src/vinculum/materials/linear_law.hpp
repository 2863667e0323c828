// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Linear isotropic law of a continuum in n dimensions, U = Z (solids) or Ż (fluids):       Cheremensky (38), Theorem 4
//
//   T = −r₀ I + r₁ tr(U) I + r₂ sym U + r₃ ant U
//   U =  n₀ I + n₁ tr(T) I + n₂ sym T + n₃ ant T      iff (n r₁ + r₂) r₂ r₃ ≠ 0
//   n₀ = r₀/(n r₁ + r₂),  n₁ = −r₁/(r₂ (n r₁ + r₂)),  n₂ = 1/r₂,  n₃ = 1/r₃
//   E = 1/(n₁ + n₂) = r₂ (n r₁ + r₂)/((n − 1) r₁ + r₂),   ν = r₁/((n − 1) r₁ + r₂),   μ = r₂/2,   E = 2 μ (1 + ν)
//
// r₃ = 0, r₁ = λ, r₂ = 2μ is Hooke's law, or that of a Newtonian fluid. Power T : U̇ is nonnegative for all U̇ iff
// n r₁ + r₂, r₂, r₃ >= 0.
#pragma once

#include <Eigen/Core>
#include <string_view>

namespace vinculum::materials {

struct LinearLaw {
  int n = 3;  // dimension, 2 or 3
  double r_0 = 0, r_1 = 0, r_2 = 0, r_3 = 0;
};

/// T of an n × n U.
Eigen::MatrixXd stress(const LinearLaw& law, const Eigen::MatrixXd& U);

/// The law of U in T: its r_0 is −n₀, so that `stress` evaluates it. base::InputError where there is none.
LinearLaw inverse(const LinearLaw& law);

struct Moduli {
  double E = 0, nu = 0, mu = 0;
};
/// base::InputError where there are none: (n − 1) r₁ + r₂ = 0.
Moduli moduli(const LinearLaw& law);

/// Throws base::InputError for numbers that are no law of a material: not finite, energy from nothing, or a fluid
/// without viscosity whose pressure no equation of state gives.
void check_law(const LinearLaw& law, std::string_view path, bool has_equation_of_state);

}  // namespace vinculum::materials
