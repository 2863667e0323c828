// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Jointed bodies in the replay of a step.
#include "vinculum/checks/landing.hpp"
#include "vinculum/checks/replay.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>

namespace vinculum::checks {

using model::world;

/// Linked bodies are where their joints put them, whatever the trace says of the bodies (`flight` compares).
void Replay::place_links() {
  const std::pair<const Posture*, Placement*> all[] = {{&trees->at_k, &q_k},
                                                       {&trees->at_m, &q_m},
                                                       {&trees->at_e, &q_e},
                                                       {&trees->at_star, &q_star},
                                                       {&trees->at_1, &q_1}};
  for (const auto& [at, q] : all) {
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      if (trees->linkage.linked[b]) q->x[b] = at->x[b], q->R[b] = at->R[b];
    }
  }
}

void Replay::speeds_of(const Placement& q, const Momentum& momentum, Speeds& out) const {
  out.v.resize(model.bodies.size()), out.w.resize(model.bodies.size());
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    out.v[b] = momentum.p[b] / model.bodies[b].mass;
    out.w[b] = angular_velocity(b, q.R[b], momentum.l[b]);
  }
}

/// v_f = v⁺ − M⁻¹ W Λ: it only sets the scale |c| of the laws, so that springs need no place in M.
void Replay::find_free() {
  Pushes sum;
  sum.clear(trees->linkage);
  for (const ContactRecord& contact : record.contacts) {
    if (is_lift(contact.mode)) continue;
    Mat3 F;
    F << contact.n, contact.t1, contact.n.cross(contact.t1);
    int a = world, b = world;
    if (contact.shape_a == -1 && static_cast<std::size_t>(contact.shape_b) < model.rods.size()) {
      a = model.rods[static_cast<std::size_t>(contact.shape_b)].a,
      b = model.rods[static_cast<std::size_t>(contact.shape_b)].b;
    } else if (contact.shape_a >= 0 &&
               static_cast<std::size_t>(std::max(contact.shape_a, contact.shape_b)) < model.shapes.size()) {
      a = model.shapes[static_cast<std::size_t>(contact.shape_a)].body,
      b = model.shapes[static_cast<std::size_t>(contact.shape_b)].body;
    }
    sum.add(trees->linkage, trees->at_m, q_m, a, contact.point, -(F * contact.Lambda), Vec3::Zero());
    sum.add(trees->linkage, trees->at_m, q_m, b, contact.point, F * contact.Lambda, Vec3::Zero());
    for (const JointLaw& law : trees->laws) {
      if (static_cast<int>(law.kind) != contact.shape_a || law.index != contact.shape_b) continue;
      sum.add(trees->linkage, trees->at_m, q_m, law, look_at(trees->linkage, law, trees->q_m, q_m), contact.Lambda);
    }
  }
  trees->v_free = trees->v_1 - trees->mass.solve(sum.tau);
  trees->linkage.move(trees->at_m, trees->v_free, at_free);
}

/// wᵀ M⁻¹ w of a unit impulse.
double Replay::stiffness_of(const Pushes& unit) const {
  double sum = trees->mass.inverse_square(unit.tau, unit.trees);
  for (const int body : unit.bodies) {
    const auto b = static_cast<std::size_t>(body);
    sum += unit.p[b].squaredNorm() / model.bodies[b].mass + unit.l[b].dot(angular_velocity(b, q_m.R[b], unit.l[b]));
  }
  return sum;
}

namespace {

/// Λ + dt (k ḡ + c γ̄) = 0 as a velocity: what multiplies γ⁺ in it is 1/compliance; returns what is neither Λ nor γ⁺.
Vec3 spring_offset(const JointLawView& view, double dt, double& compliance) {
  const double k = view.law->stiffness, c = view.law->damping, gamma = view.gamma_minus.x();
  compliance = 4 / (dt * (2 * c + dt * k));
  return {compliance * dt * (k * view.mid.gap.x() + gamma * (2 * c - dt * k) / 4), 0, 0};
}

}  // namespace

