// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What a step makes of the contacts that the search found at q_m, and of the rods: frames, modes, and which of them
// act. A contact is active if it would be closed at the end of the step,
//   g_m + dt/2 γ_N(q_m, p) <= 0,
// with p = p_f at first, and then with the momenta of the solve: only ever more of them.
#pragma once

#include "vinculum/collide/contact_set.hpp"
#include "vinculum/contact/frame.hpp"
#include "vinculum/integrators/places.hpp"
#include "vinculum/integrators/warm_start.hpp"

namespace vinculum::integrators {

/// A candidate, or a rod, as the step sees it; made when it may act, which half of those in a heap never do. The normal
/// and place of its frame are made with it, the rest when it becomes active.
struct Block {
  const collide::Contact* contact = nullptr;
  ContactKey key;
  const model::Pair* pair = nullptr;  // null: a rod
  contact::Frame frame;               // at q_m
  NodeView view;
  Mode mode = Mode::bond;
  bool oriented = false, described = false;
  Vec3 offset;                             // ξ − γ⁺
  Vec3 impulse = Vec3::Zero();             // of the last solve, world axes: where the next one starts
  Vec3 stress = Vec3::Zero();              // wedged: its part of the self-stress
  const WarmStart::Entry* past = nullptr;  // what is remembered of it, until the warm start is kept anew
};

laws::Kind law_of(const Block& block);

class Candidates {
 public:
  Candidates(const system::System& system, double dt) : system_(system), dt_(dt) {}

  /// What the search fills; `collect` makes blocks of it, which point into it.
  collide::ContactSet& found() { return found_; }
  /// `same`: what was found and q_m are those of the last call, and so are frames. Active are rods; contacts that would
  /// be closed at the end of the step if nothing touched, or with the velocities of the last solve when the search was
  /// `repeated` for them; and those that pressed in the last solve, unless they fly apart. True if that is all of them.
  bool collect(const Places& at, WarmStart& warm_start, bool same, bool repeated);
  /// p += what the impulses that are remembered do, of free bodies.
  void add_past(const Places& at, std::vector<Vec3>& p, std::vector<Vec3>& l) const;
  /// Contacts that would be closed with these velocities, which the solve is expected to give, become active.
  void activate_expected(const Places& at, const motion::Velocity& velocity);
  /// True if the solve would close contacts that were left out. They become active, and with them those that come about
  /// as close to closing: a contact that only lands takes no impulse unless it closes, and a blow through a heap is
  /// followed in few solves instead of layer by layer.
  bool activate_missed(const Places& at);
  /// Fills in node view and mode, once.
  Mode describe(const Places& at, Block& block) const;

  std::size_t contacts() const { return blocks_.size() - rods_.size(); }
  std::size_t rods() const { return rods_.size(); }
  bool is_active(std::size_t i) const { return active_[i] != 0; }
  /// Of the contacts, then of the rods; only those that are or were active mean something.
  std::vector<Block>& blocks() { return blocks_; }
  const std::vector<Block>& blocks() const { return blocks_; }

 private:
  const collide::Contact& candidate(std::size_t i) const {
    return i < found_.size() ? found_[i] : rods_[i - found_.size()];
  }
  Block& make(std::size_t i, const Places& at);
  bool closes(const Places& at, bool repeated, std::size_t i);
  double end_gap(const collide::Contact& contact, const Places& at, const motion::Velocity& velocity) const;

  const system::System& system_;
  double dt_;
  collide::ContactSet found_, rods_;
  std::vector<Block> blocks_;
  std::vector<std::uint8_t> made_, active_;    // by block
  std::vector<const WarmStart::Entry*> past_;  // what is remembered of it
  std::vector<double> end_gaps_;               // of the contacts
};

}  // namespace vinculum::integrators
