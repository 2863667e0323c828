// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The energy ledger, recomputed:
//   E_{k+1} − E_k = Σ Λ·(γ⁻ + γ⁺)/2 + W_forces + W_pos,   W_pos = (T + V)(q_{k+1}) − (T + V)(q*)
// Work of contacts that are not impacts is a loss, or the scheme's doing. Closure and the recorded entries are compared
// With joints the midpoint rule keeps no energy of its own: `scheme` is what is left, so that the closure says nothing;
// kinetic and potential energy, springs and works are still compared. Both are compared
// with the energy the step handles: |ΔT| + |ΔV| + the sizes of all works + 1e-4 of T (round-off of v is relative to v).
// Drives that hold a joint work with forces that are differences: rounding is that of what they are differences of.
#include "vinculum/checks/check.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::checks {

using model::world;

namespace {

class Energy final : public Check {
 public:
  Energy() { outcome.unit = "J"; }
  void look(const Replay& step) override {
    if (step.coordinates && step.model.bodies.empty()) {
      const Coordinates& at = *step.coordinates;
      note(largest_difference(at.ledger, step.record.ledger), 1e-8 * at.handled, step.t, at.name());
      return;
    }
    integrators::Ledger mine;
    double handled = 0, drop = 0, before = 0;
    for (const ContactView& contact : step.contacts) book(contact, mine, handled);
    mine.work_forces = step.work_forces;
    for (std::size_t b = 0; b < step.model.bodies.size(); ++b) {
      // Round-off of the potential, which hangs on the choice of the origin: of a body there, that of its size.
      drop += 1e-16 * step.model.bodies[b].mass * step.model.gravity.norm() * step.size[b];
      if (step.trees && step.trees->linkage.linked[b]) continue;
      const double T_0 = step.kinetic(b, step.q_k.R[b], step.p_k), V_0 = step.potential(b, step.q_k);
      const double T_1 = step.kinetic(b, step.q_1.R[b], step.p_1), V_1 = step.potential(b, step.q_1);
      const double T_star = step.kinetic(b, step.q_star.R[b], step.p_1), V_star = step.potential(b, step.q_star);
      mine.scheme += T_1 - T_star + V_1 - V_star;
      mine.kinetic += T_1;
      mine.potential += V_1;
      before += T_0 + V_0;
      handled += std::abs(T_1 - T_0) + std::abs(V_1 - V_0) + 1e-4 * (T_0 + T_1);
      drop += 1e-16 * std::abs(V_1);
    }
    if (step.trees) {
      const Trees& trees = *step.trees;
      for (const JointLawView& view : trees.views) book(view, step.dt, mine, handled);
      double T_0 = 0, T_1 = 0;
      const double V_0 = trees.energy(trees.q_k, trees.v_k, trees.at_k, T_0) + spring_energy(trees.linkage, step.q_k);
      const double V_1 = trees.energy(trees.q_1, trees.v_1, trees.at_1, T_1) + spring_energy(trees.linkage, step.q_1);
      mine.kinetic += T_1;
      mine.potential += V_1;
      before += T_0 + V_0;
      handled += std::abs(T_1 - T_0) + std::abs(V_1 - V_0) + 1e-4 * (T_0 + T_1);
      drop += 1e-16 * (std::abs(V_1) + trees.worked);
      mine.scheme = mine.kinetic + mine.potential - before - mine.work_impact - mine.work_friction - mine.work_bonds -
                    mine.work_forces;
    }
    if (step.coordinates) add(*step.coordinates, mine, before, handled);
    const double works = mine.work_impact + mine.work_friction + mine.work_bonds + mine.work_forces + mine.scheme;
    handled += std::abs(mine.work_forces) + std::abs(mine.scheme);
    const double tolerance = 1e-8 * handled + 1e3 * drop;
    const double closure = std::abs(mine.kinetic + mine.potential - before - works);
    note(closure, tolerance, step.t, "the whole scene");
    note(largest_difference(mine, step.record.ledger), tolerance, step.t, "the recorded ledger");
  }

 private:
  /// The Lagrangian part closes its own ledger.
  static void add(const Coordinates& part, integrators::Ledger& ledger, double& before, double& handled) {
    const integrators::Ledger& own = part.ledger;
    ledger.kinetic += own.kinetic;
    ledger.potential += own.potential;
    ledger.work_forces += own.work_forces;
    ledger.work_impact += own.work_impact;
    ledger.work_friction += own.work_friction;
    ledger.work_bonds += own.work_bonds;
    ledger.scheme += own.scheme;
    before += own.kinetic + own.potential - own.sum();
    handled += part.handled;
  }
  static void book(const ContactView& contact, integrators::Ledger& ledger, double& handled) {
    const Vec3 mean = 0.5 * (contact.gamma_minus + contact.gamma_plus);
    const double normal = contact.record->Lambda.x() * mean.x();
    const double tangent = contact.record->Lambda.tail<2>().dot(mean.tail<2>());
    handled += std::abs(normal) + std::abs(tangent);
    if (contact.bond) {
      ledger.work_bonds += normal;
    } else if (contact.record->mode == Mode::impact) {
      ledger.work_impact += normal;
      ledger.work_friction += tangent;
    } else {
      (normal > 0 ? ledger.scheme : ledger.work_impact) += normal;
      (tangent > 0 ? ledger.scheme : ledger.work_friction) += tangent;
    }
  }
  static void book(const JointLawView& view, double dt, integrators::Ledger& ledger, double& handled) {
    const Vec3 mean = 0.5 * (view.gamma_minus + view.gamma_plus);
    const double work = view.record->Lambda.dot(mean);
    handled += std::abs(work);
    if (view.law->kind == JointLaw::Kind::spring) {  // its energy is part of the potential
      ledger.work_forces -= dt * view.law->damping * mean.x() * mean.x();
    } else if (view.law->is_bond()) {
      ledger.work_bonds += work;
    } else if (view.record->mode == Mode::impact) {
      ledger.work_impact += work;
    } else if (work <= 0) {
      (view.law->is_limit() ? ledger.work_impact : ledger.work_friction) += work;
    }
  }
  static double largest_difference(const integrators::Ledger& a, const integrators::Ledger& b) {
    return largest({std::abs(a.work_forces - b.work_forces), std::abs(a.work_impact - b.work_impact),
                    std::abs(a.work_friction - b.work_friction), std::abs(a.work_bonds - b.work_bonds),
                    std::abs(a.scheme - b.scheme), std::abs(a.kinetic - b.kinetic),
                    std::abs(a.potential - b.potential)});
  }
};

}  // namespace

std::unique_ptr<Check> make_energy() { return std::make_unique<Energy>(); }

}  // namespace vinculum::checks
