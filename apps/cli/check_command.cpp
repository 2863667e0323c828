// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/command.hpp"
#include "cli/counted.hpp"
#include "cli/notices.hpp"
#include "urdf_flags.hpp"
#include "vinculum/collide/initial.hpp"
#include "vinculum/collide/search.hpp"
#include "vinculum/interchange/interchange.hpp"

#include <fmt/core.h>
#include <memory>

namespace vinculum::cli {

namespace {

nlohmann::json json_of(const model::Model& model, std::size_t contacts) {
  nlohmann::json object = {{"verdict", "good"}, {"name", model.name}};
  if (model.lagrangian) {
    object["coordinates"] = model.lagrangian->coordinates.size();
    object["laws"] = model.laws.size();
    if (model.bodies.empty()) return object;
  }
  object["bodies"] = model.bodies.size();
  object["shapes"] = model.shapes.size();
  object["notices"] = to_json(model.notices);
  if (only_free_bodies(model)) {
    object["rods"] = model.rods.size();
    object["contacts"] = contacts;
    return object;
  }
  object["joints"] = model.joints.size();
  object["nq"] = nq(model);
  object["nv"] = nv(model);
  object["loops"] = model.loops.size() + model.connects.size() + model.welds.size();
  object["couplings"] = model.couplings.size();
  object["tendons"] = model.tendons.size();
  object["springs"] = model.springs.size();
  object["actuators"] = model.actuators.size();
  object["keyframes"] = model.keyframes.size();
  return object;
}

std::string text_of(const model::Model& model, std::size_t contacts) {
  std::string text;
  if (model.lagrangian) {
    text = counted(model.lagrangian->coordinates.size(), "coordinate") + ", " + counted(model.laws.size(), "law");
    if (model.bodies.empty()) return text;
    text += "; ";
  }
  text += bodies(model.bodies.size()) + ", " + counted(model.shapes.size(), "shape") + ", ";
  if (only_free_bodies(model))
    return text + counted(model.rods.size(), "rod") + ", " + counted(contacts, "contact") + " closed at the start";
  const std::size_t loops = model.loops.size() + model.connects.size() + model.welds.size();
  return text + fmt::format("{} ({}, {}), {}, {}, {}, {}, {}", counted(model.joints.size(), "joint"),
                            counted(nq(model), "coordinate"), counted(nv(model), "velocity", "velocities"),
                            counted(loops, "loop"), counted(model.couplings.size(), "coupling"),
                            counted(model.tendons.size(), "tendon"), counted(model.actuators.size(), "actuator"),
                            counted(model.keyframes.size(), "keyframe"));
}

}  // namespace

Action add_check(CLI::App& app) {
  auto* command = app.add_subcommand("check", "read a scene, report the first thing wrong with it, run nothing");
  struct Arguments {
    std::string scene;
    interchange::UrdfOptions urdf;
    bool json = false;
  };
  auto a = std::make_shared<Arguments>();
  command->add_option("scene", a->scene, "scene (.toml) or robot (.xml, .urdf)")->required();
  add_urdf_flags(*command, a->urdf);
  command->add_flag("--json", a->json, "one JSON object on standard output");
  command->footer("Example: vinculum check scenes/card_house.toml");
  return [a] {
    const model::Model model = interchange::read_model(a->scene, a->urdf);
    const system::System system(model);
    const system::State state = make_initial_state(model, system);
    collide::check_initial_overlap(model, system, state);
    collide::ContactSet contacts;
    collide::Search search(system);
    search.find(state.q, std::vector<double>(system.body_count(), 1e-9 * system.length_scale), contacts);
    if (a->json) {
      print_json(json_of(model, contacts.size()));
    } else {
      fmt::print("{}: good: {}\n", a->scene, text_of(model, contacts.size()));
      print_notices(model.notices);
    }
    return static_cast<int>(good);
  };
}

}  // namespace vinculum::cli
