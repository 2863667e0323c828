// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/energy.hpp"

#include "vinculum/integrators/places.hpp"

#include <algorithm>
#include <limits>

namespace vinculum::integrators {
namespace {

/// Of the tolerance, where it says which contacts are near. Four tenths of the longest way in a step would make every
/// neighbour active; open ones take no impulse, but the free velocity with which they could close enters the norms that
/// errors are measured by, so that impulses out of date pass for a solution.
constexpr double loosest_near = 1e-2;

}  // namespace

void book_contact(Mode mode, const Vec3& Lambda, const Vec3& gamma, Ledger& ledger) {
  const double normal = Lambda.x() * gamma.x();
  const double tangent = Lambda.tail<2>().dot(gamma.tail<2>());
  if (mode == Mode::bond) {
    ledger.work_bonds += normal;
  } else if (mode == Mode::impact) {
    ledger.work_impact += normal;
    ledger.work_friction += tangent;
  } else {
    ledger.work_impact += std::min(normal, 0.0);
    ledger.work_friction += std::min(tangent, 0.0);
    ledger.scheme += std::max(normal, 0.0) + std::max(tangent, 0.0);
  }
}

void book_tree_law(Mode mode, const Vec3& Lambda, const Vec3& gamma, Ledger& ledger) {
  const double work = Lambda.dot(gamma);
  if (mode == Mode::bond) {
    ledger.work_bonds += work;
  } else if (mode == Mode::impact) {
    ledger.work_impact += work;
  } else {
    (mode == Mode::acting ? ledger.work_friction : ledger.work_impact) += std::min(work, 0.0);
    ledger.scheme += std::max(work, 0.0);
  }
}

void book_forces(const system::System& system, double t, double dt, const system::Configuration& q_m,
                 const motion::Velocity& before, const motion::Velocity& after, Ledger& ledger) {
  for (const system::Force& force : system.forces) {
    if (t < force.from || t >= force.to || system.linked(force.body)) continue;
    const auto b = static_cast<std::size_t>(force.body);
    const algebra::Quat& R = q_m.R[b];
    const Vec3 f = force.body_axes ? R * force.force : force.force;
    const Vec3 torque = (force.body_axes ? R * force.torque : force.torque) + (R * force.point).cross(f);
    ledger.work_forces += 0.5 * dt * (f.dot(before.v[b] + after.v[b]) + torque.dot(before.w[b] + after.w[b]));
  }
}

Thresholds thresholds(const system::System& system, const std::vector<double>& speeds, const system::Configuration& q,
                      double dt, double tol) {
  double speed = 0, reach = system.length_scale;
  for (std::size_t b = 0; b < system.body_count(); ++b) {
    speed = std::max(speed, speeds[b]);
    reach = std::max(reach, q.x[b].cwiseAbs().maxCoeff());
  }
  const double largest = speed + dt * system.gravity.norm(), tau_v = tol * largest;
  const double rounding = 8 * std::numeric_limits<double>::epsilon() * reach;
  return {tau_v, dt * tau_v + rounding, closed_factor * (dt * std::min(tol, loosest_near) * largest + rounding)};
}

}  // namespace vinculum::integrators
