// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/candidates.hpp"

#include "vinculum/integrators/projection.hpp"

#include <algorithm>
#include <limits>

namespace vinculum::integrators {
namespace {

constexpr double near_factor = 0.1;               // part of the worst missed gap within which other contacts join
constexpr std::uint8_t framed = 1, complete = 2;  // how far a block has been made

/// Rods come after all contacts.
ContactKey key_of(const collide::Contact& contact) {
  if (contact.shape_a < 0) return {std::numeric_limits<std::int32_t>::max(), contact.shape_b, 0};
  return {contact.shape_a, contact.shape_b, contact.feature_id};
}

struct Arms {
  Vec3 a = Vec3::Zero(), b = Vec3::Zero();
};

/// From the centres of mass to the point of action: of contact::place_frame. This and the next are asked several times
/// of each candidate; GCC would call them.
[[gnu::always_inline]] inline Arms arms_of(const collide::Kinematics& at, int a, int b,
                                           const system::Configuration& q) {
  const Vec3 point = 0.5 * (at.p_a + at.p_b);
  Arms arms;
  if (a != system::world) arms.a = point - q.x[static_cast<std::size_t>(a)];
  if (b != system::world) arms.b = point - q.x[static_cast<std::size_t>(b)];
  return arms;
}

[[gnu::always_inline]] inline Vec3 relative_velocity(int a, int b, const Arms& arms, const motion::Velocity& velocity) {
  Vec3 relative = Vec3::Zero();
  if (b != system::world) {
    const auto k = static_cast<std::size_t>(b);
    relative += velocity.v[k] + velocity.w[k].cross(arms.b);
  }
  if (a != system::world) {
    const auto k = static_cast<std::size_t>(a);
    relative -= velocity.v[k] + velocity.w[k].cross(arms.a);
  }
  return relative;
}

/// γ at another place, in the frame there whose t₁ is closest to `along`: contact::make_frame and local_velocity at
/// once.
Vec3 velocity_there(const collide::Kinematics& there, const contact::Frame& frame, const system::Configuration& q,
                    const motion::Velocity& velocity) {
  const Arms arms = arms_of(there, frame.body_a, frame.body_b, q);
  const Vec3 relative = relative_velocity(frame.body_a, frame.body_b, arms, velocity);
  if (there.n == frame.F.col(0)) return frame.F.transpose() * relative;  // on what stands
  contact::Frame turned;
  turned.F.col(0) = there.n;
  contact::set_tangents(frame.F.col(1), turned);
  return turned.F.transpose() * relative;
}

}  // namespace

laws::Kind law_of(const Block& block) {
  if (!block.pair) return laws::Kind::bilateral;
  return block.pair->mu > 0 ? laws::Kind::coulomb : laws::Kind::unilateral;
}

bool Candidates::collect(const Places& at, WarmStart& warm_start, bool same, bool repeated) {
  if (!same) {
    rods_.clear();
    for (std::size_t r = 0; r < system_.rods.size(); ++r) rods_.push_back(rod_contact(system_, r, at.q_m));
    blocks_.resize(found_.size() + rods_.size());
    made_.assign(blocks_.size(), 0);
  }
  bool all = true;
  warm_start.rewind();
  active_.resize(blocks_.size());
  past_.resize(blocks_.size());
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    past_[i] = &warm_start.find(key_of(candidate(i)));
    if (made_[i]) made_[i] = framed;
    const bool active = i >= found_.size() || closes(at, repeated, i);
    if (active) make(i, at);
    active_[i] = active ? 1 : 0;
    all = all && active;
  }
  return all;
}

/// Once per step; its frame stays where the search is repeated.
Block& Candidates::make(std::size_t i, const Places& at) {
  Block& block = blocks_[i];
  if (made_[i] == complete) return block;
  if (made_[i] != framed) {
    const collide::Contact& contact = candidate(i);
    block.contact = &contact;
    block.key = key_of(contact);
    block.view.gap_mid = contact.at.gap;
    block.pair = contact.shape_a < 0 ? nullptr : &system_.law_between(contact.shape_a, contact.shape_b);
    block.frame = contact::place_frame(contact.at, contact.body_a, contact.body_b, at.q_m);
    block.oriented = false;
  }
  made_[i] = complete;
  block.past = past_[i];
  block.impulse = block.past->impulse;
  block.mode = Mode::bond;
  block.described = false;
  return block;
}

