// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Finite unions, regular or not: the ledge { q_1 ≥ 0 or q_2 ≥ 0 }, two lines that cross, a room with a pillar.
//
// K at x is the union of the tangent cones K_i of the pieces that hold x. Near x the region looks like that union,
// which is cut by the rows of all K_i into finitely many strata; on a stratum s the regular normals are those of every
// piece that holds it, and Clarke's normal cone is the convex hull of what is found arbitrarily near:
//   N = cone hull of ∪_s ∩_{i holds s} N_{K_i}(s),       T = N°
// (limiting normals of a closed set; Rockafellar & Wets (1998), 6.3 and 6.38). Exact for polyhedral K_i.
#include "vinculum/base/error.hpp"
#include "vinculum/convex/least_squares.hpp"
#include "vinculum/convex/region.hpp"

#include <cmath>

namespace vinculum::convex {
namespace {

// All rows of the pieces, each direction once up to sign.
Matrix list_rows(const std::vector<PolyhedralCone>& pieces) {
  Matrix rows(pieces[0].dimension(), 0);
  for (const PolyhedralCone& piece : pieces) {
    for (int j = 0; j < piece.rays.cols(); ++j) {
      const Vector r = piece.rays.col(j).normalized();
      bool known = false;
      for (int k = 0; k < rows.cols(); ++k) known = known || std::abs(std::abs(rows.col(k).dot(r)) - 1) < 1e-12;
      if (!known) rows = beside(rows, r);
    }
  }
  return rows;
}

// A point with the signs wanted of each row, if there is one.
std::optional<Vector> find_stratum(const Matrix& rows, const std::vector<int>& signs) {
  Matrix E(rows.rows(), 0), A(rows.rows(), 0);
  for (int j = 0; j < rows.cols(); ++j) {
    if (signs[j] == 0) {
      E = beside(E, rows.col(j));
    } else {
      A = beside(A, signs[j] * rows.col(j));
    }
  }
  if (A.cols() == 0) return Vector::Zero(rows.rows());
  return find_least_point(E, Vector::Zero(E.cols()), A, Vector::Ones(A.cols()));
}

// ∩ of the normal cones at s of the pieces that hold s; nullptr if none does.
ConePtr find_normals(const std::vector<PolyhedralCone>& pieces, const Vector& s) {
  const double zero = 1e-9 * (1 + s.norm());
  ConePtr common;
  for (const PolyhedralCone& piece : pieces) {
    const Vector height = piece.rays.transpose() * s;
    if (height.size() && height.maxCoeff() > zero) continue;
    std::vector<int> active;
    for (int j = 0; j < height.size(); ++j) {
      if (height[j] >= -zero) active.push_back(j);
    }
    const Matrix rays = piece.rays(Eigen::all, active);
    const auto own = std::make_shared<PolyhedralCone>(rays, Matrix(rays.rows(), 0), true);
    common = common ? intersect(*common->polyhedral(), *own) : own;
  }
  return common;
}

struct Union final : Region {
  std::vector<RegionPtr> pieces;

  explicit Union(std::vector<RegionPtr> p) : Region(p[0]->dimension()), pieces(std::move(p)) {}
  bool is_convex() const override { return pieces.size() == 1 && pieces[0]->is_convex(); }

  bool contains(const Vector& x, double tol) const override {
    for (const RegionPtr& piece : pieces) {
      if (piece->contains(x, tol)) return true;
    }
    return false;
  }

  ConeUnion contingent(const Vector& x, double tol) const override {
    ConeUnion all;
    for (const RegionPtr& piece : pieces) {
      for (const ConePtr& cone : piece->contingent(x, tol).pieces) all.pieces.push_back(cone);
    }
    return all;
  }

  ConePtr tangent(const Vector& x, double tol) const override {
    const ConeUnion K = contingent(x, tol);
    if (K.pieces.empty()) return nullptr;
    if (K.pieces.size() == 1) return K.pieces[0];
    std::vector<PolyhedralCone> cones;
    for (const ConePtr& cone : K.pieces) {
      VINCULUM_DEMAND(cone->polyhedral());
      PolyhedralCone rows = cone->polyhedral()->by_rows();
      rows.rays = beside(rows.rays, beside(rows.lines, -rows.lines));
      rows.lines = Matrix(rows.rays.rows(), 0);
      cones.push_back(rows);
    }
    return make_cone_of_rows(find_clarke_normals(cones));
  }

  Matrix find_clarke_normals(const std::vector<PolyhedralCone>& cones) const {
    const Matrix rows = list_rows(cones);
    VINCULUM_DEMAND(rows.cols() <= 9);  // 3⁹ strata at most
    std::vector<int> signs(rows.cols(), -1);
    Matrix normals(dimension(), 0);
    for (bool more = true; more;) {
      if (const auto s = find_stratum(rows, signs)) {
        if (const ConePtr N = find_normals(cones, *s)) {
          const PolyhedralCone g = N->polyhedral()->by_generators();
          normals = beside(normals, beside(g.rays, beside(g.lines, -g.lines)));
        }
      }
      more = false;
      for (std::size_t j = 0; j < signs.size() && !more; ++j) {
        more = signs[j] < 1;
        signs[j] = more ? signs[j] + 1 : -1;
      }
    }
    return normals;
  }

  // T = K iff every piece of K lies in T.
  bool is_regular_at(const Vector& x, double tol) const override {
    const ConePtr T = tangent(x, tol);
    if (!T || !T->polyhedral()) return T != nullptr;
    for (const ConePtr& piece : contingent(x, tol).pieces) {
      const PolyhedralCone g = piece->polyhedral()->by_generators();
      const Matrix all = beside(g.rays, beside(g.lines, -g.lines));
      for (int j = 0; j < all.cols(); ++j) {
        if (!T->contains(all.col(j).normalized(), 1e-9)) return false;
      }
    }
    return true;
  }

  using Region::project;
  Vector project(const Vector& y, const Matrix& M) const override {
    Vector best;
    double least = INFINITY;
    for (const RegionPtr& piece : pieces) {
      const Vector p = piece->project(y, M);
      const double size = (p - y).dot(M * (p - y));
      if (size < least) {
        least = size;
        best = p;
      }
    }
    return best.size() ? best : Vector(Vector::Constant(dimension(), std::nan("")));
  }
};

}  // namespace

RegionPtr make_union(std::vector<RegionPtr> pieces) {
  VINCULUM_DEMAND(!pieces.empty());
  return std::make_shared<Union>(std::move(pieces));
}

}  // namespace vinculum::convex
