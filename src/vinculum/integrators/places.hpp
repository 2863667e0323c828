// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a midpoint step looks: the configurations q_k, q_m, q_e and the velocities of all bodies there.
#pragma once

#include "vinculum/integrators/modes.hpp"
#include "vinculum/motion/velocity.hpp"

namespace vinculum::integrators {

struct Places {
  system::Configuration q_k, q_m, q_e;
  // (q_k, p_k) (q_m, p_k) (q_m, p_f) (q_e, p_k) (q_m, p_f + what the impulses of the last step do) (q_m, p_{k+1})
  motion::Velocity at_node, at_mid, free, at_end, expected, after;
  std::vector<algebra::Mat3> turn;  // contact::make_turns at q_m
  std::vector<double> speed;        // of each body at the node: bound on that of its points
  std::vector<std::uint8_t> still;  // free bodies without momentum at the node: q_k = q_m = q_e, and no velocity there
  Thresholds thresholds;

  bool is_still(int body) const { return body == system::world || still[static_cast<std::size_t>(body)] != 0; }
};

constexpr double closed_factor = 4;  // a gap below so many tau_g counts as closed when laws are activated

}  // namespace vinculum::integrators
