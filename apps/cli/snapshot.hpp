// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A picture of a scene as SVG: flat shading, farther things first, shadows on the ground, force arrows on top.
#pragma once

#include "cli/view.hpp"
#include "vinculum/shapes/shape.hpp"

#include <optional>
#include <string>
#include <vector>

namespace vinculum::cli {

using algebra::Pose;
using algebra::Vec3;

struct SceneShape {
  shapes::Shape shape;
  Pose X_WS;       // shape frame in the world
  int colour = 0;  // index into palette(); negative: grey, for what does not move
};

/// A vector at a point, such as a contact force; the longest one of a scene gets a fixed part of the picture's size.
struct SceneArrow {
  Vec3 point, vector;
};

struct Scene {
  std::vector<SceneShape> shapes;
  std::vector<SceneArrow> arrows;
  std::optional<Camera> camera;  // from the shapes unless given
  std::string title;
  int width = 900, height = 600;  // px
};

/// Looks at all bounded shapes from the given side; angles in rad, azimuth from x to y. What does not move (negative
/// colour) is left out of the frame when there is something that moves.
Camera make_camera(const Scene& scene, double azimuth = -1.05, double elevation = 0.32, bool orthographic = false);

std::string scene_svg(const Scene& scene);

}  // namespace vinculum::cli
