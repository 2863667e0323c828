// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Polyhedral cones. With the Cholesky factor M = L Lᵀ and z = Lᵀx the metric becomes Euclidean:
//   generated   min |Lᵀ(R λ + N μ) − Lᵀx|, λ ≥ 0                      least_squares.hpp
//   by rows     x − M⁻¹(R λ + N μ) with min |L⁻¹(R λ + N μ) − Lᵀx|    (Moreau: the polar in the metric)
#include "vinculum/convex/cone.hpp"

#include "vinculum/base/error.hpp"
#include "vinculum/convex/least_squares.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>

#include <limits>

namespace vinculum::convex {

Matrix beside(const Matrix& a, const Matrix& b) {
  Matrix both(a.rows(), a.cols() + b.cols());
  if (a.cols()) both.leftCols(a.cols()) = a;
  if (b.cols()) both.rightCols(b.cols()) = b;
  return both;
}

namespace {

constexpr double kZero = 1e-12;  // of unit vectors, where a product counts as zero

Matrix normalised(const Matrix& A) {
  Matrix B(A.rows(), 0);
  for (int j = 0; j < A.cols(); ++j) {
    const double size = A.col(j).norm();
    if (size > 0) B = beside(B, A.col(j) / size);
  }
  return B;
}

// Orthonormal basis of { x : Aᵀx = 0 } and of its complement, the range of A.
void split_space(const Matrix& A, Matrix* kernel, Matrix* range) {
  const int n = static_cast<int>(A.rows());
  Eigen::ColPivHouseholderQR<Matrix> qr;
  qr.setThreshold(1e-10);
  int rank = 0;
  Matrix Q = Matrix::Identity(n, n);
  if (A.cols() > 0) {
    qr.compute(A);
    rank = static_cast<int>(qr.rank());
    Q = qr.householderQ();
  }
  *range = Q.leftCols(rank);
  *kernel = Q.rightCols(n - rank);
}

// Extreme rays of the pointed cone { y ∈ ℝᵏ : Rᵀy ≤ 0 }: each is tight on k − 1 independent rows.
void search_rays(const Matrix& R, int from, std::vector<int>& tight, Matrix& found) {
  const int k = static_cast<int>(R.rows());
  if (static_cast<int>(tight.size()) == k - 1) {
    Matrix kernel, range;
    split_space(R(Eigen::all, tight), &kernel, &range);
    if (kernel.cols() != 1) return;
    for (double sign : {1., -1.}) {
      const Vector y = sign * kernel.col(0);
      if (R.cols() && (R.transpose() * y).maxCoeff() > kZero) continue;
      bool known = false;
      for (int j = 0; j < found.cols(); ++j) known = known || (found.col(j) - y).norm() < 1e-9;
      if (!known) found = beside(found, y);
    }
    return;
  }
  for (int j = from; j < R.cols(); ++j) {
    tight.push_back(j);
    search_rays(R, j + 1, tight, found);
    tight.pop_back();
  }
}

// Generators of { x : Rᵀx ≤ 0, Nᵀx = 0 }: lines span the kernel of all rows; rays live in the rest.
PolyhedralCone generators_of(const Matrix& R, const Matrix& N) {
  const int n = static_cast<int>(R.rows());
  Matrix free, span;
  split_space(N.cols() ? N : Matrix(n, 0), &free, &span);  // columns of `free`: where Nᵀx = 0
  Matrix lines, range;
  const Matrix rows = normalised(free.transpose() * R);
  split_space(rows.cols() ? rows : Matrix(free.cols(), 0), &lines, &range);
  Matrix rays(range.cols(), 0);
  std::vector<int> tight;
  if (range.cols() > 0) search_rays(normalised(range.transpose() * rows), 0, tight, rays);
  return {free * (range * rays), free * lines, true};
}

}  // namespace

ConePtr PolyhedralCone::polar() const { return std::make_shared<PolyhedralCone>(rays, lines, !generated); }

Vector PolyhedralCone::project(const Vector& x) const {
  const Matrix G = beside(lines, rays);
  if (G.cols() == 0) return generated ? Vector(Vector::Zero(x.size())) : x;
  const Vector p = G * solve_nonnegative(G, static_cast<int>(lines.cols()), x);
  return generated ? p : Vector(x - p);
}

Vector PolyhedralCone::project(const Vector& x, const Matrix& M) const {
  const Matrix G = beside(lines, rays);
  if (G.cols() == 0) return generated ? Vector(Vector::Zero(x.size())) : x;
  const Eigen::LLT<Matrix> llt(M);
  VINCULUM_DEMAND(llt.info() == Eigen::Success);
  const int free = static_cast<int>(lines.cols());
  const Vector z = llt.matrixU() * x;
  if (generated) return G * solve_nonnegative(llt.matrixU() * G, free, z);
  const Vector lambda = solve_nonnegative(llt.matrixL().solve(G), free, z);
  return x - llt.solve(Vector(G * lambda));
}

PolyhedralCone PolyhedralCone::by_generators() const { return generated ? *this : generators_of(rays, lines); }

PolyhedralCone PolyhedralCone::by_rows() const {
  if (!generated) return *this;
  PolyhedralCone rows = generators_of(rays, lines);
  rows.generated = false;
  return rows;
}

ConePtr make_cone_of_rows(const Matrix& R) { return std::make_shared<PolyhedralCone>(R, Matrix(R.rows(), 0), false); }
ConePtr make_cone_of_generators(const Matrix& rays) {
  return std::make_shared<PolyhedralCone>(rays, Matrix(rays.rows(), 0), true);
}
ConePtr make_space_cone(int n) { return std::make_shared<PolyhedralCone>(Matrix(n, 0), Matrix(n, 0), false); }
ConePtr make_zero_cone(int n) { return std::make_shared<PolyhedralCone>(Matrix(n, 0), Matrix(n, 0), true); }
ConePtr make_subspace_cone(const Matrix& basis) {
  return std::make_shared<PolyhedralCone>(Matrix(basis.rows(), 0), basis, true);
}

ConePtr intersect(const PolyhedralCone& a, const PolyhedralCone& b) {
  const PolyhedralCone p = a.by_rows(), q = b.by_rows();
  return std::make_shared<PolyhedralCone>(beside(p.rays, q.rays), beside(p.lines, q.lines), false);
}

bool ConeUnion::contains(const Vector& x, double tol) const {
  for (const ConePtr& piece : pieces) {
    if (piece->contains(x, tol)) return true;
  }
  return false;
}

SetPtr PolyhedralCone::as_set() const {
  const PolyhedralCone g = by_generators();
  return make_cone(beside(g.rays, beside(g.lines, -g.lines)));
}

}  // namespace vinculum::convex
