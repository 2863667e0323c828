// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Where does the time of our step go? From outside the library:
//   solve, projection   a solver that wraps the scene's own one and reads the clock; the integrator makes the solver of
//                       the velocities first and the projection's second
//   collision           the same search once more, at the step's midpoint with the margins of moreau.cpp
//   trace               a real trace, written to a temporary file and flushed each simulated 0.1 s
//   rest                what is left of the step: drift, modes, assembly, contacts of the projection, record
// perf and callgrind see more (README.md).
#include "report.hpp"
#include "trial.hpp"

#include "vinculum/base/parallel.hpp"
#include "vinculum/collide/search.hpp"
#include "vinculum/integrators/integrator.hpp"
#include "vinculum/motion/flow.hpp"
#include "vinculum/motion/velocity.hpp"
#include "vinculum/trace/trace.hpp"

#include <fmt/core.h>
#include <unistd.h>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>

using namespace vinculum;
using namespace vinculum::bench;

namespace {

struct Clocked {
  double seconds = 0;
  std::int64_t calls = 0, iterations = 0;
};
std::map<std::string, Clocked> by_method;  // what finished the solves of the velocities
std::array<Clocked, 2> clocked;            // by the order in which the integrator makes its solvers
std::size_t made = 0;
const solvers::SolverType* wrapped = nullptr;

class ClockedSolver final : public solvers::Solver {
 public:
  ClockedSolver() : solver_(wrapped->make()), clock_(clocked[std::min<std::size_t>(made++, 1)]) {}
  void solve(const contact::ContactProblem& problem, const solvers::Settings& settings,
             solvers::Solution& solution) override {
    const double begin = cpu_now();
    solver_->solve(problem, settings, solution);
    const double seconds = cpu_now() - begin;
    book(seconds, solution.report, clock_);
    if (&clock_ != &clocked[0]) return;
    std::string method(solution.report.method);
    if (solution.report.status != solvers::Status::solved) method += ", unsolved";
    book(seconds, solution.report, by_method[method]);
  }

 private:
  static void book(double seconds, const solvers::Report& report, Clocked& clock) {
    clock.seconds += seconds;
    clock.iterations += report.iterations;
    ++clock.calls;
  }

