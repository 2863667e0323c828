// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/numbers.hpp"
#include "cli/report.hpp"
#include "cli/simulation.hpp"
#include "urdf_flags.hpp"

#include <fmt/format.h>
#include <cmath>
#include <memory>

namespace vinculum::cli {

namespace {

struct RunArguments {
  Options options;
  std::string dump_when;
  bool json = false, quiet = false, recheck = false;
};

/// The E of "residual>E".
double threshold_of(const std::string& condition) {
  constexpr std::string_view begin = "residual>";
  std::size_t used = 0;
  double value = -1;
  if (condition.starts_with(begin) && condition.size() > begin.size()) {
    const std::string number = condition.substr(begin.size());
    try {
      value = std::stod(number, &used);
    } catch (const std::exception&) {
      used = 0;
    }
    if (used == number.size() && std::isfinite(value) && value >= 0) return value;
  }
  throw base::InputError(fmt::format("--dump-when: found \"{}\", expected residual>E with a number E >= 0", condition));
}

int run(const RunArguments& arguments) {
  const Summary summary = simulate_with_progress(arguments.options, arguments.quiet || arguments.json);
  std::optional<audit::Result> result;
  if (arguments.recheck && !summary.trace.empty()) result = audit_with_progress(summary.trace, 0, arguments.json);
  if (arguments.json) {
    nlohmann::json object = to_json(summary);
    if (result) object["audit"] = to_json(*result);
    print_json(object);
  } else {
    print_summary(summary);
    if (result) print_audit(*result);
  }
  if (result) return exit_status(result->verdict);
  return summary.verdict == "certified" ? good : undecided;
}

}  // namespace

Action add_run(CLI::App& app) {
  auto* command = app.add_subcommand("run", "simulate a scene and report its certificate");
  auto a = std::make_shared<RunArguments>();
  Options& o = a->options;
  command->add_option("scene", o.scene, "scene (.toml) or robot (.xml, .urdf)")->required();
  command->add_option("--until", o.until, "simulated time to end at, s")->check(number_from_zero(true));
  command->add_option("--dt", o.dt, "time step, s")->check(number_from_zero(false));
  command->add_option("--integrator", o.integrator, "name from: vinculum list integrators");
  command->add_option("--solver", o.solver, "name from: vinculum list solvers");
  command->add_option("--tol", o.tol, "tolerance of every law, relative")->check(number_from_zero(false));
  command->add_option("--threads", o.threads, "0 = all; the result does not depend on it")
      ->check(number_from_zero(true));
  command->add_option("--record-every", o.record_every, "steps from one recorded step to the next")
      ->check(number_from_zero(false));
  command->add_option("--out", o.out, "trace file to write (HDF5)");
  command->add_option("--dump-problems", o.dump_folder, "folder for the contact problems of hard steps (FCLIB)");
  command->add_option("--dump-when", a->dump_when, "which steps are hard: residual>E (default: E = the tolerance)");
  add_urdf_flags(*command, o.urdf);
  command->add_flag("--resume", o.resume, "go on from the checkpoint beside --out");
  command->add_flag("--audit", a->recheck, "recheck the trace when done (needs --out)");
  command->add_flag("--json", a->json, "one JSON object on standard output");
  command->add_flag("--quiet", a->quiet, "no progress bar");
  command->footer("Example: vinculum run scenes/box_stack.toml --until 2 --out stack.h5 --audit");
  return [a] {
    if (a->recheck && a->options.out.empty()) {
      throw base::InputError("--audit: found no --out, expected a trace to recheck");
    }
    if (!a->dump_when.empty()) {
      if (a->options.dump_folder.empty()) {
        throw base::InputError("--dump-when: found no --dump-problems, expected a folder for the problems");
      }
      a->options.dump_above = threshold_of(a->dump_when);
    }
    return run(*a);
  };
}

}  // namespace vinculum::cli
