// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/modes.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::integrators {

namespace {

const double settling = 6 - 4 * std::sqrt(2.0);  // σ: the double root of λ² − (1 − σ/2) λ + σ/2

}  // namespace

std::string_view to_string(Mode mode) {
  switch (mode) {
    case Mode::impact:
      return "impact";
    case Mode::held:
      return "held";
    case Mode::landing:
      return "landing";
    case Mode::bond:
      return "bond";
    case Mode::acting:
      return "acting";
    case Mode::projected:
      return "projected";
    case Mode::settled:
      return "settled";
    case Mode::wedged:
      return "wedged";
    case Mode::nudged:
      return "nudged";
  }
  return "unknown";
}

Mode decide_mode(const NodeView& view, double dt, double e_N, const Thresholds& thresholds) {
  const double gamma_N = view.gamma_node.x();
  const double tau_v = thresholds.tau_v + 2 * std::abs(view.beta.x());
  const bool closes = std::max(view.gap_node, 0.0) + dt * gamma_N < -dt * tau_v;
  if (closes && view.gamma_minus.x() < 0) return Mode::impact;
  if (view.gap_node <= thresholds.tau_g && gamma_N <= tau_v) return Mode::held;
  return e_N == 1 ? Mode::impact : Mode::landing;
}

bool has_arrived(const NodeView& view, double dt, const Thresholds& thresholds) {
  const double beta = view.beta.x();
  return view.turn <= most_spin && view.gap_node <= 0.5 * dt * beta &&
         std::abs(view.gamma_node.x()) <= thresholds.tau_v + 2 * beta;
}

bool sticks_at_node(const NodeView& view, const Thresholds& thresholds) {
  return view.gamma_node.tail<2>().norm() <= view.beta.tail<2>().norm() + thresholds.tau_v;
}

Vec3 law_offset(const NodeView& view, Mode mode, double dt, double e_N, double e_T, const Thresholds& thresholds) {
  Vec3 offset = Vec3::Zero();
  if (mode == Mode::wedged) return offset;
  if (mode == Mode::impact) {
    offset.x() = e_N * view.gamma_minus.x();
    offset.tail<2>() = e_T * view.gamma_minus.tail<2>();
    return offset;
  }
  const double beta = view.beta.x(), gap = view.gap_node;
  if (mode != Mode::landing) {
    offset.x() = beta;
  } else if (has_arrived(view, dt, thresholds)) {
    offset.x() = beta + settling * (gap / dt - 0.25 * beta);
  } else {
    offset.x() = 2 * (view.gap_mid - std::min(gap, 0.0)) / dt + 0.5 * std::min(beta, 0.0);
  }
  if (sticks_at_node(view, thresholds)) offset.tail<2>() = view.beta.tail<2>();
  return offset;
}

}  // namespace vinculum::integrators
