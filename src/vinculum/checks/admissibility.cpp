// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Λ_N >= 0 and |Λ_T| <= μ Λ_N; a frictionless contact has Λ_T = 0. Limits of joints Λ >= 0, dry friction of joints
// |Λ| <= dt friction. Distances in units of the step's scale.
#include "vinculum/checks/check.hpp"

#include <algorithm>
#include <cmath>
#include "vinculum/checks/scale.hpp"

namespace vinculum::checks {

using model::world;

namespace {

class Admissibility final : public Check {
 public:
  Admissibility() { outcome.unit = "of the step scale"; }
  void look(const Replay& step) override {
    if (step.coordinates) {
      for (const LawView& law : step.coordinates->laws) {
        note(law.distance / step.coordinates->scale, step.tol, step.t, law.name);
      }
    }
    const double scale = law_scale(step);
    for (std::size_t i = 0; step.trees && i < step.trees->views.size(); ++i) {
      const JointLawView& view = step.trees->views[i];
      double unused = 0;  // rows that the law does not have
      for (int k = view.law->rows; k < 3; ++k) unused = largest({unused, std::abs(view.Lambda()[k])});
      note(scale == 0 ? 0 : unused / scale, 0, step.t, view.law->name);
      if (view.law->is_bond() || view.law->kind == JointLaw::Kind::spring) continue;
      const double bound = view.law->is_limit() ? 0 : step.dt * view.law->bound / view.weight,
                   Lambda = view.Lambda().x();
      const double off = view.law->is_limit() ? largest({0, -Lambda}) : largest({0, std::abs(Lambda) - bound});
      note(scale == 0 ? 0 : off / scale, step.tol, step.t, view.law->name);
    }
    for (const ContactView& contact : step.contacts) {
      if (contact.bond || contact.weight == 0) continue;
      const Vec3 Lambda = contact.record->Lambda / contact.weight;
      const double pull = largest({0, -Lambda.x()});
      const double excess = largest({0, Lambda.tail<2>().norm() - contact.law.mu * largest({0, Lambda.x()})});
      note(scale == 0 ? 0 : largest({pull, excess}) / scale, step.tol, step.t, contact.name);
    }
  }
};

}  // namespace

std::unique_ptr<Check> make_admissibility() { return std::make_unique<Admissibility>(); }

}  // namespace vinculum::checks
