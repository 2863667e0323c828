// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/sleep.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace vinculum::integrators {
namespace {

constexpr double kRounding = 1e-12;   // of the impulses on a body
constexpr double kClear = 100;        // times the tolerance: a gap, over the size, that no speed makes a closed one
constexpr double kUnchanged = 1e-12;  // of the largest impulse of a group: accepted, not solved anew
constexpr double kAtFirst = 1e-9;     // of the momentum that the forces give, for a look at the impulses
constexpr double kSpinOfPush = 1e-3;  // of size × impulse: the moment of forces that have none

int body_of(const system::System& system, int shape) {
  return shape < 0 ? system::world : system.shapes[static_cast<std::size_t>(shape)].body;
}

bool acts(const system::Force& force, double t) { return t >= force.from && t < force.to; }

bool same(const algebra::Pose& X, const system::Configuration& q, std::size_t b) {
  return X.p == q.x[b] && X.R.coeffs() == q.R[b].coeffs();
}

/// Calls f with every number of a record, in a fixed order.
template <class Record, class F>
void each_number(Record& r, F&& f) {
  f(r.shape_a), f(r.shape_b), f(r.feature_id), f(r.mode), f(r.feature.kind), f(r.round);
  for (auto* x :
       {&r.feature.P_a, &r.feature.P_b, &r.feature.dir_a, &r.feature.dir_b, &r.point, &r.n, &r.t1, &r.Lambda, &r.Pi})
    for (int k = 0; k < 3; ++k) f((*x)[k]);
  for (auto* x : {&r.feature.rounding_a, &r.feature.rounding_b, &r.feature.rim, &r.feature.sign, &r.gap}) f(*x);
}

}  // namespace

Sleep::Sleep(const system::System& system, bool allowed, double tol) : system_(system), allowed_(allowed), tol_(tol) {
  const std::size_t n = system.body_count();
  asleep_.assign(n, 0);
  settled_.assign(n, 0);
  group_of_.assign(n, -1);
  may_sleep_.assign(n, 1);
  for (std::size_t b = 0; b < n; ++b) may_sleep_[b] = !system.linked(static_cast<int>(b));
  for (const system::Rod& rod : system.rods) keep_awake(rod.a), keep_awake(rod.b);
  if (!system.forest) return;
  for (const system::Closure& closure : system.forest->closures) keep_awake(closure.a), keep_awake(closure.b);
  for (const system::Spring& spring : system.forest->springs) keep_awake(spring.a), keep_awake(spring.b);
}

void Sleep::keep_awake(int body) {
  if (body != system::world) may_sleep_[static_cast<std::size_t>(body)] = 0;
}

void Sleep::wake(std::size_t group, WarmStart& warm_start) {
  for (const int body : groups_[group].bodies) asleep_[static_cast<std::size_t>(body)] = 0;
  warm_start.insert(groups_[group].impulses);
  if (group + 1 < groups_.size()) {
    groups_[group] = std::move(groups_.back());
    for (const int body : groups_[group].bodies) group_of_[static_cast<std::size_t>(body)] = static_cast<int>(group);
  }
  groups_.pop_back();
}

void Sleep::wake_moved(const system::State& state, double t, WarmStart& warm_start) {
  for (const system::Force& force : system_.forces) {
    if (!asleep(force.body)) continue;
    const auto g = static_cast<std::size_t>(group_of_[static_cast<std::size_t>(force.body)]);
    if (acts(force, t) != acts(force, groups_[g].t)) wake(g, warm_start);
  }
  for (std::size_t g = groups_.size(); g-- > 0;) {
    const Group& group = groups_[g];
    bool moved = false;
    for (std::size_t k = 0; k < group.bodies.size() && !moved; ++k) {
      const auto b = static_cast<std::size_t>(group.bodies[k]);
      moved = !same(group.poses[k], state.q, b) || !state.p[b].isZero(0) || !state.l[b].isZero(0);
    }
    if (moved) wake(g, warm_start);
  }
}

bool Sleep::wake_touched(const collide::ContactSet& contacts, WarmStart& warm_start) {
  if (groups_.empty()) return false;
  bool any = false;
  for (const collide::Contact& contact : contacts) {
    for (const int body : {contact.body_a, contact.body_b}) {
      if (!asleep(body)) continue;
      wake(static_cast<std::size_t>(group_of_[static_cast<std::size_t>(body)]), warm_start);
      any = true;
    }
  }
  return any;
}

bool Sleep::may_settle(const std::vector<Vec3>& p_k, const std::vector<Vec3>& p_f, const std::vector<Vec3>& p) {
  bool any = false;
  p_size_.resize(p.size());
  for (std::size_t b = 0; b < p.size(); ++b) {
    p_size_[b] = 0;
    if (!may_sleep_[b]) continue;
    p_size_[b] = (p_f[b] - p_k[b]).norm();
    settled_[b] = !asleep_[b] && p[b].norm() <= kAtFirst * p_size_[b];
    any = any || settled_[b];
  }
  if (any) l_size_.assign(p.size(), 0);
  return any;
}

