// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// One engine runs one scene: every step is timed, the referee looks in now and then outside the timed part.
#pragma once

#include "referee.hpp"

#include <cstdint>
#include <functional>

namespace vinculum::bench {

struct TrialOptions {
  double until = 0;             // simulated, s
  double budget = 1e9;          // stop after this much CPU time, s
  std::int64_t look_every = 0;  // steps between two looks of the referee; 0: only at the end
  /// Sees the motion before every step, outside the timed part; false ends the trial.
  std::function<bool(double t, const Motion& motion)> watch = {};
};

struct Trial {
  std::vector<double> cpu, wall;      // of each step, s
  std::vector<std::size_t> contacts;  // of each step
  double residual_max = 0;            // over the steps, where the engine says
  double residual_end = 0;            // of the last step
  std::int64_t unsolved = 0;          // steps the engine itself calls unsolved
  double overlap_max = 0;             // over the referee's looks
  Figures end;
  double t = 0;       // reached
  bool whole = true;  // false: the budget ran out before `until`, or the watch ended it
};

Trial run_trial(const PeerType& type, const model::Model& model, const TrialOptions& options);

struct Quartiles {
  double low = 0, median = 0, high = 0;
};
/// Of values[begin..]; zeros when there is none.
Quartiles quartiles(const std::vector<double>& values, std::size_t begin = 0);

/// Seconds: CPU time of the whole process, and of the wall clock.
double cpu_now();
double wall_now();

}  // namespace vinculum::bench
