// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Spatial inertia of a rigid set of atoms and volumes.                        theory/cheremensky.md, section 1, Lemma 1
//
//   Θ = ∫ ρ [1 −r^; r^ −(r^)²] dμ = [m 1, −m c^; m c^, J_O],   J_O = J_c − m (c^)²
//   momentum wrench = Θ V,   kinetic energy = ½ VᵀΘV,   Θ_0 = L^wr Θ_p (L^wr)ᵀ,   det Θ = m³ det J_c
//
// Kept as (m, c, J_c): sums and moves then cancel nothing that J_O would have to carry. Rank 3, 5, 6 for one, two,
// three non-collinear atoms. Physical means m ≥ 0 and the second moments ∫ρ r rᵀ = ½ tr(J_c) 1 − J_c ⪰ 0, which
// contains both J_c ⪰ 0 and the triangle inequality of its principal values.
#pragma once

#include "vinculum/screw/screw.hpp"
#include "vinculum/shapes/shape.hpp"

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace vinculum::screw {

struct Inertia {
  double mass = 0;          // kg
  Vec3 com = Vec3::Zero();  // centre of mass c, m
  Mat3 J_c = Mat3::Zero();  // about the centre of mass, kg m²

  Mat3 about_origin() const;  // J_O
  Mat6 matrix() const;        // Θ, order (linear, angular)

  /// Θ V: momentum and spin about the origin.
  Wrench operator*(const Twist& V) const;
  double kinetic_energy(const Twist& V) const { return 0.5 * power(*this * V, V); }

  Inertia operator+(const Inertia& b) const;
  Inertia& operator+=(const Inertia& b) { return *this = *this + b; }

  /// Rank of Θ: 0 without mass, else 3 + rank J_c; values below `tolerance` times the largest count as zero, and J_c
  /// counts as zero below tolerance · m (1 + |c|²): an atom has no size of its own.
  int rank(double tolerance = 1e-12) const;

  /// What is wrong with it as an inertia of matter, none if nothing is: "found ..., expected ...". The second moments
  /// may be negative by `tolerance` times the trace of J_c: what rounding in a file leaves.
  std::optional<std::string> fault(double tolerance = 1e-9) const;
};

/// The inertia in the frame in which X places its frame.
Inertia outward(const Pose& X, const Inertia& inertia);

struct Atom {
  double mass;
  Vec3 x;
};

/// Each throws InputError on a negative or non-finite mass or density, one diagnosis each.
Inertia inertia_of_atoms(std::span<const Atom> atoms);
/// Homogeneous: density · volume moments of a bounded shape.
Inertia inertia_of_shape(const shapes::Shape& shape, double density);
Inertia inertia_of_moments(const shapes::VolumeMoments& moments, double density);
/// ρ(x) on the block low..high, by Gauss quadrature (degree 5) on n³ cells.
Inertia inertia_of_density(const Vec3& low, const Vec3& high, int n, const std::function<double(const Vec3&)>& rho);
/// A closed surface of triangles, counter-clockwise seen from outside: signed tetrahedra over each triangle (divergence
/// theorem). InputError when an edge is not used once in each direction, or the volume is not positive.
Inertia inertia_of_mesh(std::span<const Vec3> vertices, std::span<const std::array<int, 3>> triangles, double density);

/// InputError naming `path` if the inertia has a fault; if `regular`, also when Θ is singular (rank < 6).
void check_inertia(const Inertia& inertia, const std::string& path, bool regular);

}  // namespace vinculum::screw
