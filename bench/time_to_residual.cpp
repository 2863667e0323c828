// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What does a step cost that obeys Coulomb's law to a given residual? Three scenes: a wall of boxes at rest, mixed
// bodies in a rotating drum, spheres in a hopper; us at tolerances 1e-1 … 1e-8, Bullet and ODE at 10 … 1000 iterations.
// The residual is the unit-free natural map, computed for everybody by contact::measure from contacts, masses, impulses
// and velocities (step_audit.hpp).
//
// Drum and hopper are brought into contact once, by us, and everybody starts from that state; steps at the start, where
// caches and warm starts fill, are not counted. In the wall the peers get overlaps of 1e-5 m, because they see no
// contact without (bench/pyramid.cpp). `--scale X` makes the scenes smaller; 1 is 5,050 boxes, 10⁴ bodies, 10⁵ spheres.
#include "generated_scenes.hpp"
#include "report.hpp"
#include "residual_plot.hpp"
#include "trial.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

using namespace vinculum;
using namespace vinculum::bench;

namespace {

constexpr int uncounted = 4, counted = 8;  // steps, fewer where the budget runs out

struct Scene {
  std::string name;
  model::Model ours, theirs;
};

/// Runs until most bodies touch several others, then takes the motion as the start.
Scene settled(const std::string& name, const model::Model& model) {
  constexpr int most_steps = 200;
  constexpr double per_body = 1.4;  // contacts
  const auto peer = make_vinculum_peer(1, 1e-2);
  peer->load(model);
  int steps = 0;
  while (steps < most_steps &&
         static_cast<double>(peer->contacts()) < per_body * static_cast<double>(model.bodies.size())) {
    peer->step(model.run.dt);
    ++steps;
  }
  Motion motion;
  peer->read(motion);
  const model::Model start = restart(model, motion);
  fmt::print("{}: {} bodies, {} contacts after {} steps\n", name, model.bodies.size(), peer->contacts(), steps);
  return {name, start, start};
}

Scene make_scene(const std::string& name, double scale) {
  if (name == "pyramid") {
    const int rows = static_cast<int>(std::lround(std::sqrt(2 * 5050 * scale + 0.25) - 0.5));
    const model::Model wall = make_wall(rows);
    model::Model pressed = wall;
    for (model::Body& body : pressed.bodies) body.X_WB.p.z() *= 1 - 1e-4;
    pressed.allow_penetration = true;
    return {name, wall, pressed};
  }
  if (name == "drum") return settled(name, make_drum(static_cast<int>(std::lround(1e4 * scale))));
  return settled(name, make_hopper(static_cast<int>(std::lround(1e5 * scale))));
}

struct Measured {
  std::vector<double> cpu, residual, over_c;
  std::size_t contacts = 0;
  double first = 0, balance = 0;
  int unsolved = 0;
};

Measured measure(Peer& peer, const model::Model& model, double budget) {
  Measured out;
  Motion before;
  double spent = 0;
  peer.keep_impulses(true);
  peer.load(model);
  for (int k = 0; k < uncounted + counted; ++k) {
    // With little budget left the cache must do with what it has.
    const bool counts = k >= uncounted || spent > 0.5 * budget;
    peer.read(before);
    const double begin = cpu_now();
    peer.step(model.run.dt);
    const double took = cpu_now() - begin;
    spent += took;
    if (k == 0) out.first = took;
    if (k > 0 && counts) {
      const StepErrors errors = peer.check(before);
      out.cpu.push_back(took);
      out.residual.push_back(errors.law.scaled);
      out.over_c.push_back(errors.law.over_c);
      out.balance = std::max(out.balance, errors.balance);
      out.contacts = peer.contacts();
      out.unsolved += !peer.solved();
      if (spent > budget) break;
    }
  }
  return out;
}

Table run_scene(const Scene& scene, const Arguments& arguments) {
  Table table(
      fmt::format("{}: {} bodies, dt {} s; CPU ms per step, median [quartiles]; residual: worst of the steps counted",
                  scene.name, scene.ours.bodies.size(), scene.ours.run.dt),
      {{"engine", "engine", 14},
       {"setting", "setting", 8},
       {"step_ms", "ms/step", 24},
       {"first_ms", "first ms"},
       {"contacts", "contacts", 8},
       {"residual", "residual", 9},
       {"median", "median", 9},
       {"over_c", "over c", 9},
       {"balance", "balance", 8},
       {"steps", "steps", 6},
       {"unsolved", "unsolved", 8}});
  std::vector<Curve> curves;
  for (const PeerType& setting : peers_by_effort()) {
    if (setting.name.find(arguments.engine) == std::string::npos) continue;
    if (!arguments.setting.empty() && setting.settings != arguments.setting) continue;
    const auto peer = setting.make();
    const bool ours = setting.name == "vinculum";
    const Measured m = measure(*peer, ours ? scene.ours : scene.theirs, arguments.budget);
    const Quartiles time = quartiles(m.cpu);
    const double worst = *std::max_element(m.residual.begin(), m.residual.end());
    table.add({cell(setting.name), cell(setting.settings), cell_ms(time.low, time.median, time.high),
               cell(1e3 * m.first), cell(m.contacts), cell(worst), cell(quartiles(m.residual).median),
               cell(*std::max_element(m.over_c.begin(), m.over_c.end())), cell(m.balance), cell(m.cpu.size()),
               cell(static_cast<std::size_t>(m.unsolved))});
    if (curves.empty() || curves.back().name != setting.name) curves.push_back({setting.name, {}});
    curves.back().points.push_back({1e3 * time.median, worst, setting.settings});
  }
  if (!arguments.plots.empty()) {
    std::filesystem::create_directories(arguments.plots);
    std::ofstream(fmt::format("{}/residual_{}.svg", arguments.plots, scene.name))
        << residual_plot(fmt::format("{}, {} bodies", scene.name, scene.ours.bodies.size()), curves);
  }
  return table;
}

}  // namespace

int main(int count, char** values) {
  const Arguments arguments = parse_arguments(count, values);
  print_machine();
  std::vector<Table> tables;
  for (const char* name : {"pyramid", "drum", "hopper"}) {
    if (std::string(name).find(arguments.scene) == std::string::npos) continue;
    tables.push_back(run_scene(make_scene(name, arguments.scale), arguments));
  }
  std::vector<const Table*> all;
  for (const Table& table : tables) all.push_back(&table);
  write_json(arguments, "time_to_residual", all);
}