JointLawView Replay::rebuild(const ContactRecord& contact, const JointLaw& law, double tau_v, double tau_g) {
  const Linkage& links = trees->linkage;
  JointLawView view;
  view.law = &law;
  view.record = &contact;
  view.node = look_at(links, law, trees->q_k, q_k);
  view.mid = look_at(links, law, trees->q_m, q_m);
  const JointLawState end = look_at(links, law, trees->q_e, q_e);
  view.gamma_node = rate(law, view.node, trees->v_k, q_k, at_node);
  view.gamma_minus = rate(law, view.mid, trees->v_k, q_m, at_mid);
  view.gamma_plus = rate(law, view.mid, trees->v_1, q_m, at_plus);
  view.beta = rate(law, end, trees->v_k, q_e, at_end) - view.gamma_minus;
  Vec3 offset = Vec3::Zero();
  double compliance = 0;
  if (law.is_bond()) {
    view.mode_agrees = contact.mode == Mode::bond;
    offset = view.beta;
  } else if (!law.is_limit()) {
    view.mode_agrees = contact.mode == Mode::acting;
    if (law.kind == JointLaw::Kind::spring) offset = spring_offset(view, dt, compliance);
  } else {
    const double gap = view.node.gap.x(), gamma = view.gamma_node.x(), beta = view.beta.x();
    auto decide = [&](double factor) {
      const double v = factor * tau_v + 2 * std::abs(beta);
      if (std::max(gap, 0.0) + dt * gamma < -dt * v && view.gamma_minus.x() < 0) return Mode::impact;
      if (gap <= factor * tau_g && gamma <= v) return Mode::held;
      return law.e_N == 1 ? Mode::impact : Mode::landing;
    };
    view.mode_agrees = decide(0.5) == contact.mode || decide(1) == contact.mode || decide(2) == contact.mode;
    if (contact.mode == Mode::impact) offset.x() = law.e_N * view.gamma_minus.x();
    if (contact.mode == Mode::held) offset.x() = beta;
    if (contact.mode == Mode::landing) {
      offset.x() = Landing(gap, view.mid.gap.x(), gamma, beta, 0, dt, tau_v).offset;
    }
  }
  view.xi = view.gamma_plus + offset;
  view.xi.x() += compliance * contact.Lambda.x();
  view.c = rate(law, view.mid, trees->v_free, q_m, at_free) + offset;
  double trace = compliance;
  for (int k = 0; k < law.rows; ++k) {
    unit_.clear(links);
    unit_.add(links, trees->at_m, q_m, law, view.mid, Vec3::Unit(k));
    trace += stiffness_of(unit_);
  }
  view.weight = trace > 0 ? std::sqrt(law.rows / trace) : 1;
  return view;
}

/// Bonds and frictions act in every step, once; a limit that is not recorded does not close in the step.
void Replay::rebuild_joint_laws(double tau_v, double tau_g) {
  trees->views.clear();
  trees->amiss.clear();
  std::vector<char> seen(trees->laws.size(), 0);
  for (const ContactRecord& contact : record.contacts) {
    if (contact.shape_a >= -2 || is_lift(contact.mode)) continue;
    bool known = false;
    for (std::size_t i = 0; i < trees->laws.size(); ++i) {
      const JointLaw& law = trees->laws[i];
      if (static_cast<int>(law.kind) != contact.shape_a || law.index != contact.shape_b) continue;
      known = true;
      if (seen[i]) trees->amiss = law.name;
      seen[i] = 1;
      trees->views.push_back(rebuild(contact, law, tau_v, tau_g));
    }
    if (!known) trees->amiss = fmt::format("law ({}, {})", contact.shape_a, contact.shape_b);
  }
  for (std::size_t i = 0; i < trees->laws.size(); ++i) {
    const JointLaw& law = trees->laws[i];
    if (seen[i]) continue;
    if (law.is_limit()) {
      const JointLawState mid = look_at(trees->linkage, law, trees->q_m, q_m);
      const double end = mid.gap.x() + 0.5 * dt * rate(law, mid, trees->v_1, q_m, at_plus).x();
      if (end >= -2 * tau_g) continue;
    }
    trees->amiss = law.name;
  }
}

}  // namespace vinculum::checks
