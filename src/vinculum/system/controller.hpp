// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A program's hand on the actuators: called once per step, with the state at its start, and asked for ctrl of every
// actuator, which then holds through the step (zero-order hold).
//
//   f = clamp((gain₀ + gain₁ x + gain₂ ẋ) clamp(ctrl) + bias₀ + bias₁ x + bias₂ ẋ)         docs/scene.md, [[actuator]]
//
// What it asked for is part of the record of the step and of the trace: the auditor cannot know the program, but it
// holds the motion to the controls that were applied.
#pragma once

#include "vinculum/system/system.hpp"

#include <functional>
#include <span>
#include <string_view>

namespace vinculum::system {

/// What a controller sees: joint coordinates are state.q.tree and state.tree_v in the order of forest->q_names and
/// v_names, poses of all bodies state.q.x and state.q.R.
struct Sight {
  double t = 0, dt = 0;  // start and length of the step, s
  const System& system;
  const State& state;
};

/// Fills ctrl, one entry per actuator in the order of the scene; on entry what the scene itself says for this step. A
/// value that is not finite ends the run with a base::InputError. Copied with the settings of an integrator: keep
/// memory outside and capture it by reference.
using Controller = std::function<void(const Sight& sight, std::span<double> ctrl)>;

/// Places of a joint coordinate, a joint velocity and an actuator, by name; for use before the run. Unknown names are a
/// base::InputError.
int find_q(const System& system, std::string_view name);
int find_v(const System& system, std::string_view name);
int find_actuator(const System& system, std::string_view name);

}  // namespace vinculum::system
