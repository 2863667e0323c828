// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Contacts that the run calls wedged ask for ξ = γ⁺ instead of what their gaps, turning and restitution say, o. They
// may do so only where the laws contradict each other, and the record proves it: a self-stress s (kept as Pi) with
//   s_i ∈ K_i,    |W s| ≤ 2e-4 |s|,    Σ s_i·(γ⁺_i + o_i) < 0
// No impulse changes Σ s·γ⁺ = (W s)·v⁺, next to nothing, while contacts that all hold would make the sum zero.
#include "vinculum/checks/replay.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::checks {

using model::world;

namespace {

constexpr double moves_less = 2e-4;  // twice what the run asks for: it knows W from other roundings
constexpr double outside = 1e-6;     // of the cone, relative

bool in_cone(const Vec3& s, double mu, int rows) {
  return s.x() >= 0 && (rows == 3 ? s.tail<2>().norm() <= (1 + outside) * mu * s.x() : s.tail<2>().isZero(0));
}

}  // namespace

/// |W s|², unit-free.
double Replay::motion_of_stress() const {
  Pushes sum;
  if (trees) sum.clear(trees->linkage);
  if (!trees) sum.p.assign(model.bodies.size(), Vec3::Zero()), sum.l = sum.p;
  for (const ContactView& view : contacts) {
    if (view.record->mode != Mode::wedged) continue;
    const Vec3 F = view.mid.F * view.record->Pi;
    for (const int body : {view.body_a, view.body_b}) {
      if (body == world) continue;
      const Vec3 own = body == view.body_b ? F : Vec3(-F);
      if (trees) {
        sum.add(trees->linkage, trees->at_m, q_m, body, view.mid.point, own, Vec3::Zero());
      } else {
        const auto b = static_cast<std::size_t>(body);
        sum.p[b] += own;
        sum.l[b] += (view.mid.point - q_m.x[b]).cross(own);
      }
    }
  }
  if (trees) return stiffness_of(sum);
  double square = 0;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    square += sum.p[b].squaredNorm() / model.bodies[b].mass + sum.l[b].dot(angular_velocity(b, q_m.R[b], sum.l[b]));
  }
  return square;
}

void Replay::judge_wedges() {
  double square = 0, along = 0;
  bool any = false, admissible = true;
  for (const ContactView& view : contacts) {
    if (view.record->mode != Mode::wedged) continue;
    any = true;
    const Vec3& s = view.record->Pi;
    admissible = admissible && !view.bond && view.weight > 0 && in_cone(s, view.law.mu, view.rows);
    if (view.weight > 0) square += s.squaredNorm() * view.rows / (view.weight * view.weight);
    along += s.dot(view.gamma_plus + view.dropped);
  }
  if (!any) return;
  const bool proved = admissible && along < 0 && motion_of_stress() <= moves_less * moves_less * square;
  for (ContactView& view : contacts) {
    if (view.record->mode == Mode::wedged) view.mode_agrees = proved;
  }
}

}  // namespace vinculum::checks
