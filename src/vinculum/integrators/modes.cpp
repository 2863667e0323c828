// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/modes.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::integrators {

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

Vec3 law_offset(const NodeView& view, Mode mode, double dt, double e_N, double e_T, const Thresholds& thresholds) {
  const auto slip = view.gamma_node.tail<2>().norm();
  const bool sticks = slip <= view.beta.tail<2>().norm() + thresholds.tau_v;
  Vec3 offset = Vec3::Zero();
  if (mode == Mode::wedged) return offset;
  if (mode == Mode::impact) {
    offset.x() = e_N * view.gamma_minus.x();
    offset.tail<2>() = e_T * view.gamma_minus.tail<2>();
    return offset;
  }
  offset.x() = mode == Mode::landing
                   ? 2 * (view.gap_mid - std::min(view.gap_node, 0.0)) / dt + 0.5 * std::min(view.beta.x(), 0.0)
                   : view.beta.x();
  if (sticks) offset.tail<2>() = view.beta.tail<2>();
  return offset;
}

}  // namespace vinculum::integrators
