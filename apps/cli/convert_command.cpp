// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/command.hpp"
#include "cli/counted.hpp"
#include "cli/notices.hpp"
#include "urdf_flags.hpp"
#include "vinculum/interchange/interchange.hpp"
#include "vinculum/model/write.hpp"

#include <fmt/core.h>
#include <filesystem>
#include <fstream>
#include <memory>

namespace vinculum::cli {

namespace {

// Whole or not at all: written beside and then renamed.
void write_file(const std::string& file, const std::string& text) {
  const std::string beside = file + ".part";
  std::ofstream stream(beside, std::ios::binary);
  stream << text;
  stream.close();
  std::error_code error;
  if (stream) std::filesystem::rename(beside, file, error);
  if (!stream || error) {
    std::filesystem::remove(beside, error);
    throw base::InputError({file}, "file", "a place that cannot be written", "a file to write the scene to");
  }
}

}  // namespace

Action add_convert(CLI::App& app) {
  auto* command = app.add_subcommand("convert", "write a URDF or MJCF model as a scene");
  struct Arguments {
    std::string in, out;
    interchange::UrdfOptions urdf;
    bool json = false;
  };
  auto a = std::make_shared<Arguments>();
  command->add_option("in", a->in, "model (.urdf, .xml) or scene")->required();
  command->add_option("out", a->out, "scene to write (.toml)")->required();
  add_urdf_flags(*command, a->urdf);
  command->add_flag("--json", a->json, "one JSON object on standard output");
  command->footer("Example: vinculum convert robot.urdf robot.toml");
  return [a] {
    const model::Model model = interchange::read_model(a->in, a->urdf);
    write_file(a->out, model::write_scene(model));
    if (a->json) {
      print_json({{"verdict", "good"},
                  {"name", model.name},
                  {"out", a->out},
                  {"bodies", model.bodies.size()},
                  {"joints", model.joints.size()},
                  {"shapes", model.shapes.size()},
                  {"notices", to_json(model.notices)}});
    } else {
      fmt::print("{}: {}, {}, {}\n", a->out, bodies(model.bodies.size()), counted(model.joints.size(), "joint"),
                 counted(model.shapes.size(), "shape"));
      print_notices(model.notices);
    }
    return static_cast<int>(good);
  };
}

}  // namespace vinculum::cli
