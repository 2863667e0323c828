// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// How the rounds of a step of trees end: forces follow velocities, which follow from solves with these forces.
#include "vinculum/integrators/tree_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace vinculum::integrators {

namespace {

// The fixed point ends when the last round changed less than the first part of the tolerance, or the next one would
// change less than the second: forces follow velocities at a rate that each round measures (MuJoCo's humanoid: within a
// factor of four in all rounds of a step), at best at that of a slow motion at small steps.
// After a solve to the end the change is what is left, to which the solver adds its own error.
constexpr double moved_part = 0.1, remaining_part = 0.01, fastest_rate = 1e-4, last_part = 0.5;
constexpr double small_part = 0.3;    // a later correction no larger goes into v⁺ with the impulses held
constexpr double least_way = 1e-10;   // relative: of less, rounding hides what follows from it
constexpr double slow_rate = 0.5;     // changes that fall more slowly are accelerated
constexpr int held_rounds = 40;       // with impulses held
constexpr double held_part = 1e-3;    // of the tolerance, left by them
constexpr double rate_error = 10;     // by which the rates of single motions may exceed those measured
constexpr double roundings = 8;       // of the numbers that are summed to a velocity
constexpr double others_part = 1e-6;  // impulses of heavy trees leave their rounding in light ones

}  // namespace

/// |now − before|² by tree; |L v|²/2 is kinetic energy. Below the rounding of L v_f it is nothing: an arm that a drive
/// holds against its weight comes to rest, and what is left are the roundings of forces that cancel, never less.
void TreeStep::add_squares(const Eigen::VectorXd& before, const Eigen::VectorXd& now, double Own::*square) {
  for (Own& own : own_) own.*square = 0;
  for (const auto& run : runs_) {
    own_[run.tree].*square += (now.segment(run.begin, run.count) - before.segment(run.begin, run.count)).squaredNorm();
  }
  for (Own& own : own_) {
    if (own.*square <= own.rounding) own.*square = 0;
  }
}

void TreeStep::find_roundings(const Eigen::VectorXd& q_k) {
  trees_.sizes(settings_.dt, q_k, summed_);
  constexpr double unit = roundings * std::numeric_limits<double>::epsilon();
  for (const auto& run : runs_) {
    own_[run.tree].rounding += unit * unit * summed_.segment(run.begin, run.count).squaredNorm();
  }
}

/// The velocities that changes are measured by: the tree's own, and a part of all.
void TreeStep::find_sizes() {
  for (Own& own : own_) own.size = 0;
  for (const auto& run : runs_) {
    const auto own = z_f_.segment(run.begin, run.count).array(), before = z_k_.segment(run.begin, run.count).array();
    own_[run.tree].size += own.square().max(before.square()).sum();
  }
  double all = 0;
  for (const Own& own : own_) all += own.size;
  for (Own& own : own_) own.size += others_part * others_part * all;
}

/// Changes of v_f and v⁺, and how fast v_f follows v⁺. Returns the largest change of v_f.
double TreeStep::compare() {
  add_squares(z_before_, z_f_, &Own::change);
  add_squares(z_at_, z_1_, &Own::way);
  find_sizes();
  double largest = 0;
  for (Own& own : own_) {
    if (own.change > 0) largest = std::max(largest, own.change / own.size);
    if (!(own.way > least_way * least_way * own.size)) continue;
    const double rate = std::clamp(std::sqrt(own.change / own.way), fastest_rate, 1.0);
    own.rate = own.measured ? std::max(own.rate, rate) : rate;
    own.measured = true;
  }
  return std::sqrt(largest);
}

/// The largest change that follows one of these squares.
double TreeStep::expect(double Own::*square) const {
  double largest = 0;
  for (const Own& own : own_) {
    if (own.*square > 0) largest = std::max(largest, own.rate * own.rate * (own.*square / own.size));
  }
  return std::sqrt(largest);
}