double Candidates::end_gap(const collide::Contact& contact, const Places& at, const motion::Velocity& velocity) const {
  const int a = contact.body_a, b = contact.body_b;
  const Vec3 relative = relative_velocity(a, b, arms_of(contact.at, a, b, at.q_m), velocity);
  return contact.at.gap + 0.5 * dt_ * contact.at.n.dot(relative);
}

bool Candidates::closes(const Places& at, bool repeated, std::size_t i) {
  const collide::Contact& contact = found_[i];
  const double closed = at.thresholds.near;
  const bool pressed = past_[i]->impulse.squaredNorm() > 0;
  return end_gap(contact, at, at.free) < closed || (repeated && end_gap(contact, at, at.after) < closed) ||
         (pressed && describe(at, make(i, at)) != Mode::impact);
}

void Candidates::add_past(const Places& at, std::vector<Vec3>& p, std::vector<Vec3>& l) const {
  for (std::size_t i = 0; i < contacts(); ++i) {
    const Vec3& impulse = past_[i]->impulse;
    if (impulse.isZero(0)) continue;
    const collide::Contact& contact = found_[i];
    const Arms arms = arms_of(contact.at, contact.body_a, contact.body_b, at.q_m);
    const auto push = [&](int body, double sign, const Vec3& arm) {
      if (body == system::world || system_.linked(body)) return;
      p[static_cast<std::size_t>(body)] += sign * impulse;
      l[static_cast<std::size_t>(body)] += sign * arm.cross(impulse);
    };
    push(contact.body_a, -1, arms.a);
    push(contact.body_b, 1, arms.b);
  }
}

void Candidates::activate_expected(const Places& at, const motion::Velocity& velocity) {
  for (std::size_t i = 0; i < contacts(); ++i) {
    if (is_active(i) || !(end_gap(found_[i], at, velocity) < at.thresholds.near)) continue;
    make(i, at);
    active_[i] = 1;
  }
}

bool Candidates::activate_missed(const Places& at) {
  double worst = 0;
  end_gaps_.resize(contacts());
  for (std::size_t i = 0; i < contacts(); ++i) {
    if (is_active(i)) continue;
    end_gaps_[i] = end_gap(found_[i], at, at.after);
    worst = std::max(worst, -end_gaps_[i]);
  }
  if (worst <= at.thresholds.tau_g) return false;
  for (std::size_t i = 0; i < contacts(); ++i) {
    if (is_active(i) || end_gaps_[i] > near_factor * worst) continue;
    const bool closes = end_gaps_[i] < -at.thresholds.tau_g || describe(at, make(i, at)) != Mode::impact;
    if (closes) make(i, at);
    active_[i] = closes ? 1 : 0;
  }
  return true;
}

Mode Candidates::describe(const Places& at, Block& block) const {
  if (block.described) return block.mode;
  block.described = true;
  if (!block.oriented) contact::set_tangents(Vec3::Zero(), block.frame);
  block.oriented = true;
  const int a = block.frame.body_a, b = block.frame.body_b;
  NodeView& view = block.view;
  if (at.is_still(a) && at.is_still(b)) {  // q_k = q_m = q_e
    view.gap_node = view.gap_mid;
    view.gamma_node.setZero();
    view.gamma_minus.setZero();
    view.beta.setZero();
    view.turn = 0;
  } else {
    const collide::Feature& feature = block.contact->feature;
    const auto node = collide::evaluate(feature, at.q_k.pose(a), at.q_k.pose(b));
    const auto end = collide::evaluate(feature, at.q_e.pose(a), at.q_e.pose(b));
    view.gap_node = node.gap;
    view.gamma_node = velocity_there(node, block.frame, at.q_k, at.at_node);
    view.gamma_minus = local_velocity(block.frame, at.at_mid);
    view.beta = velocity_there(end, block.frame, at.q_e, at.at_end) - view.gamma_minus;
    const auto spin = [&](int body) {
      return body == system::world ? 0 : at.at_node.w[static_cast<std::size_t>(body)].norm();
    };
    view.turn = dt_ * std::max(spin(a), spin(b));
  }
  if (block.pair) block.mode = decide_mode(view, dt_, block.pair->e_N, at.thresholds);
  return block.mode;
}

}  // namespace vinculum::integrators
