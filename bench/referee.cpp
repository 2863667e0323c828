// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "referee.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::bench {

Referee::Referee(const model::Model& model)
    : system_(model),
      start_(make_initial_state(model, system_).q),
      search_(system_),
      margin_(system_.body_count(), 0.0) {}

Figures Referee::judge(const Motion& motion) {
  Figures figures;
  for (std::size_t b = 0; b < system_.body_count(); ++b) {
    const Vec3 &x = motion.q.x[b], &v = motion.v[b], &w = motion.w[b];
    if (!(x.allFinite() && v.allFinite() && w.allFinite() && motion.q.R[b].coeffs().allFinite())) {
      figures.finite = false;
      return figures;
    }
    figures.creep = std::max(figures.creep, (x - start_.x[b]).norm());
    figures.speed = std::max(figures.speed, v.norm() + w.norm() * system_.bodies.size[b]);
  }
  figures.energy = energy(motion);
  search_.find(motion.q, margin_, found_);
  for (const collide::Contact& contact : found_) figures.overlap = std::max(figures.overlap, -contact.at.gap);
  return figures;
}

double Referee::energy(const Motion& motion) const {
  double sum = 0;
  for (std::size_t b = 0; b < system_.body_count(); ++b) {
    const Vec3 w_B = motion.q.R[b].conjugate() * motion.w[b];
    const double m = system_.bodies.mass[b];
    sum += 0.5 * m * motion.v[b].squaredNorm() + 0.5 * w_B.dot(system_.bodies.inertia[b] * w_B) -
           m * system_.gravity.dot(motion.q.x[b]);
  }
  return sum;
}

double Referee::squared_overlaps(const Motion& motion) {
  search_.find(motion.q, margin_, found_);
  double sum = 0;
  for (const collide::Contact& contact : found_) sum += std::min(contact.at.gap, 0.0) * std::min(contact.at.gap, 0.0);
  return sum;
}

}  // namespace vinculum::bench
