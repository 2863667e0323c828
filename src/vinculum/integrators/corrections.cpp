// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/corrections.hpp"

namespace vinculum::integrators {
namespace {

constexpr double least_new = 0.01;  // square: part of a pair that those before it must leave to count as another one

constexpr Eigen::Index n = Corrections::kept;

}  // namespace

/// By elimination, without pairs that hardly differ from those before them.
void Corrections::Fit::solve() {
  std::array<bool, n> counts{};
  for (int i = 0; i < n; ++i) {
    const double square = G[i][i];
    for (int k = 0; k < i; ++k) {
      if (!counts[k]) continue;
      const double part = G[k][i] / G[k][k];
      for (int j = i; j <= n; ++j) G[i][j] -= part * G[k][j];
    }
    counts[i] = G[i][i] > least_new * square;
  }
  for (int i = n - 1; i >= 0; --i) {
    double value = G[i][n];
    for (int j = i + 1; j < n; ++j) value -= G[i][j] * a[j];
    a[i] = counts[i] ? value / G[i][i] : 0;
  }
}

void Corrections::resize(Eigen::Index coordinates, std::size_t trees) {
  pairs.setZero(coordinates, 2 * kept);
  fits_.resize(trees);
}

void Corrections::foresee(const Eigen::VectorXd& before, std::span<const Run> runs, Eigen::VectorXd& z) {
  foreseen_ = true;
  z_first_ = z;
  d_ = z - before;
  fits_.assign(fits_.size(), Fit{});
  for (const Run& run : runs) {
    Fit& fit = fits_[run.tree];
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto own = pairs.col(i).segment(run.begin, run.count);
      for (Eigen::Index j = i; j < n; ++j) fit.G[i][j] += own.dot(pairs.col(j).segment(run.begin, run.count));
      fit.G[i][n] += own.dot(d_.segment(run.begin, run.count));
    }
  }
  for (Fit& fit : fits_) fit.solve();
  for (const Run& run : runs) {
    for (Eigen::Index i = 0; i < n; ++i) {
      z.segment(run.begin, run.count) += fits_[run.tree].a[i] * pairs.col(n + i).segment(run.begin, run.count);
    }
  }
}

/// The oldest pair gives way.
void Corrections::keep(const Eigen::VectorXd& z, bool useful) {
  if (useful && foreseen_) {
    for (Eigen::Index i = n - 1; i > 0; --i) {
      pairs.col(i) = pairs.col(i - 1);
      pairs.col(n + i) = pairs.col(n + i - 1);
    }
    pairs.col(0) = d_;
    pairs.col(n) = z - z_first_;
  }
  foreseen_ = false;
}

}  // namespace vinculum::integrators