TreeStep::Next TreeStep::correct(const Places& at, bool last) {
  z_before_.swap(z_f_);
  trees_.free_velocity(t_mid_, settings_.dt, at.q_k, v_k_, v_1_, z_f_);
  const double change = compare();
  z_at_ = z_1_;
  const bool first = std::exchange(first_round_, false);
  if (!slow_ && !first && !(change < slow_rate * change_)) {
    slow_ = true;
    anderson_.reset(static_cast<std::size_t>(z_f_.size()));
  }
  for (Own& own : own_) own.rate = slow_ ? 1 : own.rate;
  if (first) first_change_ = change;
  change_ = change;
  // Of a first solve that was the last nothing is taken back later: in every step the same way, it would add up.
  if (last && change <= (first ? remaining_part : last_part) * settings_.tol) return Next::nothing;
  if (!last && !first && !slow_ && change <= small_part * settings_.tol) return Next::hold;
  if (!last && change <= moved_part * settings_.tol) return Next::solve_to_end;
  if (!last && expect(&Own::change) <= remaining_part * settings_.tol) return Next::solve_to_end;
  if (slow_) {
    relax();
  } else if (first) {
    corrections_.foresee(z_before_, runs_, z_f_);
  }
  return Next::solve;
}

/// Where the repetition hardly contracts, if at all: a step no longer than the velocities, then Anderson's.
void TreeStep::relax() {
  const double reach = std::max(z_k_.norm(), first_size_);
  for (int pass = 0; pass < 2; ++pass) {
    const double length = (z_f_ - z_before_).norm();
    if (!(length <= reach)) z_f_ = z_before_ + (reach / length) * (z_f_ - z_before_);
    if (pass == 0) anderson_.accelerate(z_before_.data(), z_f_.data());
  }
}

bool TreeStep::moved_on() {
  add_squares(z_at_, z_1_, &Own::way);
  find_sizes();
  return expect(&Own::way) > moved_part * settings_.tol;
}

/// The first forces of this step were good enough for the last ones.
bool TreeStep::was_calm() const { return first_change_ <= remaining_part * settings_.tol; }

double TreeStep::imbalance(const Places& at, double limit) {
  add_squares(z_at_, z_1_, &Own::way);
  find_sizes();
  if (rate_error * expect(&Own::way) <= limit) return 0;
  trees_.free_velocity(t_mid_, settings_.dt, at.q_k, v_k_, v_1_, z_f_);
  return change_of_forces(z_used_);
}

/// |L v_f − before| of the tree where it is largest.
double TreeStep::change_of_forces(const Eigen::VectorXd& before) {
  add_squares(before, z_f_, &Own::change);
  find_sizes();
  double largest = 0;
  for (const Own& own : own_) largest = std::max(largest, own.change > 0 ? own.change / own.size : 0);
  return std::sqrt(largest);
}

/// v⁺ = v_f(v̄) + M̂⁻¹ W Λ by repetition, which contracts like dt times the derivative of the forces. z_f_ is that of v⁺.
bool TreeStep::hold_impulses(const Places& at) {
  z_held_ = z_1_ - z_used_;
  z_before_ = z_used_;
  trees_.free_velocity(t_mid_, settings_.dt, at.q_k, v_k_, v_1_, z_f_);
  for (int round = 0; round < held_rounds; ++round) {
    if (change_of_forces(z_before_) <= held_part * settings_.tol) return true;
    z_1_ = z_f_ + z_held_;
    v_1_ = z_1_;
    trees_.unwhiten(v_1_);
    z_before_.swap(z_f_);
    trees_.free_velocity(t_mid_, settings_.dt, at.q_k, v_k_, v_1_, z_f_);
  }
  release_impulses();
  return false;
}

void TreeStep::take_correction() {
  z_1_ += z_f_ - z_used_;
  z_used_ = z_f_;
  v_1_ = z_1_;
  trees_.unwhiten(v_1_);
}

void TreeStep::release_impulses() {
  z_f_ = z_used_;
  z_1_ = z_held_ + z_used_;
  v_1_ = z_1_;
  trees_.unwhiten(v_1_);
}

}  // namespace vinculum::integrators
