// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// One pair of shapes of a system, without a broad phase.
#include "vinculum/collide/search_buffers.hpp"

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
    set_pair(shape_a, shape_b, a, b, contact);
    move_to_body(a, b, contact);
    contact.at = evaluate(contact.feature, X_a, X_b);
  }
}

}  // namespace vinculum::collide
