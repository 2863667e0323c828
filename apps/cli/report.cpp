// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/report.hpp"
#include "cli/counted.hpp"
#include "cli/notices.hpp"

#include "cli/progress.hpp"

#include <fmt/core.h>
#include <algorithm>

namespace vinculum::cli {

Summary simulate_with_progress(const Options& options, bool quiet) {
  std::optional<Progress> progress;
  Summary summary = simulate(options, [&](double t, double until, std::size_t contacts) {
    if (!progress) progress.emplace(t, until, quiet);
    progress->update(t, contacts);
  });
  return summary;
}

audit::Result audit_with_progress(const std::string& path, double tol, bool quiet) {
  Progress progress(0, 1, quiet);
  return audit::audit(path, tol, [&](double done) { progress.update(done, 0); });
}

namespace {

nlohmann::json to_json(const UndeterminedForces& u) {
  return {{"directions", u.directions}, {"steps", u.steps}, {"time", u.time}, {"loops", u.loops}, {"joints", u.joints}};
}

nlohmann::json to_json(const Settled& s) {
  return {{"rounds", s.settling.rounds},   {"violation_before", s.settling.before},
          {"violation", s.settling.after}, {"worst", s.worst},
          {"shift", s.settling.shift},     {"energy_added", s.energy_added}};
}

UndeterminedForces undetermined_of(const audit::Result& result) {
  return {result.undetermined.directions, static_cast<std::int64_t>(result.undetermined_steps),
          result.undetermined_time, result.undetermined.loops, result.undetermined.joints};
}

/// The first few names.
std::string list(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 6;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), shown); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > shown ? fmt::format("{} and {} more", text, names.size() - shown) : text;
}

std::string sentence(const UndeterminedForces& u) {
  return fmt::format("forces of {} are not determined in {} (t = {:g} s): the smallest are given; carried by {}",
                     list(u.loops), counted(u.directions, "direction"), u.time,
                     u.joints.empty() ? "no joint" : list(u.joints));
}

}  // namespace

nlohmann::json to_json(const Summary& s) {
  return {
      {"verdict", s.verdict},
      {"steps", s.steps},
      {"t", s.t},
      {"wall_s", s.wall_s},
      {"bodies", s.bodies},
      {"coordinates", s.coordinates},
      {"contacts_max", s.contacts_max},
      {"tolerance", s.tol},
      {"residual_max", s.residual_max},
      {"residual_time", s.residual_time},
      {"steps_unsolved", s.steps_unsolved},
      {"penetration_max", s.penetration_max},
      {"shift_max", s.shift_max},
      {"violation_max", s.violation_max},
      {"violation_time", s.violation_time},
      {"steps_violated", s.steps_violated},
      {"settled", to_json(s.settled)},
      {"energy_start", s.energy_start},
      {"energy_end", s.energy_end},
      {"energy_added", s.work.scheme},
      {"work",
       {{"forces", s.work.work_forces},
        {"impact", s.work.work_impact},
        {"friction", s.work.work_friction},
        {"bonds", s.work.work_bonds}}},
      {"undetermined", to_json(s.undetermined)},
      {"wedged", {{"contacts", s.wedged.contacts}, {"steps", s.wedged.steps}, {"time", s.wedged.time}}},
      {"fast_turn", {{"angle", s.fast.angle}, {"body", s.fast.body}, {"steps", s.fast.steps}, {"time", s.fast.time}}},
      {"diverged", s.diverged.empty() ? nlohmann::json(nullptr) : nlohmann::json(s.diverged)},
      {"methods", s.methods},
      {"interrupted", s.interrupted},
      {"problems_dumped", s.problems_dumped},
      {"notices", to_json(s.notices)},
      {"trace", s.trace.empty() ? nlohmann::json(nullptr) : nlohmann::json(s.trace)}};
}

nlohmann::json to_json(const audit::Result& result) {
  nlohmann::json checks = nlohmann::json::array();
  for (const checks::Outcome& c : result.checks) {
    nlohmann::json entry = {{"name", c.name},         {"status", to_string(c.status)},
                            {"residual", c.residual}, {"tolerance", c.tolerance},
                            {"unit", c.unit},         {"time", c.time},
                            {"where", c.where},       {"count", c.count}};
    if (!is_decided(c.status)) entry["why"] = c.why_not;
    checks.push_back(entry);
  }
  nlohmann::json object = {{"verdict", to_string(result.verdict)},
                           {"steps", result.steps},
                           {"t", result.t_end},
                           {"energy_added", result.energy_added},
                           {"undetermined", to_json(undetermined_of(result))},
                           {"checks", checks}};
  if (!result.why_undecided.empty()) object["why"] = result.why_undecided;
  return object;
}

int exit_status(audit::Verdict verdict) {
  switch (verdict) {
    case audit::Verdict::certified:
      return good;
    case audit::Verdict::refuted:
      return refused;
    case audit::Verdict::undecided:
      return undecided;
  }
  return internal;
}

