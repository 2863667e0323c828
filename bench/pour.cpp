// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Is the cost of a contact the same in a scene of 10², 10³ and 10⁴ balls? The three boxes have the same area per ball
// and the balls fall from the same heights, so that at equal times the piles are alike: any common window of time
// compares like with like. The whole run is reported, and beside it the window that every size reached within the
// budget.
#include "report.hpp"
#include "trial.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <limits>
#include <numeric>

using namespace vinculum;
using namespace vinculum::bench;

namespace {

const std::vector<std::string> scenes = {"pour_100", "pour_1000", "pour_spheres"};
constexpr double settled_from = 0.6;  // s: the last ball has landed at about 0.35 s

struct Run {
  std::string engine, scene;
  std::size_t bodies = 0;
  double dt = 0;
  Trial trial;
};

/// CPU time per contact and step over the steps [from, to) in s, in µs.
double cost(const Run& run, double from, double to) {
  const auto last = std::min(run.trial.cpu.size(), static_cast<std::size_t>(to / run.dt + 0.5));
  double seconds = 0, contacts = 0;
  for (auto n = static_cast<std::size_t>(from / run.dt + 0.5); n < last; ++n) {
    seconds += run.trial.cpu[n];
    contacts += static_cast<double>(run.trial.contacts[n]);
  }
  return contacts > 0 ? 1e6 * seconds / contacts : std::numeric_limits<double>::quiet_NaN();
}

double mean_contacts(const Trial& trial) {
  return std::accumulate(trial.contacts.begin(), trial.contacts.end(), 0.0) /
         static_cast<double>(std::max<std::size_t>(1, trial.contacts.size()));
}

void add_row(const Run& run, Table& table) {
  const Trial& trial = run.trial;
  const double total = std::accumulate(trial.cpu.begin(), trial.cpu.end(), 0.0);
  const double wall = std::accumulate(trial.wall.begin(), trial.wall.end(), 0.0);
  const Quartiles step = quartiles(trial.cpu);
  table.add({cell(run.engine), cell(run.scene), cell(trial.t), cell(static_cast<double>(trial.cpu.size()) / total),
             cell(static_cast<double>(trial.cpu.size()) / wall), cell_ms(step.low, step.median, step.high),
             cell(mean_contacts(trial)), cell(cost(run, 0, trial.t)), cell(cost(run, settled_from, trial.t)),
             cell(trial.residual_max), cell(static_cast<std::size_t>(trial.unsolved)), cell(trial.overlap_max),
             cell(trial.end.finite ? trial.end.overlap : std::numeric_limits<double>::quiet_NaN()),
             cell(trial.end.speed)});
}

/// For each engine: cost per contact at the three sizes over the window that all of them reached.
Table compare_sizes(const std::vector<Run>& runs) {
  Table table("cost per contact and step (us) over the window [0, t] that all sizes reached",
              {{"engine", "engine", 15},
               {"t", "t s", 6},
               {"c100", "10^2"},
               {"c1000", "10^3"},
               {"c10000", "10^4"},
               {"ratio", "largest/smallest"}});
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::string& engine = runs[i].engine;
    if (i > 0 && std::any_of(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(i),
                             [&](const Run& run) { return run.engine == engine; })) {
      continue;
    }
    double window = 1e9;
    for (const Run& run : runs) {
      if (run.engine == engine) window = std::min(window, run.trial.t);
    }
    std::vector<Table::Cell> cells = {cell(engine), cell(window)};
    double low = 1e300, high = 0;
    for (const std::string& scene : scenes) {
      double value = std::numeric_limits<double>::quiet_NaN();
      for (const Run& run : runs) {
        if (run.engine == engine && run.scene == scene) value = cost(run, 0, window);
      }
      cells.push_back(cell(value));
      if (value > 0) low = std::min(low, value), high = std::max(high, value);
    }
    cells.push_back(cell(high / low));
    table.add(cells);
  }
  return table;
}

}  // namespace

int main(int count, char** values) {
  const Arguments arguments = parse_arguments(count, values);
  print_machine();
  std::vector<Run> runs;
  Table table(
      "pour: whole run (or as far as the budget went), dt 1e-3 s, tolerance 1e-5; CPU ms per step, median [quartiles]",
      {{"engine", "engine", 15},
       {"scene", "scene", 12},
       {"t", "to t s", 6},
       {"steps_per_s", "steps/s"},
       {"steps_per_wall_s", "per wall s"},
       {"step_ms", "ms/step", 22},
       {"contacts_mean", "contacts", 8},
       {"cost_us", "us/contact"},
       {"cost_settled_us", "settled"},
       {"residual_max", "residual", 9},
       {"unsolved", "unsolved", 8},
       {"overlap_max", "overlap max", 9},
       {"overlap_end", "at end m", 9},
       {"speed_end", "speed end", 9}});
  for (const PeerType& type : peer_types()) {
    if (type.name.find(arguments.engine) == std::string::npos || type.name == "vinculum 1e-5") continue;
    for (const std::string& scene : scenes) {
      const model::Model model = load_scene(scene);
      if (scene.find(arguments.scene) == std::string::npos || model.bodies.size() > type.bodies_max) continue;
      runs.push_back(
          {type.name, scene, model.bodies.size(), model.run.dt,
           run_trial(type, model, {.until = model.run.until, .budget = arguments.budget, .look_every = 20})});
      add_row(runs.back(), table);
    }
  }
  const Table sizes = compare_sizes(runs);
  write_json(arguments, "pour", {&table, &sizes});
}
