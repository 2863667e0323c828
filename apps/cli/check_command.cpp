// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/command.hpp"
#include "cli/notices.hpp"
#include "vinculum/collide/initial.hpp"
#include "vinculum/interchange/interchange.hpp"

#include <fmt/core.h>
#include <memory>

namespace vinculum::cli {

namespace {

// Trees: what was read. Whether their shapes overlap at the start is not looked at yet.
int check_multibody(const std::string& file, const model::Model& model, bool json) {
  if (json) {
    print_json({{"verdict", "good"},
                {"name", model.name},
                {"bodies", model.bodies.size()},
                {"shapes", model.shapes.size()},
                {"joints", model.joints.size()},
                {"nq", nq(model)},
                {"nv", nv(model)},
                {"loops", model.loops.size() + model.connects.size() + model.welds.size()},
                {"couplings", model.couplings.size()},
                {"tendons", model.tendons.size()},
                {"springs", model.springs.size()},
                {"actuators", model.actuators.size()},
                {"keyframes", model.keyframes.size()},
                {"notices", to_json(model.notices)}});
    return good;
  }
  fmt::print(
      "{}: good: {} bodies, {} shapes, {} joints ({} coordinates, {} velocities), {} loops, {} couplings, {} tendons, "
      "{} springs, {} actuators, {} keyframes\n",
      file, model.bodies.size(), model.shapes.size(), model.joints.size(), nq(model), nv(model),
      model.loops.size() + model.connects.size() + model.welds.size(), model.couplings.size(), model.tendons.size(),
      model.springs.size(), model.actuators.size(), model.keyframes.size());
  print_notices(model.notices);
  return good;
}

}  // namespace

Action add_check(CLI::App& app) {
  auto* command = app.add_subcommand("check", "read a scene, report the first thing wrong with it, run nothing");
  struct Arguments {
    std::string scene;
    bool json = false;
  };
  auto a = std::make_shared<Arguments>();
  command->add_option("scene", a->scene, "scene (.toml) or robot (.xml, .urdf)")->required();
  command->add_flag("--json", a->json, "one JSON object on standard output");
  command->footer("Example: vinculum check scenes/card_house.toml");
  return [a] {
    const model::Model model = interchange::read_model(a->scene);
    const system::System system(model);
    const system::State state = make_initial_state(model, system);
    collide::check_initial_overlap(model, system, state);
    if (!only_free_bodies(model)) return check_multibody(a->scene, model, a->json);
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
                  {"contacts", contacts.size()},
                  {"notices", to_json(model.notices)}});
    } else {
      fmt::print("{}: good: {} bodies, {} shapes, {} rods, {} contacts closed at the start\n", a->scene,
                 model.bodies.size(), model.shapes.size(), model.rods.size(), contacts.size());
      print_notices(model.notices);
    }
    return static_cast<int>(good);
  };
}

}  // namespace vinculum::cli
