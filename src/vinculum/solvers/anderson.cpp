// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/anderson.hpp"

#include <Eigen/Cholesky>
#include <cmath>

namespace vinculum::solvers {
namespace {

// Four running sums in a written-out order: fast, and the same bits everywhere.
double dot(const double* a, const double* b, std::size_t n) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  std::size_t k = 0;
  for (; k + 4 <= n; k += 4) {
    s0 += a[k] * b[k];
    s1 += a[k + 1] * b[k + 1];
    s2 += a[k + 2] * b[k + 2];
    s3 += a[k + 3] * b[k + 3];
  }
  for (; k < n; ++k) s0 += a[k] * b[k];
  return (s0 + s1) + (s2 + s3);
}

}  // namespace

void Anderson::reset_numbers(std::size_t n) {
  n_ = n;
  columns_ = next_ = 0;
  f_square_ = -1;
  for (int k = 0; k < depth; ++k) {
    dF_[k].resize(n_);
    dG_[k].resize(n_);
  }
  f_.resize(n_);
  f_last_.resize(n_);
  g_last_.resize(n_);
}

void Anderson::remember(const double* g) {
  double* dF = dF_[next_].data();
  double* dG = dG_[next_].data();
  for (std::size_t k = 0; k < n_; ++k) {
    dF[k] = f_[k] - f_last_[k];
    dG[k] = g[k] - g_last_[k];
  }
  columns_ = std::min(columns_ + 1, depth);
  for (int j = 0; j < columns_; ++j) gram_[next_][j] = gram_[j][next_] = dot(dF, dF_[j].data(), n_);
  next_ = (next_ + 1) % depth;
}

void Anderson::accelerate(const double* x, double* g) {
  if (n_ == 0) return;
  for (std::size_t k = 0; k < n_; ++k) f_[k] = g[k] - x[k];
  const double square = dot(f_.data(), f_.data(), n_);
  if (f_square_ >= 0 && square > 4 * f_square_) {
    columns_ = next_ = 0;
  } else if (f_square_ >= 0) {
    remember(g);
  }
  f_square_ = square;
  std::copy(f_.begin(), f_.end(), f_last_.begin());
  std::copy(g, g + n_, g_last_.begin());
  if (columns_ == 0) return;

  using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, depth, depth>;
  using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, depth, 1>;
  Small H(columns_, columns_);
  Column rhs(columns_);
  for (int i = 0; i < columns_; ++i) {
    for (int j = 0; j < columns_; ++j) H(i, j) = gram_[i][j];
    rhs[i] = dot(dF_[i].data(), f_.data(), n_);
  }
  const double trace = H.trace();
  if (!(trace > 0)) return;
  H.diagonal().array() += 1e-12 * trace;
  const Column weight = H.ldlt().solve(rhs);
  if (!weight.allFinite()) return;
  for (int j = 0; j < columns_; ++j) {
    const double w = weight[j];
    const double* dG = dG_[j].data();
    for (std::size_t k = 0; k < n_; ++k) g[k] -= w * dG[k];
  }
}

}  // namespace vinculum::solvers