void print_summary(const Summary& s) {
  const double per_step = s.steps > 0 ? s.wall_s / static_cast<double>(s.steps) : 0;
  std::string what = fmt::format("{}, at most {}", bodies(s.bodies), counted(s.contacts_max, "contact"));
  if (s.coordinates > 0)
    what = counted(s.coordinates, "coordinate") + ", at most " + counted(s.contacts_max, "law") + " acting";
  if (s.coordinates > 0 && s.bodies > 0) what = bodies(s.bodies) + ", " + what;
  fmt::print("{} to t = {:g} s in {:.3g} s ({:.3g} ms a step), {}\n", counted(s.steps, "step"), s.t, s.wall_s,
             1e3 * per_step, what);
  fmt::print("  laws         worst residual {:.2e} at t = {:g} s, tolerance {:.0e}, {} steps not solved\n",
             s.residual_max, s.residual_time, s.tol, s.steps_unsolved);
  if (s.steps_unsolved > 0 && s.residual_max <= s.tol) {
    fmt::print(
        "               the laws hold there, but {}: a smaller dt may help\n",
        s.jointed ? "forces of trees did not settle on them" : "only beside impulses far above what moves: bodies jam");
  }
  if (s.wedged.steps > 0) {
    fmt::print(
        "  wedged       {} with contacts that contradict each other, at most {} at t = {:g} s: they hold, gaps are "
        "lifted\n",
        counted(s.wedged.steps, "step"), s.wedged.contacts, s.wedged.time);
  }
  fmt::print("  gap          deepest penetration {:.2e} m at the nodes, largest lift {:.2e} m\n", s.penetration_max,
             s.shift_max);
  if (s.steps_violated > 0) {
    fmt::print(
        "               {} steps end with a gap, limit, rod or loop violated by more than the tolerance, "
        "at worst {:.2e} of the bodies at t = {:g} s: the projection stalled\n",
        s.steps_violated, s.violation_max, s.violation_time);
  }
  if (s.settled.settling.rounds > 0) {
    const integrators::Settling& start = s.settled.settling;
    fmt::print(
        "  start        the scene violates its constraints, most of all {} by {:.2g} of the bodies' size: settled in "
        "{}, moved by up to {:.3g} m, energy {:+.3g} J, {:.1e} left\n",
        s.settled.worst, start.before, counted(static_cast<std::size_t>(start.rounds), "projection"), start.shift,
        s.settled.energy_added, start.after);
  }
  fmt::print(
      "  energy       {:.6g} J -> {:.6g} J; forces {:.3g}, impacts {:.3g}, friction {:.3g}, bonds {:.3g}, "
      "scheme {:.3g}\n",
      s.energy_start, s.energy_end, s.work.work_forces, s.work.work_impact, s.work.work_friction, s.work.work_bonds,
      s.work.scheme);
  if (s.undetermined.directions > 0) fmt::print("  redundant    {}\n", sentence(s.undetermined));
  if (s.fast.steps > 0) {
    fmt::print(
        "  fast         {} turns by {:.2g} rad in the step at t = {:g} s ({} such steps): above {:g} rad a touch may "
        "be missed, a smaller dt finds it\n",
        s.fast.body, s.fast.angle, s.fast.time, s.fast.steps, motion::kFollowed);
  }
  if (!s.diverged.empty()) {
    fmt::print(
        "  diverged     {} leaves all bounds in the step at t = {:g} s, where the run ends: a smaller dt may follow "
        "it\n",
        s.diverged, s.t);
  }
  if (!s.notices.empty()) {
    fmt::print("  left out     {} kinds of things that the model says (listed by: vinculum check)\n", s.notices.size());
  }
  fmt::print("  solved by   ");
  for (const auto& [method, count] : s.methods) fmt::print(" {} {}", method.empty() ? "no contact" : method, count);
  fmt::print("\n");
  if (s.problems_dumped > 0) fmt::print("  hard steps   {} contact problems written\n", s.problems_dumped);
  if (!s.trace.empty()) fmt::print("  trace        {}   (recheck: vinculum audit {})\n", s.trace, s.trace);
  if (s.interrupted)
    fmt::print("  interrupted  {}\n", s.trace.empty() ? "nothing kept: no --out" : "go on with --resume");
  fmt::print("verdict: {} by the run's own claims\n", s.verdict);
}

void print_audit(const audit::Result& result) {
  fmt::print("{:18}{:16}{:>11}{:>11}  {:34}{:>9}  {}\n", "check", "status", "residual", "tolerance", "unit", "t (s)",
             "where");
  for (const checks::Outcome& c : result.checks) {
    if (!is_decided(c.status)) {
      fmt::print("{:18}{:16}{}\n", c.name, to_string(c.status), c.why_not);
    } else {
      fmt::print("{:18}{:16}{:>11.2e}{:>11.1e}  {:34}{:>9.4g}  {}\n", c.name, to_string(c.status), c.residual,
                 c.tolerance, c.unit, c.time, c.where);
    }
  }
  fmt::print("{} steps rechecked to t = {:g} s; the scheme added {:.3g} J\n", result.steps, result.t_end,
             result.energy_added);
  if (result.undetermined.directions > 0) fmt::print("{}\n", sentence(undetermined_of(result)));
  if (!result.why_undecided.empty()) fmt::print("undecided: {}\n", result.why_undecided);
  fmt::print("verdict: {}\n", to_string(result.verdict));
}

}  // namespace vinculum::cli
