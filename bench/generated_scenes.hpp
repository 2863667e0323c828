// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Large scenes of any size, for benches: the number of bodies is a parameter, so that no scene file can hold them.
#pragma once

#include "scene_peers.hpp"

namespace vinculum::bench {

/// A wall of boxes, rows + (rows − 1) + … + 1 of them, as in scenes/pyramid*.toml.
model::Model make_wall(int rows);

/// Spheres, cubes and capsules of 2 cm, one third each, in a drum of 26 boards that turns about the horizontal y axis
/// at 2 rad/s. There is no body with prescribed motion that all engines share, so the drum is a free body of 10⁶ kg
/// whose weight a constant force carries: in a second its load changes its motion by less than a thousandth.
model::Model make_drum(int bodies);

/// Spheres of 2 cm in a bin above a funnel of four sloping boards with an opening of 8 cm.
model::Model make_hopper(int bodies);

/// The scene as it stands after a motion: places and velocities of all bodies are those given.
model::Model restart(model::Model model, const Motion& motion);

}  // namespace vinculum::bench
