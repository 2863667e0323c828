// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What URDF leaves open and the user may say.
#pragma once

#include "vinculum/interchange/interchange.hpp"

#include <CLI/CLI.hpp>

namespace vinculum::cli {

inline void add_urdf_flags(CLI::App& command, interchange::UrdfOptions& options) {
  command.add_flag("--floating", options.floating, "URDF: the root link is free instead of fixed to the world");
  command.add_flag("--self-collision", options.self_collision, "URDF: links of the robot touch each other");
}

}  // namespace vinculum::cli
