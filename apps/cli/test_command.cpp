// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// `vinculum test`: does this installation work? A short run is certified, its repetition gives the same bits, and a
// trace with one impulse changed is refuted. (The full test suite runs from the source tree: ./vinculum test.)
#include "cli/report.hpp"
#include "demo_scene.hpp"
#include "vinculum/trace/trace.hpp"

#include <fmt/core.h>
#include <unistd.h>
#include <filesystem>
#include <memory>

namespace vinculum::cli {

namespace {

struct Line {
  std::string name;
  bool good;
};

/// Copies a trace and changes the largest impulse of its last recorded step by 1 %.
void tamper(const std::string& from, const std::string& to) {
  const trace::Reader reader(from);
  trace::Writer writer(to, reader.header());
  trace::Row before, after;
  integrators::StepRecord record;
  for (std::size_t i = 0; i < reader.steps(); ++i) {
    reader.read(i, before, record, after);
    if (i + 1 == reader.steps() && !record.contacts.empty()) {
      auto largest = std::max_element(record.contacts.begin(), record.contacts.end(), [](const auto& a, const auto& b) {
        return a.Lambda.squaredNorm() < b.Lambda.squaredNorm();
      });
      largest->Lambda *= 1.01;
    }
    writer.add(before, record, after);
  }
  writer.flush();
}

std::vector<Line> examine(const std::string& folder) {
  std::vector<Line> lines;
  const model::Model scene = model::parse_scene(demo_scene, "demo.toml");
  Options options;
  options.until = 0.1;
  options.out = folder + "/run.h5";
  const Summary one = simulate(scene, options, {});
  lines.push_back({"a run meets its tolerance", one.verdict == "certified"});
  lines.push_back({"its trace is certified", audit::audit(options.out).verdict == audit::Verdict::certified});
  options.threads = 1;
  options.out.clear();
  const Summary two = simulate(scene, options, {});
  lines.push_back({"one thread gives the same bits", one.energy_end == two.energy_end});
  tamper(folder + "/run.h5", folder + "/tampered.h5");
  const bool refuted = audit::audit(folder + "/tampered.h5").verdict == audit::Verdict::refuted;
  lines.push_back({"a changed impulse is refuted", refuted});
  return lines;
}

}  // namespace

Action add_test(CLI::App& app) {
  auto* command =
      app.add_subcommand("test", "does this installation work? (all tests: ./vinculum test in the source tree)");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "one JSON object on standard output");
  command->footer("Example: vinculum test");
  return [json] {
    const auto folder = std::filesystem::temp_directory_path() / fmt::format("vinculum-test-{}", getpid());
    std::filesystem::create_directories(folder);
    const std::vector<Line> lines = examine(folder.string());
    std::filesystem::remove_all(folder);
    bool all = true;
    nlohmann::json object = {{"tests", nlohmann::json::array()}};
    for (const Line& line : lines) {
      all = all && line.good;
      object["tests"].push_back({{"name", line.name}, {"good", line.good}});
      if (!*json) fmt::print("{}  {}\n", line.good ? "good" : "BAD ", line.name);
    }
    object["verdict"] = all ? "good" : "bad";
    if (*json) print_json(object);
    return static_cast<int>(all ? good : internal);
  };
}

}  // namespace vinculum::cli
