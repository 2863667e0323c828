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

// x −= Σ w_j d_j
template <std::size_t depth>
void subtract(const std::array<double, depth>& w, const std::array<std::vector<double>, depth>& d, int columns,
              double* x, std::size_t n) {
  for (int j = 0; j < columns; ++j) {
    const double* dj = d[j].data();
    for (std::size_t k = 0; k < n; ++k) x[k] -= w[j] * dj[k];
  }
}

}  // namespace

void Anderson::reset(std::size_t numbers) {
  n_ = numbers;
  columns_ = next_ = 0;
  f_square_ = -1;
  for (int k = 0; k < depth_; ++k) {
    dF_[k].resize(n_);
    dG_[k].resize(n_);
  }
  f_.resize(n_);
  g_.resize(n_);
}

// Differences to the last call, in the place of the oldest; returns |f|².
double Anderson::add_column(const double* x, const double* g, std::span<const double> image) {
  double* dF = dF_[next_].data();
  double* dG = dG_[next_].data();
  for (std::size_t k = 0; k < n_; ++k) {
    const double f = g[k] - x[k];
    dF[k] = f - f_[k];
    dG[k] = g[k] - g_[k];
    f_[k] = f;
    g_[k] = g[k];
  }
  dL_[next_].resize(image.size());
  L_.resize(image.size());
  double* dL = dL_[next_].data();
  for (std::size_t k = 0; k < image.size(); ++k) {
    dL[k] = image[k] - L_[k];
    L_[k] = image[k];
  }
  return dot(f_.data(), f_.data(), n_);
}

bool Anderson::find_weights(std::array<double, deepest>& weight) {
  using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, deepest, deepest>;
  using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, deepest, 1>;
  Small H(columns_, columns_);
  Column rhs(columns_);
  for (int i = 0; i < columns_; ++i) {
    for (int j = 0; j < columns_; ++j) H(i, j) = gram_[i][j];
    rhs[i] = dot(dF_[i].data(), f_.data(), n_);
  }
  const double trace = H.trace();
  if (!(trace > 0)) return false;
  H.diagonal().array() += 1e-12 * trace;
  const Column solution = H.ldlt().solve(rhs);
  for (int j = 0; j < columns_; ++j) weight[static_cast<std::size_t>(j)] = solution[j];
  return solution.allFinite();
}

void Anderson::accelerate(const double* x, double* g, std::span<double> image) {
  if (n_ == 0) return;
  const double last = f_square_;
  f_square_ = add_column(x, g, image);
  if (last < 0 || f_square_ > 4 * last) {
    columns_ = next_ = 0;
    return;
  }
  columns_ = std::min(columns_ + 1, depth_);
  for (int j = 0; j < columns_; ++j) {
    gram_[next_][j] = gram_[j][next_] = dot(dF_[next_].data(), dF_[j].data(), n_);
  }
  next_ = (next_ + 1) % depth_;
  std::array<double, deepest> weight{};
  if (!find_weights(weight)) return;
  subtract(weight, dG_, columns_, g, n_);
  subtract(weight, dL_, columns_, image.data(), image.size());
}

}  // namespace vinculum::solvers