void Sleep::weigh(const contact::Frame& frame, const Vec3& Lambda) {
  const Vec3 impulse = frame.F * Lambda;
  const double size = impulse.norm();
  add_weight(frame.body_a, frame.r_a, impulse, size);
  add_weight(frame.body_b, frame.r_b, impulse, size);
}

void Sleep::add_weight(int body, const Vec3& r, const Vec3& impulse, double size) {
  if (body == system::world || !settled_[static_cast<std::size_t>(body)]) return;
  p_size_[static_cast<std::size_t>(body)] += size;
  l_size_[static_cast<std::size_t>(body)] += r.cross(impulse).norm();
}

void Sleep::settle(std::vector<Vec3>& p, std::vector<Vec3>& l) {
  for (std::size_t b = 0; b < p.size(); ++b) {
    if (!settled_[b]) continue;
    const double l_size = l_size_[b] + kSpinOfPush * system_.bodies.size[b] * p_size_[b];
    settled_[b] = p[b].norm() <= kRounding * p_size_[b] && l[b].norm() <= kRounding * l_size;
    if (!settled_[b]) continue;
    p[b].setZero();
    l[b].setZero();
  }
}

void Sleep::write(StepRecord& record) const {
  if (!groups_.empty() && record.contacts.empty()) record.solver.method = "asleep";
  for (const Group& group : groups_) {
    record.contacts.insert(record.contacts.end(), group.contacts.begin(), group.contacts.end());
    record.candidates += group.contacts.size();
    record.asleep += group.bodies.size();
    record.penetration = std::max(record.penetration, group.penetration);
    record.penetration_before = std::max(record.penetration_before, group.penetration);
    contact::Errors& errors = record.solver.errors;
    errors.judged = std::max(errors.judged, group.errors.judged);
    errors.scaled = std::max(errors.scaled, group.errors.scaled);
    errors.over_c = std::max(errors.over_c, group.errors.over_c);
  }
}

int Sleep::root(int body) {
  while (parent_[static_cast<std::size_t>(body)] != body) {
    int& up = parent_[static_cast<std::size_t>(body)];
    body = up = parent_[static_cast<std::size_t>(up)];
  }
  return body;
}

/// still_ of a root: true of its whole group.
/// Whether the mode of a contact at rest is the same whatever the speed of other bodies, which sets the threshold of a
/// gap that counts as closed (modes.hpp).
bool Sleep::is_steady(const ContactRecord& contact, double dt) const {
  if (contact.mode != Mode::held) return contact.gap > kClear * tol_ * system_.length_scale;
  const double rounding = 8 * std::numeric_limits<double>::epsilon() * system_.length_scale;
  return contact.gap <= dt * dt * tol_ * system_.gravity.norm() + rounding;
}

void Sleep::find_groups(const StepRecord& record, std::size_t rows, const std::vector<Vec3>& guess) {
  parent_.resize(still_.size());
  std::iota(parent_.begin(), parent_.end(), 0);
  p_size_.assign(still_.size(), 0);  // largest impulse of the group, at its root
  for (std::size_t k = 0; k < rows; ++k) {
    const int a = body_of(system_, record.contacts[k].shape_a), b = body_of(system_, record.contacts[k].shape_b);
    if (a == system::world || b == system::world) continue;
    const int ra = root(a), rb = root(b);
    parent_[static_cast<std::size_t>(std::max(ra, rb))] = std::min(ra, rb);
  }
  auto root_of = [&](const ContactRecord& contact) {
    const int a = body_of(system_, contact.shape_a), b = body_of(system_, contact.shape_b);
    return static_cast<std::size_t>(root(a == system::world ? b : a));
  };
  l_size_.assign(still_.size(), -1);  // largest change of an impulse; < 0 for a group without contacts
  for (std::size_t k = 0; k < rows; ++k) {
    if (record.contacts[k].shape_a < 0) continue;  // rods: their bodies may not sleep
    const std::size_t r = root_of(record.contacts[k]);
    if (!is_steady(record.contacts[k], record.dt)) still_[r] = 0;
    p_size_[r] = std::max(p_size_[r], record.contacts[k].Lambda.norm());
    l_size_[r] = std::max(l_size_[r], (record.contacts[k].Lambda - guess[k]).norm());
  }
  for (std::size_t b = 0; b < still_.size(); ++b) {
    if (!still_[b]) still_[static_cast<std::size_t>(root(static_cast<int>(b)))] = 0;
  }
  for (std::size_t b = 0; b < still_.size(); ++b) {
    if (parent_[b] != static_cast<int>(b) || !still_[b]) continue;
    still_[b] = l_size_[b] >= 0 && l_size_[b] <= kUnchanged * p_size_[b];
  }
}

void Sleep::look(const system::Configuration& q_before, const std::vector<Vec3>& p_before,
                 const std::vector<Vec3>& l_before, const system::State& state, const StepRecord& record,
                 std::size_t rows, const std::vector<Vec3>& guess, WarmStart& warm_start) {
  if (!allowed_) return;
  still_.assign(asleep_.size(), 0);
  bool any = false;
  for (std::size_t b = 0; b < still_.size(); ++b) {
    still_[b] = settled_[b] && !asleep_[b] && p_before[b].isZero(0) && l_before[b].isZero(0) &&
                same({q_before.x[b], q_before.R[b]}, state.q, b);
    any = any || still_[b];
  }
  if (!any) return;
  find_groups(record, rows, guess);
  fall_asleep(state, record, rows, warm_start);
}

