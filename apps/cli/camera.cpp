// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The automatic camera: far enough back to see everything that moves, not farther.
#include "cli/snapshot.hpp"
#include "cli/solids.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::cli {

Camera make_camera(const Scene& scene, double azimuth, double elevation, bool orthographic) {
  std::vector<Vec3> corners;
  for (const bool movers : {true, false}) {
    for (const auto& shape : scene.shapes) {
      if (movers && shape.colour < 0) continue;
      const Solid s = make_solid(shape.shape, shape.X_WS);
      for (const auto& x : s.vertices) {
        for (int k = 0; k < 6; ++k) corners.push_back(x + s.radius * (k % 2 == 0 ? 1 : -1) * Vec3::Unit(k / 2));
      }
    }
    if (!corners.empty()) break;
  }
  if (corners.empty()) corners = {Vec3(-1, -1, 0), Vec3(1, 1, 1)};
  const Vec3 back(std::cos(elevation) * std::cos(azimuth), std::cos(elevation) * std::sin(azimuth),
                  std::sin(elevation));
  Camera camera;
  const Vec3 right = Vec3(-std::sin(azimuth), std::cos(azimuth), 0), up = back.cross(right);
  // Centre of what is seen, then as far back as all corners need.
  const double big = std::numeric_limits<double>::infinity();
  Vec3 low(big, big, big), high = -low;
  for (const auto& x : corners) {
    const Vec3 y(right.dot(x), up.dot(x), back.dot(x));
    low = low.cwiseMin(y);
    high = high.cwiseMax(y);
  }
  const Vec3 mid = 0.5 * (low + high), half = 0.5 * (high - low);
  camera.target = mid.x() * right + mid.y() * up + mid.z() * back;
  const double side = std::min(scene.width, scene.height), room = 1.22;
  const double aspect_x = scene.width / side, aspect_y = scene.height / side;
  camera.view_angle = orthographic ? 0 : 0.45;
  camera.view_height = 2 * room * std::max({half.x() / aspect_x, half.y() / aspect_y, 1e-9});
  double distance = 2 * half.norm() + 1e-6;
  if (!orthographic) {
    const double slope = std::tan(0.5 * camera.view_angle) / room;
    distance = 0;
    for (const auto& x : corners) {
      const Vec3 y(right.dot(x) - mid.x(), up.dot(x) - mid.y(), back.dot(x) - mid.z());
      distance = std::max(distance,
                          y.z() + std::max(std::abs(y.x()) / (slope * aspect_x), std::abs(y.y()) / (slope * aspect_y)));
    }
  }
  camera.eye = camera.target + std::max(distance, 1e-6) * back;
  return camera;
}

}  // namespace vinculum::cli
