// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// ξ_N >= 0 and Λ_N ξ_N = 0, as the natural map |min(Λ'_N, ξ'_N)|; rods: |ξ'| = 0. In units of the step's scale.
#include "vinculum/checks/check.hpp"

#include <algorithm>
#include <cmath>
#include "vinculum/checks/scale.hpp"

namespace vinculum::checks {

using model::world;

namespace {

class Complementarity final : public Check {
 public:
  Complementarity() { outcome.unit = "of the step scale"; }
  void look(const Replay& step) override {
    const double scale = law_scale(step);
    for (std::size_t i = 0; step.trees && i < step.trees->views.size(); ++i) {  // limits and bonds of joints
      const JointLawView& view = step.trees->views[i];
      if (view.law->kind == JointLaw::Kind::friction) continue;
      note(scale == 0 ? 0 : view.defect(step.dt).norm() / scale, step.tol, step.t, view.law->name);
    }
    for (const ContactView& contact : step.contacts) {
      if (contact.weight == 0) continue;
      const double Lambda = contact.record->Lambda.x() / contact.weight, xi = contact.weight * contact.xi.x();
      const double residual = contact.bond ? std::abs(xi) : std::abs(std::min(Lambda, xi));
      note(scale == 0 ? 0 : residual / scale, side_of_cone(contact) * step.tol, step.t, contact.name);
    }
  }
};

}  // namespace

std::unique_ptr<Check> make_complementarity() { return std::make_unique<Complementarity>(); }

}  // namespace vinculum::checks
