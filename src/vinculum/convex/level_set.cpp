// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// { x : g_i(x) ≥ 0 }, g in C¹.
//
// Where Mangasarian–Fromovitz holds T = K = { p : ⟨∇g_i, p⟩ ≥ 0, i active } and N = { −Σ λ_i ∇g_i }. Where it fails
// that cone may be too large: q_2 ≥ q_1², q_2 ≤ −q_1² leave the point 0 alone, N = ℝ², yet the gradients span the q_2
// axis only (digest, test 24). Then each generator p of the linearised cone is tried: p is tangent iff the distance of
// x + t p to the region is o(t), and T is taken as the cone of those that pass.
#include "vinculum/base/error.hpp"
#include "vinculum/convex/fixed_point.hpp"
#include "vinculum/convex/least_squares.hpp"
#include "vinculum/convex/region.hpp"

#include <cmath>

namespace vinculum::convex {
bool LevelSet::contains(const Vector& x, double tol) const {
  for (const SmoothConstraint& g : constraints_) {
    if (!(g.value(x) >= -tol)) return false;
  }
  return true;
}

// Columns ∇g_i/|∇g_i|; a vanishing gradient stays zero.
Matrix LevelSet::gradients(const Vector& x, const std::vector<int>& active) const {
  Matrix G(dimension(), active.size());
  for (std::size_t k = 0; k < active.size(); ++k) {
    const Vector g = constraints_[active[k]].gradient(x);
    const double size = g.norm();
    G.col(static_cast<int>(k)) = size > 0 ? Vector(g / size) : g;
  }
  return G;
}

// Fixed point z ↦ P(y) onto the constraints linearised at z.
Vector LevelSet::project(const Vector& y, const Matrix& M) const {
  const int m = static_cast<int>(constraints_.size());
  const Map T = [&](const Vector& z) -> Vector {
    Matrix A(dimension(), m);
    Vector b(m);
    for (int i = 0; i < m; ++i) {
      A.col(i) = -constraints_[i].gradient(z);
      b[i] = constraints_[i].value(z) + A.col(i).dot(z);
    }
    return make_polyhedron(A, b)->project(y, M);
  };
  return find_fixed_point(T, y);
}

// Plain Gauss–Newton from x + t p: small steps into the region, so that a near point is found if there is one.
bool LevelSet::starts_along(const Vector& x, const Vector& p) const {
  for (double t : {1e-2, 1e-3}) {
    Vector z = x + t * p;
    bool inside = false;
    for (int k = 0; k < 60 && !inside; ++k) {
      double worst = 0;
      Matrix A(dimension(), 0);
      Vector h(0);
      for (const SmoothConstraint& g : constraints_) {
        const double value = g.value(z);
        worst = std::max(worst, -value);
        A = beside(A, g.gradient(z));
        h.conservativeResize(h.size() + 1);
        h[h.size() - 1] = -value;
      }
      inside = worst <= 1e-6 * t * t;
      if (inside) break;
      const auto step = find_least_point(Matrix(dimension(), 0), Vector(0), A, h);
      if (!step) return false;
      z += *step;
      if (!((z - x - t * p).norm() <= .2 * t)) return false;
    }
    if (!inside) return false;
  }
  return true;
}

Matrix LevelSet::find_tangent_generators(const Vector& x, const Matrix& G, Vector* rejected) const {
  const PolyhedralCone cone = PolyhedralCone(-G, Matrix(dimension(), 0), false).by_generators();
  const Matrix all = beside(cone.rays, beside(cone.lines, -cone.lines));
  Matrix kept(dimension(), 0);
  for (int j = 0; j < all.cols(); ++j) {
    const Vector p = all.col(j).normalized();
    if (starts_along(x, p)) {
      kept = beside(kept, p);
    } else if (rejected->size() == 0) {
      *rejected = p;
    }
  }
  return kept;
}

Qualification LevelSet::qualification(const Vector& x, double tol) const {
  Qualification q;
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    if (std::abs(constraints_[i].value(x)) <= tol) q.active.push_back(static_cast<int>(i));
  }
  if (q.active.empty()) return q;
  const Matrix G = gradients(x, q.active);
  const auto p = find_least_point(Matrix(dimension(), 0), Vector(0), G, Vector::Ones(G.cols()));
  if (p) {
    q.direction = p->normalized();
    return q;
  }
  q.mangasarian_fromovitz = false;
  Matrix balance(dimension() + 1, G.cols());
  balance << G, Matrix::Ones(1, G.cols());
  q.multipliers = solve_nonnegative(balance, 0, Vector::Unit(dimension() + 1, dimension()));
  q.multipliers /= q.multipliers.sum();
  const Matrix kept = find_tangent_generators(x, G, &q.false_tangent);
  q.normals_add = q.false_tangent.size() == 0;
  if (q.normals_add) return q;
  // The part of the false tangent that is normal to T: in N_C, and ⟨·, p⟩ > 0 for a p of the linearised cone.
  q.missing_normal = q.false_tangent - make_cone_of_generators(kept)->project(q.false_tangent);
  return q;
}

ConePtr LevelSet::tangent(const Vector& x, double tol) const {
  if (!contains(x, tol)) return nullptr;
  const Qualification q = qualification(x, tol);
  const Matrix G = gradients(x, q.active);
  if (q.normals_add) return make_cone_of_rows(-G);
  Vector rejected;
  return make_cone_of_generators(find_tangent_generators(x, G, &rejected));
}

std::shared_ptr<const LevelSet> make_level_set(int dimension, std::vector<SmoothConstraint> constraints) {
  return std::make_shared<LevelSet>(dimension, std::move(constraints));
}

}  // namespace vinculum::convex