  std::unique_ptr<solvers::Solver> solver_;
  Clocked& clock_;
};

/// One search as the integrator does it: at the midpoint, margins for the speeds of the step.
double search_once(const system::System& system, const system::State& state, double dt, collide::Search& search,
                   collide::ContactSet& found) {
  system::Configuration q_m;
  motion::drift(system, 0.5 * dt, state.q, state.p, state.l, q_m);
  motion::Velocity velocity;
  motion::velocity(system, state.q, state.p, state.l, velocity);
  std::vector<double> margin(system.body_count());
  for (std::size_t b = 0; b < margin.size(); ++b) {
    margin[b] = 0.75 * dt * (speed_bound(system, velocity, b) + dt * system.gravity.norm());
  }
  const double begin = cpu_now();
  search.find(q_m, margin, found);
  return cpu_now() - begin;
}

void profile(const std::string& scene, const Arguments& arguments, Table& table, std::vector<Table::Row>& methods) {
  model::Model model = load_scene(scene);
  if (!arguments.solver.empty()) model.run.solver = arguments.solver;
  const system::System system(model);
  system::State state = make_initial_state(model, system);
  const double dt = model.run.dt;
  clocked = {};
  by_method.clear();
  made = 0;
  wrapped = solvers::find_solver_type(model.run.solver);
  if (!wrapped) throw base::InputError("--solver: found an unknown name, expected one of `vinculum list solvers`");
  const solvers::SolverType clocked_type{
      wrapped->name, wrapped->text,
      []() -> std::unique_ptr<solvers::Solver> { return std::make_unique<ClockedSolver>(); }, nullptr, true};
  const integrators::Settings settings{.dt = dt, .tol = model.run.tol, .solver = &clocked_type};
  const auto integrator = integrators::find_integrator_type(model.run.integrator)->make(system, settings);
  collide::Search search(system);
  collide::ContactSet found;
  integrators::StepRecord record;

  const std::string path = fmt::format("/tmp/vinculum_step_profile_{}.h5", getpid());
  double step = 0, collision = 0, trace_time = 0;
  std::size_t contacts = 0;
  std::int64_t n = 0;
  const auto steps = static_cast<std::int64_t>(std::llround(model.run.until / dt));
  const auto flush_every = std::max<std::int64_t>(1, std::llround(0.1 / dt));
  {
    trace::Writer writer(path, trace::make_header(model, system, settings, model.run.integrator));
    trace::Rows rows(system);
    for (; n < steps && step < arguments.budget; ++n) {
      collision += search_once(system, state, dt, search, found);
      const trace::Row before = rows(state);
      double begin = cpu_now();
      integrator->step(state, record);
      step += cpu_now() - begin;
      contacts += record.contacts.size();
      begin = cpu_now();
      writer.add(before, record, rows(state));
      if (n % flush_every == 0) writer.flush();
      trace_time += cpu_now() - begin;
    }
  }
  std::remove(path.c_str());
  const double count = static_cast<double>(std::max<std::int64_t>(n, 1));
  auto share = [&](double seconds) -> Table::Cell {
    return {fmt::format("{:.3g} ({:.0f}%)", 1e3 * seconds / count, 100 * seconds / step), 1e3 * seconds / count};
  };
  const double rest = step - clocked[0].seconds - clocked[1].seconds - collision;
  table.add({cell(scene), cell(static_cast<double>(n) * dt), cell(static_cast<double>(contacts) / count),
             cell(1e3 * step / count), share(collision), share(clocked[0].seconds), share(clocked[1].seconds),
             share(rest), share(trace_time), cell(static_cast<double>(clocked[0].calls) / count),
             cell(static_cast<double>(clocked[0].iterations) / count),
             cell(static_cast<double>(clocked[1].calls) / count),
             cell(static_cast<double>(clocked[1].iterations) / count)});
  for (const auto& [method, clock] : by_method) {
    const auto calls = static_cast<double>(clock.calls);
    methods.push_back({cell(scene), cell(method), cell(calls), cell(1e3 * clock.seconds / calls),
                       cell(static_cast<double>(clock.iterations) / calls),
                       cell(100 * clock.seconds / clocked[0].seconds)});
  }
}

}  // namespace

int main(int count, char** values) {
  const Arguments arguments = parse_arguments(count, values);
  print_machine();
  const base::ThreadLimit limit(1);
  Table table("our step, 1 thread, CPU ms per step (share of the step; trace is beside the step)",
              {{"scene", "scene", 14},
               {"t", "to t s", 6},
               {"contacts", "contacts", 8},
               {"step_ms", "step ms", 8},
               {"collision_ms", "collision", 13},
               {"solve_ms", "solve", 13},
               {"projection_ms", "proj. solve", 13},
               {"rest_ms", "rest", 13},
               {"trace_ms", "trace", 13},
               {"solves", "solves", 6},
               {"iterations", "iter.", 8},
               {"projection_solves", "proj.", 6},
               {"projection_iterations", "p. iter.", 8}});
  std::vector<Table::Row> methods;
  for (const char* scene : {"slope_stick", "grasp", "rolling", "bouncing", "spheres_666", "elastic_666", "kapla_tower",
                            "pyramid", "pyramid_large", "pour_100", "pour_1000", "pour_spheres"}) {
    if (std::string(scene).find(arguments.scene) != std::string::npos) profile(scene, arguments, table, methods);
  }
  Table by("what finished the solves", {{"scene", "scene", 14},
                                        {"method", "method", 24},
                                        {"solves", "solves", 8},
                                        {"ms", "ms each", 8},
                                        {"iterations", "iter. each", 8},
                                        {"share", "% of time", 8}});
  for (const Table::Row& row : methods) by.add(row);
  write_json(arguments, "step_profile", {&table, &by});
}