void Sleep::fall_asleep(const system::State& state, const StepRecord& record, std::size_t rows, WarmStart& warm_start) {
  sleeper_.assign(still_.size(), -1);  // group of a root that falls asleep
  for (std::size_t b = 0; b < still_.size(); ++b) {
    const auto r = static_cast<std::size_t>(root(static_cast<int>(b)));
    if (asleep_[b] || !still_[r]) continue;
    if (sleeper_[r] < 0) {
      sleeper_[r] = static_cast<int>(groups_.size());
      groups_.emplace_back();
      groups_.back().errors = record.solver.errors;
      groups_.back().t = record.t + 0.5 * record.dt;
    }
    Group& group = groups_[static_cast<std::size_t>(sleeper_[r])];
    group.bodies.push_back(static_cast<int>(b));
    group.poses.push_back({state.q.x[b], state.q.R[b]});
    group_of_[b] = sleeper_[r];
    asleep_[b] = 1;
  }
  awake_.clear();
  std::vector<WarmStart::Entry>& entries = warm_start.entries();
  for (std::size_t k = 0; k < entries.size(); ++k) {
    int group = -1;
    if (k < rows && record.contacts[k].shape_a >= 0) {  // not of a rod
      const int a = body_of(system_, record.contacts[k].shape_a), b = body_of(system_, record.contacts[k].shape_b);
      const int body = a == system::world ? b : a;
      if (asleep(body)) group = group_of_[static_cast<std::size_t>(body)];
    }
    if (group < 0) {
      awake_.push_back(entries[k]);
      continue;
    }
    Group& to = groups_[static_cast<std::size_t>(group)];
    to.impulses.push_back(entries[k]);
    to.contacts.push_back(record.contacts[k]);
    to.penetration = std::max(to.penetration, -record.contacts[k].gap);
  }
  entries.swap(awake_);
}

// Per group: bodies, contacts; then the numbers of both. Integers are exact as doubles.
std::vector<double> Sleep::save() const {
  std::vector<double> memory{static_cast<double>(groups_.size())};
  for (const Group& group : groups_) {
    memory.push_back(static_cast<double>(group.bodies.size()));
    memory.push_back(static_cast<double>(group.contacts.size()));
    for (const double x : {group.t, group.penetration, group.errors.judged, group.errors.scaled, group.errors.over_c}) {
      memory.push_back(x);
    }
    for (std::size_t k = 0; k < group.bodies.size(); ++k) {
      memory.push_back(group.bodies[k]);
      for (int i = 0; i < 3; ++i) memory.push_back(group.poses[k].p[i]);
      for (int i = 0; i < 4; ++i) memory.push_back(group.poses[k].R.coeffs()[i]);
    }
    for (std::size_t k = 0; k < group.contacts.size(); ++k) {
      each_number(group.contacts[k], [&](const auto& x) { memory.push_back(static_cast<double>(x)); });
      for (int i = 0; i < 3; ++i) memory.push_back(group.impulses[k].impulse[i]);
    }
  }
  return memory;
}

std::size_t Sleep::restore(std::span<const double> memory) {
  std::fill(asleep_.begin(), asleep_.end(), 0);
  groups_.clear();
  if (memory.empty()) return 0;
  std::size_t at = 0;
  auto next = [&] {
    VINCULUM_DEMAND(at < memory.size());
    return memory[at++];
  };
  groups_.resize(static_cast<std::size_t>(next()));
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    Group& group = groups_[g];
    group.bodies.resize(static_cast<std::size_t>(next()));
    group.poses.resize(group.bodies.size());
    group.contacts.resize(static_cast<std::size_t>(next()));
    group.impulses.resize(group.contacts.size());
    for (double* x : {&group.t, &group.penetration, &group.errors.judged, &group.errors.scaled, &group.errors.over_c})
      *x = next();
    for (std::size_t k = 0; k < group.bodies.size(); ++k) {
      group.bodies[k] = static_cast<int>(next());
      for (int i = 0; i < 3; ++i) group.poses[k].p[i] = next();
      for (int i = 0; i < 4; ++i) group.poses[k].R.coeffs()[i] = next();
      asleep_[static_cast<std::size_t>(group.bodies[k])] = 1;
      group_of_[static_cast<std::size_t>(group.bodies[k])] = static_cast<int>(g);
    }
    for (std::size_t k = 0; k < group.contacts.size(); ++k) {
      each_number(group.contacts[k], [&](auto& x) { x = static_cast<std::decay_t<decltype(x)>>(next()); });
      const ContactRecord& contact = group.contacts[k];
      group.impulses[k].key = {contact.shape_a, contact.shape_b, contact.feature_id};
      for (int i = 0; i < 3; ++i) group.impulses[k].impulse[i] = next();
    }
  }
  return at;
}

}  // namespace vinculum::integrators
