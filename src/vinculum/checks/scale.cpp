// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/checks/scale.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::checks {

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
  return std::sqrt(c != c || xi != xi || Lambda != Lambda ? c + xi + Lambda : std::max({c, Lambda, xi}));
}

}  // namespace vinculum::checks
