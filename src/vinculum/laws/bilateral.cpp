// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A bond.
//   ξ = 0, Λ ∈ ℝ³    <=>    −ξ ∈ N_{ℝ³}(Λ) = {0}                          Gallissot 1952: ideal reaction
// A bond of one or two rows has the others zero in J, c and Λ. No work: ξᵀΛ = 0.
#include "vinculum/laws/law.hpp"

#include <limits>
#include <utility>

namespace vinculum::laws {
namespace {

// Solves A x = b by elimination with complete pivoting; directions whose pivot is lost in rounding (empty or redundant
// rows) get x = 0.
Vec3 solve_with_rank(Mat3 A, Vec3 b) {
  int column[3] = {0, 1, 2};
  double first = 0;
  int rank = 0;
  for (; rank < 3; ++rank) {
    int p, q;
    const double pivot = A.bottomRightCorner(3 - rank, 3 - rank).cwiseAbs().maxCoeff(&p, &q);
    if (rank == 0) first = pivot;
    if (!(pivot > 1e-14 * first)) break;
    A.row(rank).swap(A.row(rank + p));
    std::swap(b[rank], b[rank + p]);
    A.col(rank).swap(A.col(rank + q));
    std::swap(column[rank], column[rank + q]);
    for (int i = rank + 1; i < 3; ++i) {
      const double factor = A(i, rank) / A(rank, rank);
      for (int j = rank + 1; j < 3; ++j) A(i, j) -= factor * A(rank, j);
      b[i] -= factor * b[rank];
    }
  }
  Vec3 x = Vec3::Zero();
  for (int i = rank - 1; i >= 0; --i) {
    double sum = b[i];
    for (int j = i + 1; j < rank; ++j) sum -= A(i, j) * x[column[j]];
    x[column[i]] = sum / A(i, i);
  }
  return x;
}

struct Bilateral final : ForceLaw {
  int rows() const override { return 3; }

  Vec3 project(const Vec3& y, double) const override { return y; }

  Mat3 project_derivative(const Vec3&, double) const override { return Mat3::Identity(); }

  Vec3 project_set(const Vec3& x, const Vec3&, double) const override { return x; }

  double support(const Vec3& d, const Vec3&, double) const override {
    return d == Vec3::Zero() ? 0.0 : std::numeric_limits<double>::infinity();
  }

  // Λ = guess − A⁺(A guess + b): a redundant direction keeps what it had, an empty row stays at zero.
  Vec3 solve_local(const Mat3& A, const Vec3& b, double, const Vec3& guess) const override {
    Vec3 residual = A * guess + b;
    for (int i = 0; i < 3; ++i) {
      if (A(i, i) == 0) residual[i] = 0;
    }
    return guess - solve_with_rank(A, residual);
  }

  Vec3 natural_map(const Vec3& xi, const Vec3&, double) const override { return xi; }
};

}  // namespace

const ForceLaw& bilateral_law() {
  static const Bilateral law;
  return law;
}

}  // namespace vinculum::laws
