// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// All laws of a step at once, in unit-free variables:
//   ( Σ_i |Λ'_i − P_K(Λ'_i − ξ'_i − μ|ξ'_T| n)|² )^½ / max(|c'|, |Λ'|, |ξ'|)
// P_K the projection onto the friction cone K = { |Λ_T| <= μ Λ_N } (De Saxcé's form of Coulomb's law).
#include "vinculum/checks/check.hpp"

#include <algorithm>
#include <cmath>
#include "vinculum/checks/scale.hpp"

namespace vinculum::checks {

using model::world;

namespace {

class NaturalMap final : public Check {
 public:
  NaturalMap() { outcome.unit = "of the step scale"; }
  void look(const Replay& step) override {
    if (step.coordinates) {
      for (const LawView& law : step.coordinates->laws) {
        note(law.defect.norm() / step.coordinates->scale, step.tol, step.t, law.name);
      }
    }
    const double scale = law_scale(step);
    double sum = 0, largest = -1;
    const std::string* worst = nullptr;
    for (std::size_t i = 0; step.trees && i < step.trees->views.size(); ++i) {
      const double part = step.trees->views[i].defect(step.dt).squaredNorm();
      sum += part;
      if (!(part <= largest)) largest = part, worst = &step.trees->views[i].law->name;
    }
    for (const ContactView& contact : step.contacts) {
      if (contact.weight == 0) continue;
      const double part = defect(contact).squaredNorm();
      sum += part;
      if (part > largest) largest = part, worst = &contact.name;
    }
    if (worst) note(scale == 0 ? 0 : std::sqrt(sum) / scale, step.tol, step.t, *worst);
  }

 private:
  static Vec3 project_cone(const Vec3& y, double mu) {
    const double t = y.tail<2>().norm();
    if (t <= mu * y.x()) return y;
    if (mu * t <= -y.x()) return Vec3::Zero();
    const double x = (y.x() + mu * t) / (1 + mu * mu);
    return {x, mu * x * y.y() / t, mu * x * y.z() / t};
  }
  static Vec3 defect(const ContactView& contact) {
    Vec3 Lambda = contact.record->Lambda / contact.weight, xi = contact.weight * contact.xi;
    if (contact.bond) return {xi.x(), 0, 0};
    if (contact.rows == 1) return {std::min(Lambda.x(), xi.x()), 0, 0};
    xi.x() += contact.law.mu * xi.tail<2>().norm();
    return Lambda - project_cone(Lambda - xi, contact.law.mu);
  }
};

}  // namespace

std::unique_ptr<Check> make_natural_map() { return std::make_unique<NaturalMap>(); }

}  // namespace vinculum::checks
