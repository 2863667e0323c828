// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The commands of the program. Each adds itself to the command line and returns an exit status:
// 0 good, 1 the mechanics says no, 2 bad input, 3 undecided, 4 internal.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace vinculum::cli {

enum ExitStatus { good = 0, refused = 1, bad_input = 2, undecided = 3, internal = 4 };

using Action = std::function<int()>;

/// Each adds a subcommand and returns what to do when it was chosen.
Action add_run(CLI::App& app);
Action add_audit(CLI::App& app);
Action add_solve(CLI::App& app);
Action add_derive(CLI::App& app);
Action add_check(CLI::App& app);
Action add_convert(CLI::App& app);
Action add_list(CLI::App& app);
Action add_plot(CLI::App& app);
Action add_demo(CLI::App& app);
Action add_test(CLI::App& app);

/// One JSON object and a newline on standard output. NaN and infinity become null.
void print_json(const nlohmann::json& object);

}  // namespace vinculum::cli
