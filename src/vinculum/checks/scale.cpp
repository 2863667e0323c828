// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/checks/scale.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::checks {

namespace {

constexpr double roundings = 8;

/// |M^½ v| of all bodies, before or after the step: velocities of joints and contacts are differences of these.
double motion_of(const Replay& step) {
  double most = 0;
  for (const Speeds* speeds : {&step.at_node, &step.at_plus}) {
    double sum = 0;
    for (std::size_t b = 0; b < step.model.bodies.size(); ++b) {
      const double spin = step.size[b] * speeds->w[b].norm();
      sum += step.model.bodies[b].mass * (speeds->v[b].squaredNorm() + spin * spin);
    }
    most = std::max(most, std::sqrt(sum));
  }
  return most;
}

/// ξ of a contact that lands holds 2 g_m / dt, and its gap is a difference of coordinates.
double landing_of(const Replay& step) {
  double most = 0;
  for (const ContactView& contact : step.contacts) {
    if (contact.record->mode != Mode::landing) continue;
    const double reach = contact.mid.point.norm() + step.pair_size(contact.body_a, contact.body_b);
    most = std::max(most, contact.weight * 2 * reach / step.dt);
  }
  return most;
}

}  // namespace

double side_of_cone(const ContactView& contact) {
  return contact.bond || contact.rows == 1 ? 1 : std::hypot(1, contact.law.mu);
}

double law_scale(const Replay& step) {
  double c = 0, Lambda = 0, xi = 0;
  for (const ContactView& contact : step.contacts) {
    if (contact.weight == 0) continue;
    c += (contact.weight * contact.c.head(contact.rows)).squaredNorm();
    xi += (contact.weight * contact.xi.head(contact.rows)).squaredNorm();
    Lambda += (contact.record->Lambda.head(contact.rows) / contact.weight).squaredNorm();
  }
  for (std::size_t i = 0; step.trees && i < step.trees->views.size(); ++i) {
    const JointLawView& view = step.trees->views[i];
    c += (view.weight * view.c).squaredNorm();
    xi += (view.weight * view.xi).squaredNorm();
    Lambda += view.Lambda().squaredNorm();
  }
  if (c != c || xi != xi || Lambda != Lambda) return std::sqrt(c + xi + Lambda);
  const double rounding = roundings * std::numeric_limits<double>::epsilon() * (motion_of(step) + landing_of(step));
  return std::max(std::sqrt(std::max({c, Lambda, xi})), rounding / step.tol);
}

}  // namespace vinculum::checks
