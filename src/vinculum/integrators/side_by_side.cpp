// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/side_by_side.hpp"

#include "vinculum/base/error.hpp"

#include <algorithm>

namespace vinculum::integrators {

namespace {

class SideBySide final : public Integrator {
 public:
  SideBySide(std::unique_ptr<Integrator> bodies, std::unique_ptr<Integrator> part)
      : bodies_(std::move(bodies)), part_(std::move(part)) {}

  Settling settle(system::State& state) override { return bodies_->settle(state); }
  void step(system::State& state, StepRecord& record) override {
    const double t = state.t;
    const std::int64_t number = state.step;
    bodies_->step(state, record);
    state.t = t;
    state.step = number;
    part_->step(state, own_);
    add(record);
  }
  const contact::ContactProblem* problem() const override { return bodies_->problem(); }

  /// The part's memory has a fixed length and stands behind.
  std::vector<double> save() const override {
    std::vector<double> memory = bodies_->save();
    const std::vector<double> behind = part_->save();
    memory.insert(memory.end(), behind.begin(), behind.end());
    return memory;
  }
  void restore(std::span<const double> memory) override {
    const std::size_t behind = part_->save().size();
    VINCULUM_DEMAND(memory.size() >= behind);
    bodies_->restore(memory.first(memory.size() - behind));
    part_->restore(memory.last(behind));
  }

 private:
  void add(StepRecord& record) const {
    if (record.contacts.empty()) record.solver.method = own_.solver.method;
    record.contacts.insert(record.contacts.end(), own_.contacts.begin(), own_.contacts.end());
    record.candidates += own_.candidates;
    record.penetration = std::max(record.penetration, own_.penetration);
    record.penetration_before = std::max(record.penetration_before, own_.penetration_before);
    record.shift = std::max(record.shift, own_.shift);
    record.violation = std::max(record.violation, own_.violation);

    solvers::Report& all = record.solver;
    if (all.status == solvers::Status::solved) all.status = own_.solver.status;
    all.iterations += own_.solver.iterations;
    all.factorisations += own_.solver.factorisations;
    all.errors.judged = std::max(all.errors.judged, own_.solver.errors.judged);
    all.errors.scaled = std::max(all.errors.scaled, own_.solver.errors.scaled);
    all.errors.over_c = std::max(all.errors.over_c, own_.solver.errors.over_c);

    Ledger& ledger = record.ledger;
    ledger.kinetic += own_.ledger.kinetic;
    ledger.potential += own_.ledger.potential;
    ledger.work_forces += own_.ledger.work_forces;
    ledger.work_impact += own_.ledger.work_impact;
    ledger.work_friction += own_.ledger.work_friction;
    ledger.work_bonds += own_.ledger.work_bonds;
    ledger.scheme += own_.ledger.scheme;
  }

  std::unique_ptr<Integrator> bodies_, part_;
  StepRecord own_;  // of the part
};

}  // namespace

std::unique_ptr<Integrator> make_side_by_side(std::unique_ptr<Integrator> bodies, std::unique_ptr<Integrator> part) {
  return std::make_unique<SideBySide>(std::move(bodies), std::move(part));
}

}  // namespace vinculum::integrators
