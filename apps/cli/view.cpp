// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/view.hpp"

#include <cmath>

namespace vinculum::cli {

View::View(const Camera& camera, int width, int height)
    : eye_(camera.eye), orthographic_(camera.view_angle <= 0), centre_(0.5 * width, 0.5 * height) {
  forward_ = (camera.target - camera.eye).normalized();
  right_ = forward_.cross(camera.up);
  if (right_.norm() < 1e-9) right_ = forward_.cross(Vec3(0, 1, 0));
  right_.normalize();
  up_ = right_.cross(forward_);
  const double side = std::min(width, height);
  zoom_ = orthographic_ ? side / camera.view_height : 0.5 * side / std::tan(0.5 * camera.view_angle);
}

std::vector<Vec3> clip_near(const std::vector<Vec3>& loop, const View& view) {
  if (view.orthographic()) return loop;
  std::vector<Vec3> out;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec3 &a = loop[i], &b = loop[(i + 1) % loop.size()];
    const double da = view.depth(a) - View::near, db = view.depth(b) - View::near;
    if (da >= 0) out.push_back(a);
    if ((da >= 0) != (db >= 0)) out.push_back(a + (b - a) * (da / (da - db)));
  }
  return out;
}

std::vector<Vec2> convex_hull(std::vector<Vec2> p) {
  std::sort(p.begin(), p.end(),
            [](const Vec2& a, const Vec2& b) { return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y()); });
  std::vector<Vec2> hull;
  const auto turn = [](const Vec2& a, const Vec2& b, const Vec2& c) {
    return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
  };
  for (const bool upper : {false, true}) {
    const std::size_t base = hull.size();
    for (const auto& x : p) {
      while (hull.size() >= base + 2 && turn(hull[hull.size() - 2], hull.back(), x) <= 0) hull.pop_back();
      hull.push_back(x);
    }
    if (!hull.empty()) hull.pop_back();
    if (!upper) std::reverse(p.begin(), p.end());
  }
  return hull;
}

}  // namespace vinculum::cli
