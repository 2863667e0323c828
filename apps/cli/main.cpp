// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/command.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/version.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>
#include <algorithm>
#include <cstdio>

namespace vinculum::cli {

void print_json(const nlohmann::json& object) { fmt::print("{}\n", object.dump()); }

namespace {

std::vector<std::string> names(CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::App* command : app.get_subcommands({})) out.push_back(command->get_name());
  return out;
}

bool is_command(CLI::App& app, const std::string& word) {
  const std::vector<std::string> commands = names(app);
  return std::find(commands.begin(), commands.end(), word) != commands.end();
}

int run_program(int argc, char** argv) {
  CLI::App app{"vinculum: mechanics with hard edges, each result with a certificate that anyone can recheck.",
               "vinculum"};
  app.set_version_flag("--version", std::string(base::version));
  app.require_subcommand(1);
  app.footer(
      "Example: vinculum run scenes/pyramid.toml --out pyramid.h5 && vinculum audit pyramid.h5\n"
      "Exit status: 0 good, 1 the mechanics says no, 2 bad input, 3 undecided, 4 internal error.");
  std::vector<std::pair<CLI::App*, Action>> actions;
  for (auto add :
       {add_run, add_audit, add_solve, add_derive, add_check, add_convert, add_list, add_plot, add_demo, add_test}) {
    Action action = add(app);
    actions.emplace_back(app.get_subcommands({}).back(), std::move(action));
  }
  if (argc > 1 && argv[1][0] != '-' && !is_command(app, argv[1])) {
    fmt::print(stderr, "vinculum: found {}, expected a command: {}\n", argv[1], fmt::join(names(app), ", "));
    return bad_input;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    fmt::print(stderr, "vinculum: {} (try: vinculum --help)\n", error.what());
    return bad_input;
  }
  for (auto& [command, action] : actions) {
    if (command->parsed()) return action();
  }
  return internal;
}

}  // namespace
}  // namespace vinculum::cli

int main(int argc, char** argv) {
  try {
    return vinculum::cli::run_program(argc, argv);
  } catch (const vinculum::base::InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    if (!error.detail.empty() && isatty(STDERR_FILENO)) fmt::print(stderr, "{}\n", error.detail);
    return vinculum::cli::bad_input;
  } catch (const std::exception& error) {
    fmt::print(stderr, "vinculum: {}\n", error.what());
    return vinculum::cli::internal;
  }
}
