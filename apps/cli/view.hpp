// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the eye is, and where a point of the world appears in the picture.
#pragma once

#include "vinculum/algebra/types.hpp"

#include <algorithm>
#include <vector>

namespace vinculum::cli {

using algebra::Vec2;
using algebra::Vec3;

struct Camera {
  Vec3 eye, target;
  Vec3 up{0, 0, 1};
  double view_angle = 0.5;  // of the smaller side of the picture, rad; 0: orthographic
  double view_height = 1;   // m on the smaller side, orthographic only
};

// World -> picture. z is the distance along the line of sight.
class View {
 public:
  View(const Camera& camera, int width, int height);
  double depth(const Vec3& x) const { return forward_.dot(x - eye_); }
  double scale(const Vec3& x) const { return orthographic_ ? zoom_ : zoom_ / std::max(depth(x), 1e-9); }  // px per m
  Vec2 at(const Vec3& x) const {
    const double s = scale(x);
    return centre_ + s * Vec2(right_.dot(x - eye_), -up_.dot(x - eye_));
  }
  bool faces(const Vec3& normal, const Vec3& point) const {
    return orthographic_ ? normal.dot(forward_) < 0 : normal.dot(eye_ - point) > 0;
  }
  bool sees(const Vec3& x) const { return orthographic_ || depth(x) > near; }
  bool orthographic() const { return orthographic_; }
  Vec3 viewpoint() const { return orthographic_ ? Vec3(-forward_) : eye_; }
  const Vec3& eye() const { return eye_; }
  const Vec3& forward() const { return forward_; }
  const Vec3& right() const { return right_; }
  const Vec3& up() const { return up_; }
  static constexpr double near = 1e-3;

 private:
  Vec3 eye_, forward_, right_, up_;
  bool orthographic_;
  Vec2 centre_;
  double zoom_ = 1;
};

/// What of a polygon, or of a segment, lies before the eye.
std::vector<Vec3> clip_near(const std::vector<Vec3>& loop, const View& view);
std::vector<Vec2> convex_hull(std::vector<Vec2> points);

}  // namespace vinculum::cli
