// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Does a wall of boxes stand, and what does it cost to hold it? scenes/pyramid.toml (210 boxes, 10 s) and
// scenes/pyramid_large.toml (5,050 boxes, its short time).
//
// In the scene the boxes touch exactly. Bullet and ODE see a contact between boxes only where they overlap: with gaps
// of plus or minus one rounding they find half of the contacts in the first step, and the upper rows fall together,
// freely, whatever the number of iterations. That would test the start, not the engine, so for them the wall is pressed
// together by a ten-thousandth: overlaps of 1e-5 m.
#include "report.hpp"
#include "trial.hpp"

#include <fmt/core.h>

using namespace vinculum;
using namespace vinculum::bench;

namespace {

constexpr double half_a_box = 0.05;     // m: a box displaced by more has left its place
constexpr double moving = 0.3;          // m/s: a fall of 5 mm
constexpr std::size_t first_steps = 5;  // not at rest yet: cold start, contacts appear

/// The wall lowered towards the floor z = 0: every gap becomes -1e-4 of the distance of the centres.
model::Model pressed(model::Model model) {
  for (model::Body& body : model.bodies) body.X_WB.p.z() *= 1 - 1e-4;
  model.allow_penetration = true;
  return model;
}

std::string verdict(const Trial& trial, const model::Model& model) {
  if (!trial.end.finite) return "exploded";
  const std::string still = trial.end.creep >= half_a_box ? "fell" : trial.end.speed >= moving ? "falling" : "stands";
  return trial.whole ? still : fmt::format("{} (to {:.3g} of {:.3g} s)", still, trial.t, model.run.until);
}

Table run_scene(const std::string& scene, const Arguments& arguments) {
  const model::Model model = load_scene(scene), pressed_model = pressed(model);
  Table table(fmt::format("{}: {} boxes, {} s, dt {} s; CPU ms per step, median [quartiles]", scene,
                          model.bodies.size(), model.run.until, model.run.dt),
              {{"engine", "engine", 15},
               {"step_ms", "ms/step at rest", 22},
               {"wall_ms", "wall ms"},
               {"first_ms", "first ms"},
               {"contacts_first", "1st cont.", 8},
               {"contacts", "contacts", 8},
               {"residual_end", "residual", 9},
               {"residual_max", "worst", 9},
               {"unsolved", "unsolved", 8},
               {"overlap", "overlap m", 9},
               {"speed", "speed m/s", 9},
               {"creep", "creep m", 9},
               {"verdict", "stands?", 12}});
  for (const PeerType& type : peer_types()) {
    if (type.name.find(arguments.engine) == std::string::npos || model.bodies.size() > type.bodies_max) continue;
    const bool ours = type.name.starts_with("vinculum");
    Trial trial;
    std::vector<double> cpu, first, wall;
    for (int i = 0; i < arguments.repeat; ++i) {
      trial = run_trial(type, ours ? model : pressed_model, {.until = model.run.until, .budget = arguments.budget});
      first.push_back(trial.cpu.front());
      const std::size_t skip = std::min(first_steps, trial.cpu.size() - 1);
      cpu.insert(cpu.end(), trial.cpu.begin() + static_cast<std::ptrdiff_t>(skip), trial.cpu.end());
      wall.insert(wall.end(), trial.wall.begin() + static_cast<std::ptrdiff_t>(skip), trial.wall.end());
    }
    const Quartiles rest = quartiles(cpu);
    table.add({cell(type.name), cell_ms(rest.low, rest.median, rest.high), cell(1e3 * quartiles(wall).median),
               cell(1e3 * quartiles(first).median), cell(trial.contacts.front()), cell(trial.contacts.back()),
               cell(trial.residual_end), cell(trial.residual_max), cell(static_cast<std::size_t>(trial.unsolved)),
               cell(trial.end.overlap), cell(trial.end.speed), cell(trial.end.creep), cell(verdict(trial, model))});
  }
  return table;
}

}  // namespace

int main(int count, char** values) {
  const Arguments arguments = parse_arguments(count, values);
  print_machine();
  std::vector<Table> tables;
  for (const char* scene : {"pyramid", "pyramid_large"}) {
    if (std::string(scene).find(arguments.scene) != std::string::npos) tables.push_back(run_scene(scene, arguments));
  }
  std::vector<const Table*> all;
  for (const Table& table : tables) all.push_back(&table);
  write_json(arguments, "pyramid", all);
}
