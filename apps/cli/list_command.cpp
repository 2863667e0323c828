// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/command.hpp"
#include "vinculum/checks/check.hpp"
#include "vinculum/integrators/integrator.hpp"
#include "vinculum/joints/joint.hpp"
#include "vinculum/potentials/registry.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <memory>

namespace vinculum::cli {

namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

template <class Types>
Entries entries_of(const Types& types) {
  Entries entries;
  for (const auto& type : types) entries.emplace_back(type.name, type.text);
  return entries;
}

/// Laws of contact blocks, and force laws on the coordinates of a Lagrangian part.
Entries laws() {
  Entries entries = entries_of(laws::law_types());
  for (const auto& type : potentials::potential_types()) {
    const auto same = [&](const auto& entry) { return entry.first == type.name; };
    if (std::none_of(entries.begin(), entries.end(), same)) entries.emplace_back(type.name, type.text);
  }
  return entries;
}

/// Every family of the tree with a registry.
const std::vector<std::pair<std::string, Entries>>& families() {
  static const std::vector<std::pair<std::string, Entries>> all = {
      {"shapes", entries_of(shapes::shape_types())},
      {"joints", entries_of(joints::joint_types())},
      {"laws", laws()},
      {"solvers", entries_of(solvers::solver_types())},
      {"integrators", entries_of(integrators::integrator_types())},
      {"checks", entries_of(checks::check_types())},
  };
  return all;
}

}  // namespace

Action add_list(CLI::App& app) {
  auto* command = app.add_subcommand("list", "what is registered: shapes, joints, laws, solvers, integrators, checks");
  struct Arguments {
    std::string family;
    bool json = false;
  };
  auto a = std::make_shared<Arguments>();
  std::vector<std::string> names;
  for (const auto& [name, entries] : families()) names.push_back(name);
  command->add_option("family", a->family, "which one (default: all)")->check(CLI::IsMember(names));
  command->add_flag("--json", a->json, "one JSON object on standard output");
  command->footer("Example: vinculum list solvers");
  return [a] {
    nlohmann::json object = nlohmann::json::object();
    for (const auto& [name, entries] : families()) {
      if (!a->family.empty() && name != a->family) continue;
      if (a->family.empty() && !a->json) fmt::print("{}\n", name);
      for (const auto& [entry, text] : entries) {
        object[name].push_back({{"name", entry}, {"text", text}});
        if (!a->json) fmt::print("{}{:18}{}\n", a->family.empty() ? "  " : "", entry, text);
      }
    }
    if (a->json) print_json(object);
    return static_cast<int>(good);
  };
}

}  // namespace vinculum::cli
