// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/simulation.hpp"

#include "vinculum/base/parallel.hpp"
#include "vinculum/collide/initial.hpp"
#include "vinculum/fclib/fclib.hpp"
#include "vinculum/interchange/interchange.hpp"
#include "vinculum/motion/flow.hpp"
#include "vinculum/trace/trace.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>

namespace vinculum::cli {

namespace {

volatile std::sig_atomic_t stop_requested = 0;
void request_stop(int) { stop_requested = 1; }

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds flush_interval{1000};

double seconds(Clock::duration d) { return std::chrono::duration<double>(d).count(); }

/// The scene's run settings with the command line's on top.
model::Run settings_of(const model::Model& model, const Options& options) {
  model::Run run = model.run;
  if (options.until) run.until = *options.until;
  if (options.dt) run.dt = *options.dt;
  if (options.tol) run.tol = *options.tol;
  if (options.threads) run.threads = *options.threads;
  if (options.record_every) run.record_every = *options.record_every;
  if (options.integrator) run.integrator = *options.integrator, run.integrator_place = {"command line", 0, 0};
  if (options.solver) run.solver = *options.solver, run.solver_place = {"command line", 0, 0};
  for (const auto& [name, value] : {std::pair{"--until", run.until}, {"--dt", run.dt}, {"--tol", run.tol}}) {
    if (!std::isfinite(value))
      throw base::InputError(fmt::format("{}: found {}, expected a finite number", name, value));
  }
  return run;
}

template <class Types>
std::string names_of(const Types& types) {
  std::string names;
  for (const auto& type : types) names += (names.empty() ? "" : ", ") + std::string(type.name);
  return names;
}

std::size_t contact_count(const integrators::StepRecord& record) {
  return static_cast<std::size_t>(std::count_if(record.contacts.begin(), record.contacts.end(),
                                                [](const auto& contact) { return !is_lift(contact.mode); }));
}

void make_dump_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw base::InputError(fmt::format("{}: cannot make the folder: {}", folder, error.message()));
}

/// Closures in the order of the forest, then rods.
std::vector<std::string> closure_names(const model::Model& model) {
  std::vector<std::string> names;
  for (const model::Connect& connect : model.connects) names.push_back("connect " + connect.name);
  for (const model::Joint& loop : model.loops) names.push_back("loop " + loop.name);
  for (const model::Weld& weld : model.welds) names.push_back("weld " + weld.name);
  for (const model::Rod& rod : model.rods) names.push_back("rod " + rod.name);
  return names;
}

/// Couplings and closures by kind and name, links by their joints.
void name_undetermined(const model::Model& model, const system::Forest* forest, const integrators::Undetermined& found,
                       UndeterminedForces& out) {
  const std::vector<std::string> closures = closure_names(model);
  out.directions = found.directions;
  out.loops.clear();
  out.joints.clear();
  for (const int k : found.couplings)
    out.loops.push_back("coupling " + model.couplings[static_cast<std::size_t>(k)].name);
  for (const int k : found.closures) out.loops.push_back(closures[static_cast<std::size_t>(k)]);
  for (const model::Joint& joint : model.joints) {
    if (!forest) break;
    const int link = forest->link_of_body[static_cast<std::size_t>(joint.child)];
    if (std::find(found.links.begin(), found.links.end(), link) != found.links.end()) out.joints.push_back(joint.name);
  }
}

/// A law by the codes of its records: "foot - floor", "rod bar", "knee (lower limit)", "connect ankle".
std::string name_of(const model::Model& model, const system::System& system, int a, int b) {
  const auto index = static_cast<std::size_t>(b);
  auto owner = [&](int shape) {
    const model::Shape& own = model.shapes[static_cast<std::size_t>(shape)];
    return own.body == model::world ? own.name : model.bodies[static_cast<std::size_t>(own.body)].name;
  };
  if (a >= 0) return owner(a) + " - " + owner(b);
  if (a == -1) return "rod " + model.rods[index].name;
  const system::Forest& forest = *system.forest;
  switch (a) {
    case -3:
    case -4:
      return forest.q_names[static_cast<std::size_t>(forest.limits[index].row.front().q)] +
             (a == -3 ? " (lower limit)" : " (upper limit)");
    case -6:
      return "coupling " + model.couplings[index].name;
    case -11:
    case -12:
      return closure_names(model)[static_cast<std::size_t>(forest.cut_limits[index].closure)] +
             (a == -11 ? " (lower limit)" : " (upper limit)");
    case -10:
      return forest.q_names[static_cast<std::size_t>(forest.ball_limits[index].q)] + " (angle)";
    default:
      return closure_names(model)[index];
  }
}

/// One run under way.
class Simulation {
 public:
  Simulation(const model::Model& model, const Options& options)
      : model_(model),
        options_(options),
        run_(settings_of(model, options)),
        system_(model),
        state_(make_initial_state(model, system_)) {
    const auto* integrator = integrators::find_integrator_type(run_.integrator);
    if (!integrator) {
      throw base::InputError(run_.integrator_place, "run.integrator", fmt::format("\"{}\"", run_.integrator),
                             "one of: " + names_of(integrators::integrator_types()));
    }
    const auto* solver = solvers::find_solver_type(run_.solver);
    if (!solver) {
      throw base::InputError(run_.solver_place, "run.solver", fmt::format("\"{}\"", run_.solver),
                             "one of: " + names_of(solvers::solver_types()));
    }
    collide::check_initial_overlap(model, system_, state_);
    const integrators::Settings settings{.dt = run_.dt, .tol = run_.tol, .solver = solver};
    integrator_ = integrator->make(system_, settings);
    if (!options.dump_folder.empty()) make_dump_folder(options.dump_folder);
    summary_.tol = run_.tol;
    summary_.bodies = system_.body_count();
    if (options.resume) {
      resume();
    } else {
      settle();
    }
    if (!options.resume && !options.out.empty()) {
      writer_.emplace(options.out, trace::make_header(model_, system_, settings, run_.integrator, run_.record_every));
    }
    summary_.trace = options.out;
    summary_.notices = model.notices;
    summary_.coordinates = model.lagrangian ? model.lagrangian->coordinates.size() : 0;
    summary_.jointed = !model.joints.empty();
    summary_.energy_start = motion::energy(system_, state_).total();
  }

