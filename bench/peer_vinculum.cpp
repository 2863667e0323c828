// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// vinculum as one engine among others: what `vinculum run` does for a step, without trace.
#include "scene_peers.hpp"

#include "vinculum/base/parallel.hpp"
#include "vinculum/integrators/integrator.hpp"
#include "vinculum/motion/velocity.hpp"

namespace vinculum::bench {

namespace {

class Vinculum final : public Peer {
 public:
  Vinculum(int threads, std::optional<double> tol, bool sleep) : limit_(threads), tol_(tol), sleep_(sleep) {}

  void load(const model::Model& model) override {
    system_ = std::make_unique<system::System>(model);
    state_ = make_initial_state(model, *system_);
    tolerance_ = tol_.value_or(model.run.tol);
    integrator_name_ = model.run.integrator;
    solver_name_ = model.run.solver;
    integrator_.reset();
  }

  void step(double dt) override {
    if (!integrator_ || dt != dt_) start(dt);
    integrator_->step(state_, record_);
  }

  void read(Motion& motion) const override {
    motion.q = state_.q;
    motion::Velocity velocity;
    motion::velocity(*system_, state_.q, state_.p, state_.l, velocity);
    motion.v = std::move(velocity.v);
    motion.w = std::move(velocity.w);
  }

  std::size_t contacts() const override {
    std::size_t count = 0;  // the records of the projection repeat contacts
    for (const auto& contact : record_.contacts) count += !is_lift(contact.mode);
    return count;
  }
  // The problem that the integrator posed, with the impulses of the record: contact::measure shares no code with the
  // solvers. Bodies move by exactly these impulses; the auditor checks that on traces.
  StepErrors check(const Motion&) override {
    StepErrors out;
    const contact::ContactProblem* problem = integrator_->problem();
    if (!problem || problem->size() == 0) return out;
    std::vector<Vec3> Lambda, xi;
    std::vector<double> z;
    for (std::size_t k = 0; k < problem->size(); ++k) Lambda.push_back(record_.contacts[k].Lambda);
    out.law = contact::measure(*problem, Lambda, z, xi);
    return out;
  }
  double residual() const override { return record_.solver.errors.scaled; }
  bool solved() const override { return record_.solver.status == solvers::Status::solved; }

 private:
  void start(double dt) {
    dt_ = dt;
    const auto* solver = solvers::find_solver_type(solver_name_);
    const auto* integrator = integrators::find_integrator_type(integrator_name_);
    if (!solver || !integrator) throw base::InputError("found an unknown solver or integrator, expected a known one");
    integrator_ = integrator->make(*system_, {.dt = dt, .tol = tolerance_, .solver = solver, .sleep = sleep_});
  }

  base::ThreadLimit limit_;
  std::optional<double> tol_;
  bool sleep_;
  double tolerance_ = 0, dt_ = 0;
  std::string integrator_name_, solver_name_;
  std::unique_ptr<system::System> system_;
  system::State state_;
  std::unique_ptr<integrators::Integrator> integrator_;
  integrators::StepRecord record_;
};

}  // namespace

std::unique_ptr<Peer> make_vinculum_peer(int threads, std::optional<double> tol, bool sleep) {
  return std::make_unique<Vinculum>(threads, tol, sleep);
}

}  // namespace vinculum::bench
