// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/command.hpp"
#include "vinculum/collide/initial.hpp"

#include <fmt/core.h>
#include <memory>

namespace vinculum::cli {

Action add_check(CLI::App& app) {
  auto* command = app.add_subcommand("check", "read a scene, report the first thing wrong with it, run nothing");
  struct Arguments {
    std::string scene;
    bool json = false;
  };
  auto a = std::make_shared<Arguments>();
  command->add_option("scene", a->scene, "scene file (TOML)")->required();
  command->add_flag("--json", a->json, "one JSON object on standard output");
  command->footer("Example: vinculum check scenes/card_house.toml");
  return [a] {
    const model::Model model = model::read_scene(a->scene);
    const system::System system(model);
    const system::State state = make_initial_state(model, system);
    collide::check_initial_overlap(model, system, state);
    collide::ContactSet contacts;
    collide::Search search(system);
    search.find(state.q, std::vector<double>(system.body_count(), 1e-9 * system.length_scale), contacts);
    if (a->json && model.lagrangian) {
      print_json({{"verdict", "good"},
                  {"name", model.name},
                  {"coordinates", model.lagrangian->coordinates.size()},
                  {"laws", model.laws.size()}});
    } else if (model.lagrangian) {
      fmt::print("{}: good: {} coordinates, {} laws\n", a->scene, model.lagrangian->coordinates.size(),
                 model.laws.size());
    } else if (a->json) {
      print_json({{"verdict", "good"},
                  {"name", model.name},
                  {"bodies", model.bodies.size()},
                  {"shapes", model.shapes.size()},
                  {"rods", model.rods.size()},
                  {"contacts", contacts.size()}});
    } else {
      fmt::print("{}: good: {} bodies, {} shapes, {} rods, {} contacts closed at the start\n", a->scene,
                 model.bodies.size(), model.shapes.size(), model.rods.size(), contacts.size());
    }
    return static_cast<int>(good);
  };
}

}  // namespace vinculum::cli