  Summary go(const Watcher& watcher);

 private:
  std::string checkpoint_path() const { return options_.out + ".checkpoint"; }
  void settle();
  void resume();
  void save();
  void claim();
  void dump();
  bool step();

  const model::Model& model_;
  Options options_;
  model::Run run_;
  system::System system_;
  system::State state_;
  std::unique_ptr<integrators::Integrator> integrator_;
  std::optional<trace::Writer> writer_;
  integrators::StepRecord record_;
  Summary summary_;
};

void Simulation::settle() {
  const double before = motion::energy(system_, state_).total();
  Settled& settled = summary_.settled;
  settled.settling = integrator_->settle(state_);
  if (settled.settling.rounds == 0) return;
  settled.energy_added = motion::energy(system_, state_).total() - before;
  settled.worst = name_of(model_, system_, settled.settling.shape_a, settled.settling.shape_b);
}

void Simulation::resume() {
  if (options_.out.empty()) throw base::InputError("--resume: found no --out, expected the trace to continue");
  const trace::Checkpoint checkpoint = trace::read_checkpoint(checkpoint_path());
  auto demand = [&](bool same, const char* what, const std::string& now, const std::string& then) {
    if (!same) throw base::InputError({checkpoint_path(), 0, 0}, what, now, then + ", as the run was begun");
  };
  demand(checkpoint.scene_text == model_.text, "scene", "a changed scene file", "the same text");
  demand(checkpoint.dt == run_.dt, "dt", fmt::format("{}", run_.dt), fmt::format("{}", checkpoint.dt));
  demand(checkpoint.tol == run_.tol, "tol", fmt::format("{}", run_.tol), fmt::format("{}", checkpoint.tol));
  demand(checkpoint.integrator == run_.integrator, "integrator", run_.integrator, checkpoint.integrator);
  demand(checkpoint.solver == run_.solver, "solver", run_.solver, checkpoint.solver);
  state_ = checkpoint.state;
  integrator_->restore(checkpoint.memory);
  writer_ = trace::Writer::reopen(options_.out, checkpoint.rows, checkpoint.steps, checkpoint.contacts);
}

/// Trace first, then the checkpoint that counts on it.
void Simulation::save() {
  if (!writer_) return;
  writer_->flush(true);
  trace::Checkpoint checkpoint;
  checkpoint.scene_text = model_.text;
  checkpoint.dt = run_.dt;
  checkpoint.tol = run_.tol;
  checkpoint.integrator = run_.integrator;
  checkpoint.solver = run_.solver;
  checkpoint.state = state_;
  checkpoint.memory = integrator_->save();
  checkpoint.rows = writer_->rows();
  checkpoint.steps = writer_->steps();
  checkpoint.contacts = writer_->contacts();
  write_checkpoint(checkpoint_path(), checkpoint);
}

/// Adds what the last step claims to the summary.
void Simulation::claim() {
  Summary& s = summary_;
  ++s.steps;
  ++s.methods[std::string(record_.solver.method)];
  s.contacts_max = std::max(s.contacts_max, contact_count(record_));
  s.penetration_max = std::max(s.penetration_max, record_.penetration);
  s.shift_max = std::max(s.shift_max, record_.shift);
  if (!(record_.solver.errors.scaled <= s.residual_max)) {
    s.residual_max = record_.solver.errors.scaled;
    s.residual_time = record_.t;
  }
  if (record_.solver.status != solvers::Status::solved) ++s.steps_unsolved;
  if (!(record_.violation <= s.violation_max)) {
    s.violation_max = record_.violation;
    s.violation_time = state_.t;
  }
  if (!(record_.violation <= run_.tol)) ++s.steps_violated;
  const auto wedged =
      static_cast<std::size_t>(std::count_if(record_.contacts.begin(), record_.contacts.end(), [](const auto& contact) {
        return contact.mode == integrators::Mode::wedged;
      }));
  if (wedged > 0) ++s.wedged.steps;
  if (wedged > s.wedged.contacts) s.wedged.contacts = wedged, s.wedged.time = record_.t;
  if (record_.undetermined > 0) ++s.undetermined.steps;
  if (record_.undetermined > s.undetermined.directions) {
    name_undetermined(model_, system_.forest.get(), integrator_->undetermined(), s.undetermined);
    s.undetermined.time = record_.t;
  }
  if (record_.turn.angle > motion::kFollowed) ++s.fast.steps;
  if (record_.turn.angle > std::max(motion::kFollowed, s.fast.angle)) {
    const auto body = static_cast<std::size_t>(record_.turn.body);
    s.fast.angle = record_.turn.angle;
    s.fast.time = record_.t;
    s.fast.body = body < model_.bodies.size() ? model_.bodies[body].name : "";
  }
  s.work.work_forces += record_.ledger.work_forces;
  s.work.work_impact += record_.ledger.work_impact;
  s.work.work_friction += record_.ledger.work_friction;
  s.work.work_bonds += record_.ledger.work_bonds;
  s.work.scheme += record_.ledger.scheme;
}

/// Writes the contact problem of the last step if it was hard; `vinculum solve` reads it.
void Simulation::dump() {
  const contact::ContactProblem* problem = integrator_->problem();
  const double residual = record_.solver.errors.scaled;
  if (options_.dump_folder.empty() || !problem || problem->size() == 0) return;
  if (residual <= options_.dump_above.value_or(run_.tol)) return;
  contact::FrictionProblem written = contact::make_local(*problem);
  written.title = fmt::format("{}, step {}", model_.name.empty() ? model_.file : model_.name, record_.step);
  written.description = fmt::format("t = {:.17g} s, dt = {:.17g} s, residual {:.2e} by {}", record_.t, record_.dt,
                                    residual, record_.solver.method);
  written.math_info = "u = W r + V l + q, V^T r + R l + s = 0";
  fclib::write_problem(fmt::format("{}/step-{:08}.hdf5", options_.dump_folder, record_.step), written);
  ++summary_.problems_dumped;
}

/// False if the motion has left all bounds.
bool Simulation::step() {
  try {
    integrator_->step(state_, record_);
    return true;
  } catch (const integrators::Diverged& diverged) {
    const auto body = static_cast<std::size_t>(diverged.body);
    summary_.diverged = !diverged.joint.empty()       ? diverged.joint
                        : body < model_.bodies.size() ? model_.bodies[body].name
                                                      : "a frame";
    return false;
  }
}

Summary Simulation::go(const Watcher& watcher) {
  const base::ThreadLimit limit(run_.threads);
  stop_requested = 0;
  const auto old_interrupt = std::signal(SIGINT, request_stop);
  const auto old_terminate = std::signal(SIGTERM, request_stop);
  const auto begin = Clock::now();
  auto last_save = begin;
  const auto last_step = static_cast<std::int64_t>(std::llround(run_.until / run_.dt));
  trace::Rows rows(system_);
  while (state_.step < last_step && !stop_requested) {
    const bool keep = writer_ && state_.step % run_.record_every == 0;
    const trace::Row before = keep ? rows(state_) : trace::Row{};
    if (!step()) break;
    if (keep) writer_->add(before, record_, rows(state_));
    claim();
    dump();
    if (watcher) watcher(state_.t, run_.until, contact_count(record_));
    if (writer_ && Clock::now() - last_save > flush_interval) {
      save();
      last_save = Clock::now();
    }
  }
  save();
  std::signal(SIGINT, old_interrupt);
  std::signal(SIGTERM, old_terminate);
  summary_.wall_s = seconds(Clock::now() - begin);
  summary_.t = state_.t;
  summary_.interrupted = stop_requested != 0;
  summary_.energy_end = motion::energy(system_, state_).total();
  summary_.verdict = summary_.steps_unsolved == 0 && summary_.steps_violated == 0 && summary_.diverged.empty()
                         ? "certified"
                         : "undecided";
  return summary_;
}

}  // namespace

Summary simulate(const model::Model& model, const Options& options, const Watcher& watcher) {
  return Simulation(model, options).go(watcher);
}

Summary simulate(const Options& options, const Watcher& watcher) {
  const model::Model model = interchange::read_model(options.scene, options.urdf);
  return simulate(model, options, watcher);
}

}  // namespace vinculum::cli
