// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Rest and sleep, without a change of the answer (docs/decisions/sleeping.md).
//
// Rest. A momentum below the rounding of the impulses that made it,
//   |p_{k+1}| ≤ ε (|dt h| + Σ|Λ|),   ε = 1e-12, a tenth of what the auditor allows the balance,
// is zero, the spin likewise with the moments. A wall at rest then starts every step from the same state instead of
// gathering the rounding of all steps before.
//
// Sleep. Where p_k = p_{k+1} = 0, q_{k+1} = q_k, and the impulses are those of the step before, a step repeats itself
// while the same forces act: a group of bodies connected by contacts of which all this is true is left out of
// search, problem and projection, and its records are written again. It wakes as a whole before the step in which the
// search finds anything near it that is awake, or in which a force begins or ends, so that no step is solved without
// it.
#pragma once

#include "vinculum/contact/frame.hpp"
#include "vinculum/integrators/integrator.hpp"
#include "vinculum/integrators/warm_start.hpp"

namespace vinculum::integrators {

class Sleep {
 public:
  Sleep(const system::System& system, bool allowed, double tol);

  bool asleep(int body) const { return body != system::world && asleep_[static_cast<std::size_t>(body)] != 0; }
  /// By body.
  const std::vector<std::uint8_t>& asleep() const { return asleep_; }
  bool anyone() const { return !groups_.empty(); }

  /// Wakes groups of which the state, or what acts on them at the time t, is no longer what it was.
  void wake_moved(const system::State& state, double t, WarmStart& warm_start);
  /// Wakes groups that appear among the contacts; true if there were any.
  bool wake_touched(const collide::ContactSet& contacts, WarmStart& warm_start);

  /// Whether momenta p, after p_k and with the forces p_f, might be zero but for rounding: then `weigh` every contact
  /// of the awake with its impulse in the axes of the frame, and `settle` sets to zero what is below rounding.
  bool may_settle(const std::vector<Vec3>& p_k, const std::vector<Vec3>& p_f, const std::vector<Vec3>& p);
  void weigh(const contact::Frame& frame, const Vec3& Lambda);
  void settle(std::vector<Vec3>& p, std::vector<Vec3>& l);

  /// The contacts of the sleepers, and what they say about the step.
  void write(StepRecord& record) const;

  /// Sends groups to sleep. `rows` contacts of the record, the first, belong to the awake; guess[k] is the impulse that
  /// the solve of the k-th started from; q_before and so on are the state at the start of the step.
  void look(const system::Configuration& q_before, const std::vector<Vec3>& p_before, const std::vector<Vec3>& l_before,
            const system::State& state, const StepRecord& record, std::size_t rows, const std::vector<Vec3>& guess,
            WarmStart& warm_start);

  std::vector<double> save() const;
  /// Returns how many numbers were read.
  std::size_t restore(std::span<const double> memory);

 private:
  struct Group {
    std::vector<int> bodies;
    std::vector<algebra::Pose> poses;
    std::vector<ContactRecord> contacts;
    std::vector<WarmStart::Entry> impulses;
    double t = 0;  // the middle of the step in which they fell asleep
    double penetration = 0;
    contact::Errors errors;
  };
  void keep_awake(int body);
  void add_weight(int body, const Vec3& r, const Vec3& impulse, double size);
  int root(int body);
  bool is_steady(const ContactRecord& contact, double dt) const;
  void find_groups(const StepRecord& record, std::size_t rows, const std::vector<Vec3>& guess);
  void fall_asleep(const system::State& state, const StepRecord& record, std::size_t rows, WarmStart& warm_start);
  void wake(std::size_t group, WarmStart& warm_start);

  const system::System& system_;
  bool allowed_;
  double tol_;
  std::vector<Group> groups_;
  std::vector<std::uint8_t> asleep_, may_sleep_, settled_, still_;
  std::vector<int> group_of_;  // of each sleeping body
  // Workspace.
  std::vector<double> p_size_, l_size_;
  std::vector<int> parent_, sleeper_;
  std::vector<WarmStart::Entry> awake_;
};

}  // namespace vinculum::integrators
