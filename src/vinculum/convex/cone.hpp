// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Closed convex cones in ℝⁿ, any n: tangents and normals of sets of configurations.      theory/glocker-1998.md
// (2.1-2.3)
//
//   polar     K° = { y : ⟨y, x⟩ ≤ 0 for all x ∈ K }            K°° = K
//   Moreau    x = P_K(x) + P_K°(x), orthogonal
//   in the metric of an SPD matrix M:  argmin (z − x)ᵀM(z − x) over z ∈ K     (projections of mechanics are in M)
#pragma once

#include "vinculum/convex/set.hpp"

#include <Eigen/Core>

#include <memory>
#include <string>
#include <vector>

namespace vinculum::convex {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

class Cone;
using ConePtr = std::shared_ptr<const Cone>;
struct PolyhedralCone;

class Cone {
 public:
  virtual ~Cone() = default;
  virtual int dimension() const = 0;
  virtual ConePtr polar() const = 0;
  virtual Vector project(const Vector& x) const = 0;
  virtual Vector project(const Vector& x, const Matrix& M) const = 0;
  /// This cone of at most three rows as a set of forces.
  virtual SetPtr as_set() const = 0;
  /// This cone if it is polyhedral, else nullptr.
  virtual const PolyhedralCone* polyhedral() const { return nullptr; }

  double distance(const Vector& x) const { return (x - project(x)).norm(); }
  bool contains(const Vector& x, double tol = 1e-12) const { return distance(x) <= tol; }
};

/// Columns r_j of `rays` and l_k of `lines`; `generated`: { Σ λ_j r_j + Σ μ_k l_k : λ ≥ 0 }, else its polar
/// { x : ⟨r_j, x⟩ ≤ 0, ⟨l_k, x⟩ = 0 }. Projections by active sets, to rounding.
struct PolyhedralCone final : Cone {
  Matrix rays, lines;
  bool generated;

  PolyhedralCone(const Matrix& r, const Matrix& l, bool g) : rays(r), lines(l), generated(g) {}
  int dimension() const override { return static_cast<int>(rays.rows()); }
  ConePtr polar() const override;
  Vector project(const Vector& x) const override;
  Vector project(const Vector& x, const Matrix& M) const override;
  SetPtr as_set() const override;
  const PolyhedralCone* polyhedral() const override { return this; }
  /// The same cone by generators (extreme rays found by enumeration).
  PolyhedralCone by_generators() const;
  /// The same cone by inequalities.
  PolyhedralCone by_rows() const;
};

/// { x : ⟨r_j, x⟩ ≤ 0 } with the columns of R.
ConePtr make_cone_of_rows(const Matrix& R);
ConePtr make_cone_of_generators(const Matrix& rays);
ConePtr make_space_cone(int dimension);
ConePtr make_zero_cone(int dimension);
ConePtr make_subspace_cone(const Matrix& basis);
/// { (x_0, x̄) : |x̄| ≤ slope · x_0 }, or its mirror image if `down`. slope > 0.
ConePtr make_second_order_cone(int dimension, double slope, bool down = false);
ConePtr make_product_cone(const ConePtr& a, const ConePtr& b);
ConePtr intersect(const PolyhedralCone& a, const PolyhedralCone& b);

/// The columns of a, then those of b; either may have none.
Matrix beside(const Matrix& a, const Matrix& b);

/// A contingent cone: a union of convex cones, convex or not.
struct ConeUnion {
  std::vector<ConePtr> pieces;
  bool contains(const Vector& x, double tol = 1e-12) const;
};

}  // namespace vinculum::convex
