// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// One pair of shapes of a system, without a broad phase.
#include "vinculum/collide/contact_set.hpp"

namespace vinculum::collide {

void find_pair(const system::System& system, int shape_a, int shape_b, const system::Configuration& q, double margin,
               ContactSet& out) {
  const system::Collider& a = system.shapes[static_cast<std::size_t>(shape_a)];
  const system::Collider& b = system.shapes[static_cast<std::size_t>(shape_b)];
  const Pose X_a = q.pose(a.body), X_b = q.pose(b.body);
  const std::size_t first = out.size();
  collide_pair(a.geometry, X_a * a.X_BS, b.geometry, X_b * b.X_BS, margin, out);
  for (std::size_t i = first; i < out.size(); ++i) {
    Contact& contact = out[i];
    contact.shape_a = shape_a;
    contact.shape_b = shape_b;
    contact.body_a = a.body;
    contact.body_b = b.body;
    contact.feature.P_a = a.X_BS * contact.feature.P_a;
    contact.feature.P_b = b.X_BS * contact.feature.P_b;
    contact.feature.dir_a = a.X_BS.R * contact.feature.dir_a;
    contact.feature.dir_b = b.X_BS.R * contact.feature.dir_b;
    contact.at = evaluate(contact.feature, X_a, X_b);
  }
}

}  // namespace vinculum::collide
