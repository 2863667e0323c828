// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A trace in memory: recorded from a run, changed by a test, written out, audited.
#pragma once

#include "support/simulate.hpp"
#include "vinculum/audit/audit.hpp"

namespace vinculum::audit {

using algebra::Vec3;
using checks::Status;
using integrators::ContactRecord;
using integrators::Mode;
using integrators::StepRecord;
using test::Folder;
using test::Simulation;
using trace::Row;

struct Forge {
  trace::Header header;
  struct Step {
    Row before;
    StepRecord record;
    Row after;
  };
  std::vector<Step> steps;

  /// The first n steps of a scene.
  static Forge run(const std::string& text, int n, const test::SimulationSettings& settings = {}) {
    Simulation sim(text, settings);
    Forge forge;
    forge.header = sim.header();
    sim.integrator->settle(sim.state);
    for (int i = 0; i < n; ++i) {
      Row before = sim.row();
      sim.step();
      forge.steps.push_back({before, sim.record, sim.row()});
    }
    return forge;
  }

  /// Changes the state between step i and step i + 1, as both see it.
  template <class Change>
  void change_row_after(std::size_t i, Change change) {
    change(steps[i].after);
    if (i + 1 < steps.size()) change(steps[i + 1].before);
  }

  /// Through the file: written by trace::Writer, read again by trace::Reader inside audit.
  Result audit(double tol = 0) const {
    const Folder folder;
    const std::string file = folder.file("t.h5");
    {
      trace::Writer writer(file, header);
      for (const Step& step : steps) writer.add(step.before, step.record, step.after);
      writer.flush();
    }
    return vinculum::audit::audit(file, tol);
  }
};

/// Changes the joints between two steps, and the rows of the bodies with them: a careful forger.
template <class Change>
void change_joints(Forge& forge, std::size_t i, Change change) {
  const model::Model model = model::parse_scene(forge.header.scene_text, "scene.toml");
  const checks::Linkage linkage(model, forge.header.tree_q, forge.header.tree_v);
  forge.change_row_after(i, [&](Row& row) {
    change(row);
    checks::Posture at;
    checks::Speeds speeds;
    linkage.place(row.tree_q, at);
    linkage.move(at, row.tree_v, speeds);
    for (std::size_t b = 0; b < row.x.size(); ++b) {
      if (!linkage.linked[b]) continue;
      row.x[b] = at.x[b], row.R[b] = algebra::Quat(at.R[b]), row.v[b] = speeds.v[b], row.w[b] = speeds.w[b];
    }
  });
}

inline const checks::Outcome& outcome(const Result& result, std::string_view name) {
  for (const checks::Outcome& o : result.checks) {
    if (o.name == name) return o;
  }
  throw std::logic_error("no check " + std::string(name));
}

/// "balance 3e-4 > 1e-11 at t = 0.007, block; ..." for messages.
inline std::string failures(const Result& result) {
  std::string text = std::string(to_string(result.verdict)) + " ";
  for (const checks::Outcome& o : result.checks) {
    if (o.status == Status::fail) {
      text += fmt::format("[{} {:.2e} > {:.1e} t={:.4g} {}] ", o.name, o.residual, o.tolerance, o.time, o.where);
    }
  }
  return text + result.why_undecided;
}

inline std::vector<std::string> failing(const Result& result) {
  std::vector<std::string> names;
  for (const checks::Outcome& o : result.checks) {
    if (o.status == Status::fail) names.emplace_back(o.name);
  }
  return names;
}

/// The check fails there and then.
inline void expect_failure(const Result& result, std::string_view check, double time, const std::string& where) {
  EXPECT_EQ(result.verdict, Verdict::refuted) << failures(result);
  const checks::Outcome& o = outcome(result, check);
  EXPECT_EQ(o.status, Status::fail) << check << ": " << failures(result);
  EXPECT_NEAR(o.time, time, 1e-12) << check;
  EXPECT_NE(o.where.find(where), std::string::npos) << check << " names " << o.where;
}

}  // namespace vinculum::audit
