// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A run from scene to summary: loop, trace, checkpoints, claims.
#pragma once

#include "vinculum/integrators/integrator.hpp"
#include "vinculum/interchange/interchange.hpp"
#include "vinculum/model/model.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace vinculum::cli {

/// What the command line may change about a scene's run.
struct Options {
  std::string scene;
  interchange::UrdfOptions urdf;
  std::optional<double> until, dt, tol;
  std::optional<std::string> integrator, solver;
  std::optional<int> threads, record_every;
  std::string out;  // trace; empty: none
  bool resume = false;
  std::string dump_folder;           // contact problems of hard steps go here (FCLIB); empty: nowhere
  std::optional<double> dump_above;  // unit-free residual above which a step is hard; default: the tolerance
};

/// Forces of redundant loops that no law determines, at the step where they are most; names as in the scene.
struct UndeterminedForces {
  int directions = 0;
  std::int64_t steps = 0;  // with any
  double time = 0;
  std::vector<std::string> loops, joints;
};

/// The largest turn of a body within a step, where it is too large to be followed (motion/turn.hpp).
struct FastTurn {
  double angle = 0;  // rad; 0: every turn was followed
  double time = 0;
  std::int64_t steps = 0;
  std::string body;
};

/// Contacts that contradict each other (integrators/wedge.hpp).
struct Wedged {
  std::int64_t steps = 0;    // with any
  std::size_t contacts = 0;  // in the step where they are most
  double time = 0;           // of that step
};

/// A scene that started in violation, and what brought it onto its constraints before its first step.
struct Settled {
  integrators::Settling settling;
  std::string worst;        // the law that was violated most, as in the scene
  double energy_added = 0;  // J, by the move
};

/// What the run claims of itself; `audit` rechecks it from the trace.
struct Summary {
  std::string verdict;     // certified: every step met the tolerance; undecided: some did not
  std::int64_t steps = 0;  // done by this command
  double t = 0;
  double wall_s = 0;
  std::size_t bodies = 0, coordinates = 0, contacts_max = 0;
  double tol = 0;
  double residual_max = 0;  // scaled natural map, worst step
  double residual_time = 0;
  std::int64_t steps_unsolved = 0;
  double penetration_max = 0;  // at the nodes, m
  double shift_max = 0;        // by the projection, m
  double violation_max = 0;    // worst gap, limit, rod or loop at a node, in units of the bodies
  double violation_time = 0;
  std::int64_t steps_violated = 0;  // with more than the tolerance: the projection stalled
  Settled settled;
  double energy_start = 0, energy_end = 0;
  integrators::Ledger work;                     // summed over the steps done
  std::map<std::string, std::int64_t> methods;  // steps finished by each method
  UndeterminedForces undetermined;
  Wedged wedged;
  bool jointed = false;  // the scene has trees
  FastTurn fast;
  std::string diverged;  // the body that left all bounds at t, where the run ended
  bool interrupted = false;
  std::int64_t problems_dumped = 0;
  std::string trace;
  std::vector<model::Notice> notices;  // what an imported model says and this run leaves out
};

/// Progress: simulated time, end time, contacts of the last step.
using Watcher = std::function<void(double t, double until, std::size_t contacts)>;

/// Throws base::InputError. Stops early, with everything written, when the process is asked to end (SIGINT, SIGTERM).
Summary simulate(const Options& options, const Watcher& watcher);
Summary simulate(const model::Model& model, const Options& options, const Watcher& watcher);

}  // namespace vinculum::cli
