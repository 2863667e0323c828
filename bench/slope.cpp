// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Does a block creep on a slope that friction can hold? scenes/slope_stick.toml: 20°, mu = 0.5, 100 s. Exact answer: 0.
#include "report.hpp"
#include "trial.hpp"

#include <fmt/core.h>
#include <numeric>

using namespace vinculum;
using namespace vinculum::bench;

int main(int count, char** values) {
  const Arguments arguments = parse_arguments(count, values);
  print_machine();
  const model::Model model = load_scene("slope_stick");
  Table table(
      fmt::format("slope_stick: a block that friction holds, {} s, dt {} s; CPU us per step, median [quartiles]",
                  model.run.until, model.run.dt),
      {{"engine", "engine", 15},
       {"step_us", "us/step", 22},
       {"contacts", "contacts", 8},
       {"creep", "creep m", 9},
       {"speed", "speed m/s", 9},
       {"overlap", "overlap m", 9},
       {"residual_max", "residual", 9},
       {"t", "to t s", 6}});
  for (const PeerType& type : peer_types()) {
    if (type.name.find(arguments.engine) == std::string::npos || type.threads > 1) continue;
    const Trial trial = run_trial(type, model, {.until = model.run.until, .budget = arguments.budget});
    const Quartiles step = quartiles(trial.cpu, 5);
    Table::Cell time = cell_ms(1e3 * step.low, 1e3 * step.median, 1e3 * step.high);
    table.add({cell(type.name), time, cell(trial.contacts.back()), cell(trial.end.creep), cell(trial.end.speed),
               cell(trial.end.overlap), cell(trial.residual_max), cell(trial.t)});
  }
  write_json(arguments, "slope", {&table});
}
