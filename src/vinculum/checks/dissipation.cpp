// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Maximal dissipation: Λ_T = prox_D(Λ_T − ξ_T) on the disc D of radius μ Λ_N, i.e. stick, or Λ_T = −μ Λ_N ξ_T/|ξ_T|.
// In units of the step's scale.
#include "vinculum/checks/check.hpp"

#include <algorithm>
#include <cmath>
#include "vinculum/checks/scale.hpp"

namespace vinculum::checks {

using model::world;

namespace {

class Dissipation final : public Check {
 public:
  Dissipation() { outcome.unit = "of the step scale"; }
  void look(const Replay& step) override {
    const double scale = law_scale(step);
    for (std::size_t i = 0; step.trees && i < step.trees->views.size(); ++i) {  // dry friction of joints
      const JointLawView& view = step.trees->views[i];
      if (view.law->kind != JointLaw::Kind::friction) continue;
      note(scale == 0 ? 0 : view.defect(step.dt).norm() / scale, step.tol, step.t, view.law->name);
    }
    for (const ContactView& contact : step.contacts) {
      if (contact.rows != 3 || contact.weight == 0) continue;
      const Eigen::Vector2d Lambda = contact.record->Lambda.tail<2>() / contact.weight;
      const Eigen::Vector2d xi = contact.weight * contact.xi.tail<2>();
      const double radius = contact.law.mu * std::max(0.0, contact.record->Lambda.x() / contact.weight);
      Eigen::Vector2d y = Lambda - xi;
      if (y.norm() > radius) y *= radius / y.norm();
      note(scale == 0 ? 0 : (Lambda - y).norm() / scale, side_of_cone(contact) * step.tol, step.t, contact.name);
    }
    if (outcome.status == Status::not_applicable) outcome.why_not = "no contact with friction was recorded";
  }
};

}  // namespace

std::unique_ptr<Check> make_dissipation() { return std::make_unique<Dissipation>(); }

}  // namespace vinculum::checks
