// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Sets D of configurations in ℝⁿ and their cones at a point x.                        theory/glocker-1998.md (2.1-2.3)
//
//   K_D  contingent (Bouligand): directions of sequences in D that end at x; maybe not convex
//   T_D  tangent (Clarke): the same from every base sequence in D; closed, convex, T ⊂ K
//   N_D  normal: polar of T.    D is regular at x iff T = K.   Off D all three are empty: nullptr, no pieces.
//
// At a point that is not regular T is too small: test a velocity against K and T separately.
#pragma once

#include "vinculum/convex/cone.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace vinculum::convex {

class Region;
using RegionPtr = std::shared_ptr<const Region>;

class Region {
 public:
  explicit Region(int dimension) : dimension_(dimension) {}
  virtual ~Region() = default;

  int dimension() const { return dimension_; }
  virtual bool is_convex() const { return true; }
  virtual bool contains(const Vector& x, double tol = 1e-12) const = 0;
  /// T; nullptr off the region. `tol`: how far a constraint may be from zero and still count as active.
  virtual ConePtr tangent(const Vector& x, double tol = 1e-12) const = 0;
  virtual ConeUnion contingent(const Vector& x, double tol = 1e-12) const;
  virtual bool is_regular_at(const Vector&, double = 1e-12) const { return true; }
  ConePtr normal(const Vector& x, double tol = 1e-12) const;
  /// Nearest point, |·| Euclidean or of the SPD matrix M. Not convex: a nearest point for unions, a stationary one for
  /// level sets. NaN if the region is empty.
  virtual Vector project(const Vector& y) const { return project(y, Matrix::Identity(dimension_, dimension_)); }
  virtual Vector project(const Vector& y, const Matrix& M) const = 0;

 private:
  int dimension_;
};

/// { x : Aᵀx ≤ b, Eᵀx = e }, constraints in columns.
RegionPtr make_polyhedron(const Matrix& A, const Vector& b);
RegionPtr make_polyhedron(const Matrix& A, const Vector& b, const Matrix& E, const Vector& e);
RegionPtr make_subspace(const Matrix& basis);
RegionPtr make_ball_region(const Vector& center, double radius);
/// { (x_0, x̄) : |x̄| ≤ slope · x_0 }.
RegionPtr make_second_order_region(int dimension, double slope);
RegionPtr make_product_region(const RegionPtr& a, const RegionPtr& b);
/// Finite union of regions whose tangent cones are polyhedral; regular or not.
RegionPtr make_union(std::vector<RegionPtr> pieces);

/// g(x) ≥ 0 with g in C¹.
struct SmoothConstraint {
  std::function<double(const Vector&)> value;
  std::function<Vector(const Vector&)> gradient;
};

/// What may be said of constraints g_i(x) ≥ 0 at x, with a witness for every verdict.
struct Qualification {
  std::vector<int> active;
  /// Mangasarian–Fromovitz: some p has ⟨∇g_i, p⟩ > 0 for every active i.
  bool mangasarian_fromovitz = true;
  Vector direction;    // that p, if it holds
  Vector multipliers;  // else λ ≥ 0, Σλ = 1, Σ λ_i ∇g_i/|∇g_i| = 0, over `active`
  /// N_C(x) = { −Σ λ_i ∇g_i : λ ≥ 0 }. Follows from the first; may hold without it (redundant linear constraints).
  bool normals_add = true;
  Vector false_tangent;   // else: ⟨∇g_i, p⟩ ≥ 0 for all active i, yet no motion in C starts along p …
  Vector missing_normal;  // … and a normal of C that is no sum of normals of the constraints
};

/// { x : g_i(x) ≥ 0 }.
class LevelSet final : public Region {
 public:
  LevelSet(int dimension, std::vector<SmoothConstraint> constraints)
      : Region(dimension), constraints_(std::move(constraints)) {}
  bool is_convex() const override { return false; }
  bool contains(const Vector& x, double tol = 1e-12) const override;
  ConePtr tangent(const Vector& x, double tol = 1e-12) const override;
  using Region::project;
  Vector project(const Vector& y, const Matrix& M) const override;
  Qualification qualification(const Vector& x, double tol = 1e-12) const;

 private:
  Matrix gradients(const Vector& x, const std::vector<int>& active) const;
  Matrix find_tangent_generators(const Vector& x, const Matrix& G, Vector* rejected) const;
  bool starts_along(const Vector& x, const Vector& p) const;

  std::vector<SmoothConstraint> constraints_;
};

std::shared_ptr<const LevelSet> make_level_set(int dimension, std::vector<SmoothConstraint> constraints);

}  // namespace vinculum::convex
