// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/report.hpp"
#include "demo_scene.hpp"

#include <fmt/core.h>
#include <filesystem>
#include <fstream>
#include <memory>

namespace vinculum::cli {

namespace {

/// Writes the built-in scene, runs it, audits the trace, and says where the files are.
int demo(const std::string& folder, bool json, bool quiet) {
  std::filesystem::create_directories(folder);
  Options options;
  options.scene = folder + "/demo.toml";
  options.out = folder + "/demo.h5";
  std::ofstream(options.scene) << demo_scene;
  if (!json) fmt::print("A ball against a wall of blocks that stands on dry friction alone ({})\n\n", options.scene);
  const Summary summary = simulate_with_progress(options, quiet || json);
  const audit::Result result = audit_with_progress(options.out, 0, quiet || json);
  if (json) {
    nlohmann::json object = to_json(summary);
    object["audit"] = to_json(result);
    print_json(object);
  } else {
    print_summary(summary);
    fmt::print("\nThe certificate, rechecked from q, v, Lambda and the scene alone:\n");
    print_audit(result);
    fmt::print("\nGo on:\n  vinculum plot {0} energy --out energy.svg\n  vinculum plot {0} snapshot --out wall.svg\n",
               options.out);
  }
  return exit_status(result.verdict);
}

}  // namespace

Action add_demo(CLI::App& app) {
  auto* command = app.add_subcommand("demo", "run a telling scene and print its certificate");
  struct Arguments {
    std::string folder = (std::filesystem::temp_directory_path() / "vinculum-demo").string();
    bool json = false, quiet = false;
  };
  auto a = std::make_shared<Arguments>();
  command->add_option("--folder", a->folder, "where scene and trace go")->capture_default_str();
  command->add_flag("--json", a->json, "one JSON object on standard output");
  command->add_flag("--quiet", a->quiet, "no progress bar");
  command->footer("Example: vinculum demo --folder demo");
  return [a] { return demo(a->folder, a->json, a->quiet); };
}

}  // namespace vinculum::cli
