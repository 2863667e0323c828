// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Closed convex sets in ℝⁿ, n ≤ 3: what a (minus) force may be.
//
//   support   h_C(d) = sup { ⟨d, y⟩ : y ∈ C }                    +inf where unbounded, −inf if C = ∅
//   face      F_C(d) = { y ∈ C : ⟨d, y⟩ = h_C(d) } = ∂h_C(d)     exposed by d; ∅ where the supremum is not attained
//   project   P_C(x) = argmin { |y − x| : y ∈ C }
//
// Glocker (1998) (6.7), (6.10), (6.11): Φ is the support function of ∂V(q), and the sets of the next levels are faces.
// A direction is a number with a rounding error: components (for a round set, the length) of d not above `tol` in size
// count as zero, so that face(d, tol) is the larger set of the two. Sets are immutable and shared.
#pragma once

#include <Eigen/Core>

#include <memory>
#include <span>
#include <string>

namespace vinculum::convex {

using Vec = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3, 1>;  // at most three rows, no heap
using Mat = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3>;

class Set;
using SetPtr = std::shared_ptr<const Set>;

class Set : public std::enable_shared_from_this<Set> {
 public:
  explicit Set(int dimension) : dimension_(dimension) {}
  virtual ~Set() = default;

  int dimension() const { return dimension_; }
  virtual bool empty() const { return false; }
  /// One element only.
  virtual bool is_point() const { return false; }
  virtual bool is_bounded() const = 0;
  /// Nearest point; NaN if the set is empty.
  virtual Vec project(const Vec& x) const = 0;
  virtual double support(const Vec& d) const = 0;
  virtual SetPtr face(const Vec& d, double tol = 0) const = 0;
  /// `[0, 4]`, `ball of radius 2 around (0, 0)`: for messages and reports.
  virtual std::string text() const = 0;

  /// |x − P(x)|; +inf if the set is empty.
  double distance(const Vec& x) const;
  bool contains(const Vec& x, double tol = 0) const { return distance(x) <= tol; }
  /// The element of least size, P(0).
  Vec least() const { return project(Vec::Zero(dimension_)); }

 private:
  int dimension_;
};

/// Vectors of one, two and three rows.
Vec vec(double x);
Vec vec(double x, double y);
Vec vec(double x, double y, double z);

SetPtr make_empty(int dimension);
SetPtr make_point(const Vec& x);
/// Product of intervals [low_i, high_i]; ends may be infinite: rays, lines, half lines, segments, the whole space.
SetPtr make_box(const Vec& low, const Vec& high);
SetPtr make_interval(double low, double high);
SetPtr make_space(int dimension);
SetPtr make_ball(const Vec& center, double radius);
/// { c + A y : |y| ≤ 1 }, A = axes · diag(radii) with orthonormal columns in `axes`; radii ≥ 0.
SetPtr make_ellipsoid(const Vec& center, const Vec& radii);
SetPtr make_ellipsoid(const Vec& center, const Vec& radii, const Mat& axes);
/// { c + s e : low ≤ s ≤ high }, e = direction/|direction|; ends may be infinite.
SetPtr make_segment(const Vec& center, const Vec& direction, double low, double high);
/// A × B, rows of A first; at most three rows together.
SetPtr make_product(const SetPtr& a, const SetPtr& b);
SetPtr make_translate(const SetPtr& set, const Vec& shift);
/// −C.
SetPtr make_mirror(const SetPtr& set);
/// A + B = { a + b }. Points, boxes and balls are added exactly; others by Newton on the fixed point of alternating
/// projections, to rounding.
SetPtr make_sum(const SetPtr& a, const SetPtr& b);
/// { Σ λ_j g_j : λ_j ≥ 0 } with the columns g_j of `generators`; a line is two opposite generators. No column: {0}.
SetPtr make_cone(const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic>& generators);
/// { (x_0, x̄) : |x̄| ≤ slope · x_0 }, or its mirror image if `down`; two or three rows, slope > 0.
SetPtr make_round_cone(int dimension, double slope, bool down = false);
/// Coulomb–Contensou: the forces and drilling torques (f1, f2, τ) of a uniformly loaded disc; `load` = μN (N), radius
/// in m. Its support function is the dissipation Φ(v, ω) = load · mean of |v + ω × r| over the disc.
SetPtr make_contensou(double load, double radius);

}  // namespace vinculum::convex
