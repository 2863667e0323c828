// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The recorded steps make one motion: step indices follow one another at the trace's own interval, the date of a step
// is its index times dt, and where one recorded step follows the other directly the state after it is the state before
// the next, to the bit.
#include "vinculum/checks/check.hpp"

#include <cmath>

namespace vinculum::checks {

namespace {

class Chain final : public Check {
 public:
  Chain() { outcome.unit = "steps or states"; }
  void look(const Replay& step) override {
    const double date = std::abs(step.t - static_cast<double>(step.record.step) * step.dt);
    note(date / step.dt, 1e-9 * (1 + std::abs(static_cast<double>(step.record.step))), step.t, "the date of a step");
    note(step.dt > 0 ? std::abs(step.after.t - step.before.t - step.dt) / step.dt : 1, 1e-6, step.t,
         "the dates of states");
    if (started_) {
      const auto gone = step.record.step - last_step_;
      note(std::abs(static_cast<double>(gone - step.record_every)), 0, step.t, "steps between two records");
      if (gone == 1) note(same(last_, step.before) ? 0 : 1, 0, step.t, "the state between two steps");
    }
    started_ = true;
    last_step_ = step.record.step;
    last_ = step.after;
  }

 private:
  static bool same(const trace::Row& a, const trace::Row& b) {
    if (a.x.size() != b.x.size()) return false;
    if (a.lagrangian_q != b.lagrangian_q || a.lagrangian_u != b.lagrangian_u) return false;
    if (a.tree_q != b.tree_q || a.tree_v != b.tree_v) return false;
    for (std::size_t i = 0; i < a.x.size(); ++i) {
      if (a.x[i] != b.x[i] || a.R[i].coeffs() != b.R[i].coeffs() || a.v[i] != b.v[i] || a.w[i] != b.w[i]) return false;
    }
    return true;
  }
  bool started_ = false;
  std::int64_t last_step_ = 0;
  trace::Row last_;
};

}  // namespace

std::unique_ptr<Check> make_chain() { return std::make_unique<Chain>(); }

}  // namespace vinculum::checks
