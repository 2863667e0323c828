// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// System, q, p -> motion between percussions.
//
// Free flight Φ(t; q, p) of a rigid body with constant momentum p = (m v, l), l the spin in world axes:
//   x₁ = x + t P/m
//   Π = Rᵀ l,  Π₁ − Π = t Π̄ × I⁻¹ Π̄,  Π̄ = (Π + Π₁)/2      (implicit midpoint for Euler's equations)
//   R₁ = R Cay(t I⁻¹ Π̄)
// Because Π₁ = Cay(·)ᵀ Π, R₁ Π₁ = R Π = l: the spin is kept identically and the kinetic energy to round-off
// (Π̄·(Π₁ − Π) = 0 makes Πᵀ I⁻¹ Π... constant: (Π₁ − Π)ᵀ I⁻¹ (Π₁ + Π) = 2t (Π̄ × Ω̄)·Ω̄ = 0). Order 2 in the orientation.
// No gyroscopic force is left over: M v̇ = h becomes ṗ = h with h the applied forces alone.
#pragma once

#include "vinculum/system/system.hpp"

namespace vinculum::motion {

using algebra::Quat;
using algebra::Vec3;

/// Where every body is linked its trees know all that follows.
inline bool all_linked(const system::System& system) { return system.forest && system.forest->free_bodies == 0; }

/// The orientation after free rotation for a time t with spin l.
Quat rotate_free(const Quat& R, const Vec3& l, const algebra::Mat3& I_inverse, bool isotropic, double t);

/// q₁ = Φ(t; q, p) for all bodies. q₁ may be q.
void drift(const system::System& system, double t, const system::Configuration& q, const std::vector<Vec3>& p,
           const std::vector<Vec3>& l, system::Configuration& q1);

/// w = R I⁻¹ Rᵀ l.
inline Vec3 angular_velocity(const system::System& system, std::size_t b, const Quat& R, const Vec3& l) {
  if (system.bodies.isotropic[b]) return system.bodies.inertia_inverse[b](0, 0) * l;
  return R * (system.bodies.inertia_inverse[b] * (R.conjugate() * l));
}

/// p_f = p + dt h(q, t): gravity and the applied forces that act at time t.
void kick(const system::System& system, double t, double dt, const system::Configuration& q, std::vector<Vec3>& p,
          std::vector<Vec3>& l);

/// Kinetic energy of body b with orientation R and momentum p, l.
double kinetic_energy(const system::System& system, std::size_t b, const Quat& R, const Vec3& p, const Vec3& l);

struct Energy {
  double kinetic = 0;    // J
  double potential = 0;  // of gravity, zero at the origin, and of springs, J
  double total() const { return kinetic + potential; }
};
Energy energy(const system::System& system, const system::State& state);
/// That of the free bodies and springs alone.
Energy energy_of_bodies(const system::System& system, const system::State& state);

}  // namespace vinculum::motion
