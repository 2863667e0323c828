// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/patch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vinculum::integrators {
namespace {

constexpr double independent = 1e-6;  // of the largest pivot's root: below, rows do not see the motion
constexpr int passes = 2;             // the second mends what AᵀA loses of small pivots

/// Cholesky's factor of a semidefinite matrix, the largest pivot first.
template <int n>
struct Factor {
  double L[n][n];
  int order[n], rank = 0;

  explicit Factor(double (&B)[n][n]) {
    for (int k = 0; k < n; ++k) order[k] = k;
    double first = 0;
    for (; rank < n; ++rank) {
      int largest = rank;
      for (int k = rank + 1; k < n; ++k) {
        if (B[order[k]][order[k]] > B[order[largest]][order[largest]]) largest = k;
      }
      const double pivot = B[order[largest]][order[largest]];
      if (rank == 0) first = pivot;
      if (!(pivot > independent * independent * first)) break;
      std::swap(order[rank], order[largest]);
      for (int j = 0; j < rank; ++j) std::swap(L[rank][j], L[largest][j]);
      L[rank][rank] = std::sqrt(pivot);
      for (int k = rank + 1; k < n; ++k) L[k][rank] = B[order[k]][order[rank]] / L[rank][rank];
      for (int k = rank + 1; k < n; ++k) {
        for (int j = rank + 1; j < n; ++j) B[order[k]][order[j]] -= L[k][rank] * L[j][rank];
      }
    }
  }

  /// g becomes a solution x of B x = g, with 0 beyond the rank.
  void solve(double (&g)[n]) const {
    double y[n];
    for (int k = 0; k < rank; ++k) {
      y[k] = g[order[k]];
      for (int j = 0; j < k; ++j) y[k] -= L[k][j] * y[j];
      y[k] /= L[k][k];
    }
    for (int k = rank - 1; k >= 0; --k) {
      for (int j = k + 1; j < rank; ++j) y[k] -= L[j][k] * y[j];
      y[k] /= L[k][k];
    }
    for (int k = 0; k < n; ++k) g[order[k]] = k < rank ? y[k] : 0;
  }
};

}  // namespace

void Patch::place() {
  centre_.setZero();
  for (const Contact& contact : contacts_) centre_ += contact.x;
  centre_ /= static_cast<double>(contacts_.size());
  double square = 0;
  for (const Contact& contact : contacts_) square = std::max(square, (contact.x - centre_).squaredNorm());
  scale_ = square > 0 ? 1 / std::sqrt(square) : 0;
}

/// Where all stick, whole velocities u of points r about their mean: v = Σ u/n, and ω of
///   Σ (|r|² − r rᵀ) ω = Σ r × (u − v)
void Patch::remainder_of_points() {
  Vec3 mean = Vec3::Zero();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    rest_[i] = contacts_[i].F * contacts_[i].offset;
    mean += rest_[i];
  }
  mean /= static_cast<double>(contacts_.size());
  double B[3][3] = {};
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    rest_[i] -= mean;
    const Vec3 r = scale_ * (contacts_[i].x - centre_);
    const double square = r.squaredNorm();
    for (int k = 0; k < 3; ++k) {
      for (int j = 0; j < 3; ++j) B[k][j] += (k == j ? square : 0) - r[k] * r[j];
    }
  }
  const Factor<3> factor(B);
  for (int pass = 0; pass < passes; ++pass) {
    Vec3 moment = Vec3::Zero();
    for (std::size_t i = 0; i < contacts_.size(); ++i) moment += (contacts_[i].x - centre_).cross(rest_[i]);
    double w[3] = {scale_ * moment[0], scale_ * moment[1], scale_ * moment[2]};
    factor.solve(w);
    const Vec3 turn = scale_ * Vec3(w[0], w[1], w[2]);
    for (std::size_t i = 0; i < contacts_.size(); ++i) rest_[i] -= turn.cross(contacts_[i].x - centre_);
  }
  for (std::size_t i = 0; i < contacts_.size(); ++i) rest_[i] = contacts_[i].F.transpose() * rest_[i];
}

/// By AᵀA, row by row.
void Patch::remainder_of_rows() {
  const auto each_row = [&](auto&& f) {
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      const Contact& contact = contacts_[i];
      for (int row = 0; row < (contact.sticks ? 3 : 1); ++row) {
        const Vec3 d = contact.F.col(row), moment = scale_ * (contact.x - centre_).cross(d);
        const double a[6] = {d[0], d[1], d[2], moment[0], moment[1], moment[2]};
        f(a, rest_[i][row]);
      }
    }
  };
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    rest_[i] = contacts_[i].offset;
    if (!contacts_[i].sticks) rest_[i].tail<2>().setZero();
  }
  double B[6][6] = {};
  each_row([&](const double(&a)[6], double) {
    for (int k = 0; k < 6; ++k) {
      for (int j = 0; j < 6; ++j) B[k][j] += a[k] * a[j];
    }
  });
  const Factor<6> factor(B);
  for (int pass = 0; pass < passes; ++pass) {
    double x[6] = {};
    each_row([&](const double(&a)[6], double rest) {
      for (int k = 0; k < 6; ++k) x[k] += a[k] * rest;
    });
    factor.solve(x);
    each_row([&](const double(&a)[6], double& rest) {
      for (int k = 0; k < 6; ++k) rest -= a[k] * x[k];
    });
  }
}

std::span<const Vec3> Patch::remainder() {
  rest_.resize(contacts_.size());
  place();
  if (all_stick_) {
    remainder_of_points();
  } else {
    remainder_of_rows();
  }
  return rest_;
}

}  // namespace vinculum::integrators
