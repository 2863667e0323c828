// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/audit/audit.hpp"

#include <fmt/core.h>

namespace vinculum::audit {

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::certified:
      return "certified";
    case Verdict::refuted:
      return "refuted";
    case Verdict::undecided:
      return "undecided";
  }
  return "unknown";
}

namespace {

/// Refuted if a check fails; undecided if nothing was looked at or something could not be; else certified.
void decide(Result& result) {
  bool failed = false;
  for (const checks::Outcome& outcome : result.checks) failed = failed || outcome.status == checks::Status::fail;
  if (result.steps == 0) result.why_undecided = "the trace holds no step";
  if (failed) {
    result.verdict = Verdict::refuted;
  } else {
    result.verdict = result.why_undecided.empty() ? Verdict::certified : Verdict::undecided;
  }
}

}  // namespace

Result audit(const std::string& path, double tol, const std::function<void(double)>& progress) {
  const trace::Reader reader(path);
  const trace::Header& header = reader.header();
  const model::Model model = model::parse_scene(header.scene_text, path + ":scene");
  if (model.bodies.size() != header.bodies) {
    throw base::InputError({path, 0, 0}, "state", fmt::format("{} bodies", header.bodies),
                           fmt::format("the {} bodies of its scene", model.bodies.size()));
  }
  std::vector<std::unique_ptr<checks::Check>> all;
  for (const checks::CheckType& type : checks::check_types()) {
    all.push_back(type.make());
    all.back()->outcome.name = type.name;
  }
  Result result;
  checks::Replay step(model, header);
  for (std::size_t i = 0; i < reader.steps(); ++i) {
    if (!step.load(reader, i, tol > 0 ? tol : header.tol)) {
      result.why_undecided = fmt::format("at t = {} s a body turns too far in one step to retrace it", step.t);
    }
    for (auto& check : all) check->look(step);
    if (step.redundant.cols() > 0) {
      ++result.undetermined_steps;
      if (step.redundant.cols() > result.undetermined.directions)
        result.undetermined = step.undetermined(), result.undetermined_time = step.t;
    }
    result.energy_added += step.record.ledger.scheme;
    result.t_end = step.t + step.dt;
    ++result.steps;
    if (progress) progress(static_cast<double>(i + 1) / static_cast<double>(reader.steps()));
  }
  for (auto& check : all) {
    if (check->outcome.status == checks::Status::not_applicable && check->outcome.why_not.empty()) {
      check->outcome.why_not = "no contact was recorded";
    }
    result.checks.push_back(check->outcome);
  }
  decide(result);
  return result;
}

}  // namespace vinculum::audit
