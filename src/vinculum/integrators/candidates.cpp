// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/candidates.hpp"

#include "vinculum/integrators/projection.hpp"

#include <algorithm>
#include <limits>

namespace vinculum::integrators {
namespace {

constexpr double near_factor = 0.1;  // part of the worst missed gap within which other contacts join

/// Rods come after all contacts.
ContactKey key_of(const collide::Contact& contact) {
  if (contact.shape_a < 0) return {std::numeric_limits<std::int32_t>::max(), contact.shape_b, 0};
  return {contact.shape_a, contact.shape_b, contact.feature_id};
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
    blocks_.clear();
    for (const collide::Contact& contact : found_) add(contact, at);
    for (const collide::Contact& rod : rods_) add(rod, at);
  }
  bool all = true;
  warm_start.rewind();
  active_.resize(blocks_.size());
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    Block& block = blocks_[i];
    block.past = &warm_start.find(block.key);
    block.impulse = block.past->impulse;
    block.mode = Mode::bond;
    block.described = false;
    const bool active = !block.pair || closes(at, repeated, block);
    active_[i] = active ? 1 : 0;
    all = all && active;
  }
  return all;
}

void Candidates::add(const collide::Contact& contact, const Places& at) {
  Block& block = blocks_.emplace_back();
  block.contact = &contact;
  block.key = key_of(contact);
  block.view.gap_mid = contact.at.gap;
  if (contact.shape_a >= 0) block.pair = &system_.law_between(contact.shape_a, contact.shape_b);
  block.frame = contact::place_frame(contact.at, contact.body_a, contact.body_b, at.q_m);
}

double Candidates::end_gap(const Block& block, const motion::Velocity& velocity) const {
  return block.view.gap_mid + 0.5 * dt_ * contact::normal_velocity(block.frame, velocity);
}

bool Candidates::closes(const Places& at, bool repeated, Block& block) const {
  const double closed = at.thresholds.near;
  const bool pressed = block.impulse.squaredNorm() > 0;
  return end_gap(block, at.free) < closed || (repeated && end_gap(block, at.after) < closed) ||
         (pressed && describe(at, block) != Mode::impact);
}

bool Candidates::activate_missed(const Places& at) {
  double worst = 0;
  end_gaps_.resize(contacts());
  for (std::size_t i = 0; i < contacts(); ++i) {
    if (is_active(i)) continue;
    end_gaps_[i] = end_gap(blocks_[i], at.after);
    worst = std::max(worst, -end_gaps_[i]);
  }
  if (worst <= at.thresholds.tau_g) return false;
  for (std::size_t i = 0; i < contacts(); ++i) {
    if (is_active(i) || end_gaps_[i] > near_factor * worst) continue;
    const bool closes = end_gaps_[i] < -at.thresholds.tau_g || describe(at, blocks_[i]) != Mode::impact;
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
  } else {
    const Vec3 t1 = block.frame.F.col(1);
    const collide::Feature& feature = block.contact->feature;
    const auto node = collide::evaluate(feature, at.q_k.pose(a), at.q_k.pose(b));
    const auto end = collide::evaluate(feature, at.q_e.pose(a), at.q_e.pose(b));
    view.gap_node = node.gap;
    view.gamma_node = local_velocity(contact::make_frame(node, a, b, at.q_k, t1), at.at_node);
    view.gamma_minus = local_velocity(block.frame, at.at_mid);
    view.beta = local_velocity(contact::make_frame(end, a, b, at.q_e, t1), at.at_end) - view.gamma_minus;
  }
  if (block.pair) block.mode = decide_mode(view, dt_, block.pair->e_N, at.thresholds);
  return block.mode;
}

}  // namespace vinculum::integrators
