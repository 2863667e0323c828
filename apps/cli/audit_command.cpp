// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/numbers.hpp"
#include "cli/report.hpp"

#include <memory>

namespace vinculum::cli {

Action add_audit(CLI::App& app) {
  auto* command = app.add_subcommand("audit", "recheck a trace from q, v, Lambda and its scene alone");
  struct Arguments {
    std::string trace;
    double tol = 0;
    bool json = false;
  };
  auto a = std::make_shared<Arguments>();
  command->add_option("trace", a->trace, "trace file (HDF5)")->required();
  command->add_option("--tol", a->tol, "tolerance of the laws (default: the run's)")->check(number_from_zero(false));
  command->add_flag("--json", a->json, "one JSON object on standard output");
  command->footer("Exit status: 0 certified, 1 refuted, 3 undecided.\nExample: vinculum audit stack.h5 --json");
  return [a] {
    const audit::Result result = audit_with_progress(a->trace, a->tol, a->json);
    if (a->json) {
      print_json(to_json(result));
    } else {
      print_audit(result);
    }
    return exit_status(result.verdict);
  };
}

}  // namespace vinculum::cli
