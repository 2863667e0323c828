// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/patch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vinculum::integrators {
namespace {

constexpr int motions = 6;            // of one body against the other
constexpr double independent = 1e-6;  // of the largest pivot's root: below, rows do not see the motion
constexpr int passes = 2;             // the second mends what AᵀA loses of small pivots

using Motion = double[motions];

/// Cholesky's factor of a semidefinite matrix, the largest pivot first.
struct Factor {
  double L[motions][motions];
  int order[motions], rank = 0;

  explicit Factor(double (&B)[motions][motions]) {
    for (int k = 0; k < motions; ++k) order[k] = k;
    double first = 0;
    for (; rank < motions; ++rank) {
      int largest = rank;
      for (int k = rank + 1; k < motions; ++k) {
        if (B[order[k]][order[k]] > B[order[largest]][order[largest]]) largest = k;
      }
      const double pivot = B[order[largest]][order[largest]];
      if (rank == 0) first = pivot;
      if (!(pivot > independent * independent * first)) break;
      std::swap(order[rank], order[largest]);
      for (int j = 0; j < rank; ++j) std::swap(L[rank][j], L[largest][j]);
      L[rank][rank] = std::sqrt(pivot);
      for (int k = rank + 1; k < motions; ++k) L[k][rank] = B[order[k]][order[rank]] / L[rank][rank];
      for (int k = rank + 1; k < motions; ++k) {
        for (int j = rank + 1; j < motions; ++j) B[order[k]][order[j]] -= L[k][rank] * L[j][rank];
      }
    }
  }

  /// g becomes a solution of B x = g; motions beyond the rank are none.
  void solve(Motion& g) const {
    Motion y;
    for (int k = 0; k < rank; ++k) {
      y[k] = g[order[k]];
      for (int j = 0; j < k; ++j) y[k] -= L[k][j] * y[j];
      y[k] /= L[k][k];
    }
    for (int k = rank - 1; k >= 0; --k) {
      for (int j = k + 1; j < rank; ++j) y[k] -= L[j][k] * y[j];
      y[k] /= L[k][k];
    }
    for (int k = 0; k < motions; ++k) g[order[k]] = k < rank ? y[k] : 0;
  }
};

}  // namespace

/// By AᵀA. Moments are taken about the mean of the points, in units of their reach.
std::span<const double> Patch::remainder() {
  const std::size_t n = rows_.size();
  rest_.resize(n);
  A_.resize(motions * n);
  Vec3 centre = Vec3::Zero();
  for (const Row& row : rows_) centre += row.x;
  centre /= static_cast<double>(n);
  double reach = 0;
  for (const Row& row : rows_) reach = std::max(reach, (row.x - centre).squaredNorm());
  const double scale = reach > 0 ? 1 / std::sqrt(reach) : 0;
  double B[motions][motions] = {};
  for (std::size_t i = 0; i < n; ++i) {
    rest_[i] = rows_[i].offset;
    double* const a = A_.data() + motions * i;
    const Vec3 moment = scale * (rows_[i].x - centre).cross(rows_[i].d);
    for (int k = 0; k < 3; ++k) a[k] = rows_[i].d[k], a[k + 3] = moment[k];
    for (int k = 0; k < motions; ++k) {
      for (int j = 0; j < motions; ++j) B[k][j] += a[k] * a[j];
    }
  }
  const Factor factor(B);
  for (int pass = 0; pass < passes; ++pass) {
    Motion x = {};
    for (std::size_t i = 0; i < n; ++i) {
      for (int k = 0; k < motions; ++k) x[k] += A_[motions * i + static_cast<std::size_t>(k)] * rest_[i];
    }
    factor.solve(x);
    for (std::size_t i = 0; i < n; ++i) {
      double seen = 0;
      for (int k = 0; k < motions; ++k) seen += A_[motions * i + static_cast<std::size_t>(k)] * x[k];
      rest_[i] -= seen;
    }
  }
  return rest_;
}

}  // namespace vinculum::integrators
