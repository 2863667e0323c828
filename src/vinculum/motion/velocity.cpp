// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/motion/velocity.hpp"

#include "vinculum/motion/flow.hpp"

namespace vinculum::motion {

void velocity(const system::System& system, const system::Configuration& q, const std::vector<algebra::Vec3>& p,
              const std::vector<algebra::Vec3>& l, Velocity& out) {
  const std::size_t n = system.body_count();
  out.v.resize(n);
  out.w.resize(n);
  if (all_linked(system)) return;
  for (std::size_t b = 0; b < n; ++b) {
    if (system.linked(static_cast<int>(b))) {  // its trees know
      out.v[b].setZero();
      out.w[b].setZero();
      continue;
    }
    out.v[b] = p[b] / system.bodies.mass[b];
    out.w[b] = angular_velocity(system, b, q.R[b], l[b]);
  }
}

}  // namespace vinculum::motion
