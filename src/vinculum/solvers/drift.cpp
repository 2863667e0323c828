// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/drift.hpp"

#include <algorithm>

namespace vinculum::solvers {
namespace {

constexpr double kFarthest = 600;  // in units of d₂: also where it does not shrink at all

}  // namespace

double drift_length(double d1_d1, double d1_d2) {
  return d1_d2 <= 0 ? 0.0 : std::min(kFarthest, d1_d2 / std::max(d1_d1 - d1_d2, d1_d2 / kFarthest));
}

double Drift::step(const ScaledProblem& scaled, Sweeper& sweeper, int sweeps, std::vector<Vec3>& r,
                   std::vector<Vec3>& swept) {
  half_ = r;
  sweeper.start(half_);
  for (int k = 0; k < sweeps; ++k) sweeper.sweep(half_);
  swept = half_;
  for (int k = 0; k < sweeps; ++k) sweeper.sweep(swept);
  scaled.impulse_to_nodes(swept, z_);
  scaled.velocity(z_, u_);

  double d1_d1 = 0, d1_d2 = 0;
  for (std::size_t i = 0; i < r.size(); ++i) {
    const Vec3 d1 = half_[i] - r[i];
    d1_d1 += d1.squaredNorm();
    d1_d2 += d1.dot(swept[i] - half_[i]);
  }
  const double tau = drift_length(d1_d1, d1_d2);
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = swept[i] + tau * (swept[i] - half_[i]);
  make_admissible(scaled, r);
  return scaled.error(swept, u_);
}

}  // namespace vinculum::solvers
