// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Convex regions: polyhedra, balls, second-order cones, products.
#include "vinculum/convex/region.hpp"

#include "vinculum/base/error.hpp"
#include "vinculum/convex/fixed_point.hpp"
#include "vinculum/convex/least_squares.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>

#include <cmath>

namespace vinculum::convex {

ConePtr Region::normal(const Vector& x, double tol) const {
  const ConePtr T = tangent(x, tol);
  return T ? T->polar() : nullptr;
}

ConeUnion Region::contingent(const Vector& x, double tol) const {
  const ConePtr T = tangent(x, tol);
  return T ? ConeUnion{{T}} : ConeUnion{};
}

namespace {

struct Polyhedron final : Region {
  Matrix A, E;
  Vector b, e;

  Polyhedron(const Matrix& a, const Vector& right, const Matrix& equal, const Vector& level)
      : Region(static_cast<int>(a.rows())), A(a), E(equal), b(right), e(level) {}

  bool contains(const Vector& x, double tol) const override {
    return (A.cols() == 0 || (A.transpose() * x - b).maxCoeff() <= tol) &&
           (E.cols() == 0 || (E.transpose() * x - e).cwiseAbs().maxCoeff() <= tol);
  }

  ConePtr tangent(const Vector& x, double tol) const override {
    if (!contains(x, tol)) return nullptr;
    std::vector<int> active;
    for (int j = 0; j < A.cols(); ++j) {
      if (std::abs(A.col(j).dot(x) - b[j]) <= tol) active.push_back(j);
    }
    return std::make_shared<PolyhedralCone>(Matrix(A(Eigen::all, active)), E, false);
  }

  using Region::project;
  // z = Lᵀ(x − y), M = L Lᵀ: the shortest z with (L⁻¹A)ᵀz ≤ b − Aᵀy.
  Vector project(const Vector& y, const Matrix& M) const override {
    const Eigen::LLT<Matrix> llt(M);
    VINCULUM_DEMAND(llt.info() == Eigen::Success);
    const Vector above = A.cols() ? Vector(A.transpose() * y - b) : Vector(0);
    const Vector level = E.cols() ? Vector(e - E.transpose() * y) : Vector(0);
    const auto z = find_least_point(scaled(llt, E), level, -scaled(llt, A), above);
    if (!z) return Vector::Constant(dimension(), std::nan(""));
    return y + llt.matrixU().solve(*z);
  }

  static Matrix scaled(const Eigen::LLT<Matrix>& llt, const Matrix& G) {
    return G.cols() ? Matrix(llt.matrixL().solve(G)) : G;
  }
};

struct BallRegion final : Region {
  Vector center;
  double radius;

  BallRegion(const Vector& c, double r) : Region(static_cast<int>(c.size())), center(c), radius(r) {}
  bool contains(const Vector& x, double tol) const override { return (x - center).norm() <= radius + tol; }

  ConePtr tangent(const Vector& x, double tol) const override {
    const double size = (x - center).norm();
    if (size > radius + tol) return nullptr;
    if (radius <= tol) return make_zero_cone(dimension());
    return size < radius - tol ? make_space_cone(dimension()) : make_cone_of_rows((x - center) / size);
  }

  Vector project(const Vector& y) const override {
    const double size = (y - center).norm();
    return size <= radius ? y : Vector(center + (radius / size) * (y - center));
  }
  Vector project(const Vector& y, const Matrix& M) const override {
    return project_in_metric([this](const Vector& x) { return project(x); }, M, y);
  }
};

struct SecondOrderRegion final : Region {
  double slope;
  ConePtr cone;

  SecondOrderRegion(int n, double s) : Region(n), slope(s), cone(make_second_order_cone(n, s)) {}
  bool contains(const Vector& x, double tol) const override { return cone->contains(x, tol); }

  ConePtr tangent(const Vector& x, double tol) const override {
    if (!contains(x, tol)) return nullptr;
    if (x.norm() <= tol) return cone;
    const double across = x.tail(dimension() - 1).norm();
    if (across < slope * x[0] - tol) return make_space_cone(dimension());
    Vector n(dimension());
    n << -slope, x.tail(dimension() - 1) / across;
    return make_cone_of_rows(n);
  }

  Vector project(const Vector& y) const override { return cone->project(y); }
  Vector project(const Vector& y, const Matrix& M) const override { return cone->project(y, M); }
};

struct ProductRegion final : Region {
  RegionPtr a, b;

  ProductRegion(RegionPtr first, RegionPtr second)
      : Region(first->dimension() + second->dimension()), a(std::move(first)), b(std::move(second)) {}
  Vector head(const Vector& x) const { return x.head(a->dimension()); }
  Vector tail(const Vector& x) const { return x.tail(b->dimension()); }
  bool is_convex() const override { return a->is_convex() && b->is_convex(); }
  bool contains(const Vector& x, double tol) const override {
    return a->contains(head(x), tol) && b->contains(tail(x), tol);
  }
  bool is_regular_at(const Vector& x, double tol) const override {
    return a->is_regular_at(head(x), tol) && b->is_regular_at(tail(x), tol);
  }
  ConePtr tangent(const Vector& x, double tol) const override {
    const ConePtr p = a->tangent(head(x), tol), q = b->tangent(tail(x), tol);
    return p && q ? make_product_cone(p, q) : nullptr;
  }
  ConeUnion contingent(const Vector& x, double tol) const override {
    ConeUnion all;
    for (const ConePtr& p : a->contingent(head(x), tol).pieces) {
      for (const ConePtr& q : b->contingent(tail(x), tol).pieces) all.pieces.push_back(make_product_cone(p, q));
    }
    return all;
  }

  Vector project(const Vector& y) const override {
    Vector p(dimension());
    p << a->project(head(y)), b->project(tail(y));
    return p;
  }
  Vector project(const Vector& y, const Matrix& M) const override {
    return project_in_metric([this](const Vector& x) { return project(x); }, M, y);
  }
};

}  // namespace

RegionPtr make_polyhedron(const Matrix& A, const Vector& b) {
  return make_polyhedron(A, b, Matrix(A.rows(), 0), Vector(0));
}
RegionPtr make_polyhedron(const Matrix& A, const Vector& b, const Matrix& E, const Vector& e) {
  VINCULUM_DEMAND(A.cols() == b.size() && E.cols() == e.size() && A.rows() == E.rows());
  return std::make_shared<Polyhedron>(A, b, E, e);
}

RegionPtr make_subspace(const Matrix& basis) {
  const Matrix kernel = Eigen::FullPivLU<Matrix>(basis.transpose()).kernel();
  const bool whole = kernel.isZero(0);  // Eigen gives one zero column for an empty kernel
  const Matrix E = whole ? Matrix(basis.rows(), 0) : kernel;
  return make_polyhedron(Matrix(basis.rows(), 0), Vector(0), E, Vector::Zero(E.cols()));
}

RegionPtr make_ball_region(const Vector& center, double radius) {
  VINCULUM_DEMAND(radius >= 0);
  return std::make_shared<BallRegion>(center, radius);
}
RegionPtr make_second_order_region(int dimension, double slope) {
  return std::make_shared<SecondOrderRegion>(dimension, slope);
}
RegionPtr make_product_region(const RegionPtr& a, const RegionPtr& b) { return std::make_shared<ProductRegion>(a, b); }

}  // namespace vinculum::convex
