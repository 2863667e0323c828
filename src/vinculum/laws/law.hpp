// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A set-valued force law on one block of at most three rows (N, T1, T2):
//
//   −ξ ∈ N_{C(Λ)}(Λ)      ξ local velocity (m/s), Λ impulse (N s), C(Λ) the admissible set
//
// Laws know sets, not solvers. What solvers need of a law is here; unused rows are zero on input and output.
#pragma once

#include "vinculum/algebra/types.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace vinculum::laws {

using algebra::Mat3;
using algebra::Vec3;

/// One enumerator per line of registry.inc, in its order.
enum class Kind : std::uint8_t {
#define LAW(name, text) name,
#include "vinculum/laws/registry.inc"
#undef LAW
};

class ForceLaw {
 public:
  virtual ~ForceLaw() = default;

  virtual int rows() const = 0;  // 1, 2 or 3

  /// Whether C is a cone, and `mu` a pure number; else `mu` is a size of C and scales with Λ.
  virtual bool is_cone() const { return true; }

  /// PC(y): the Λ with law(ξ = Λ − y, Λ), the exact answer for an isotropic block. For every ρ > 0:
  ///   law(ξ, Λ)  <=>  Λ = PC(Λ − ρ ξ).
  virtual Vec3 project(const Vec3& y, double mu) const = 0;

  /// An element of the generalised Jacobian of project at y (not symmetric where the law is not associated).
  virtual Mat3 project_derivative(const Vec3& y, double mu) const = 0;

  /// Projection of x onto C(Λ) with the load held at Λ: firmly nonexpansive.
  virtual Vec3 project_set(const Vec3& x, const Vec3& Lambda, double mu) const = 0;

  /// Support function of C(Λ) at d: sup { d·x : x ∈ C(Λ) }, +inf where unbounded. Λ·(−ξ) = support(−ξ, Λ) iff the law
  /// holds.
  virtual double support(const Vec3& d, const Vec3& Lambda, double mu) const = 0;

  /// The block problem, exactly: Λ with ξ = A Λ + b and law(ξ, Λ). A need not be symmetric. `guess` is the last Λ.
  virtual Vec3 solve_local(const Mat3& A, const Vec3& b, double mu, const Vec3& guess) const = 0;

  /// Natural map: zero iff the law holds. For friction the FCLIB form  Λ − P_K(Λ − ξ − μ|ξ_T| n).
  virtual Vec3 natural_map(const Vec3& xi, const Vec3& Lambda, double mu) const = 0;
};

struct LawType {
  std::string_view name;
  std::string_view text;
  const ForceLaw* law;
};

/// All registered laws, in registry order (index = Kind).
std::span<const LawType> law_types();
const ForceLaw& law_of(Kind kind);

}  // namespace vinculum::laws
