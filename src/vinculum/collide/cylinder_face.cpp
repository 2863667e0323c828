// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A cylinder is over a plane exactly if its two rims are. n = −m is the way down, w the part of n across the axis:
//   lowest point of the rim of cap ±:   ± l z + r w/|w|,          feature: rim, which follows the lowest point as it
//   moves.
// The rims' lowest points end the lowest generator, which is clipped by the borders of the region; a clipped end is the
// lowest point of a slice, again a rim feature.
//
// Standing, one point does not hold a body up. The cap adds four material points on its rim, at 45°, 135°, 225° and
// 315° from the lowest point (from the x-axis of the shape when the tilt is below `no_tilt`), and where the region is
// smaller than the cap, the corners of the region and the crossings of its border with the rim. All have the normal of
// the region.
#include "vinculum/collide/cylinder_face.hpp"

#include <cmath>
#include <numbers>

namespace vinculum::collide {
namespace {

constexpr double no_tilt = 1e-7;        // sine below which the lowest point of a rim is known too badly to follow it
constexpr double cap_faces_down = 0.5;  // cosine: below it the cap adds no points
constexpr double cap_is_flat = 0.05;    // sine of the tilt up to which borders are looked at

// What of the cylinder touches; the first number of an id.
enum Part { rim_low = 0, rim_high = 1, slice_begin = 2, slice_end = 3, cap_points = 4, border = 8 };

class CylinderOverRegion {
 public:
  CylinderOverRegion(const shapes::Shape& cylinder, const FlatRegion& region, double band, Emitter& out)
      : r_(cylinder.radius),
        l_(cylinder.half_length),
        region_(region),
        band_(band),
        out_(out),
        X_BA_(relative_pose(out.X_b(), out.X_a())),
        n_(-region.m),
        side_(n_.z() < 0 ? -1 : 1) {
    const Vec3 across(n_.x(), n_.y(), 0);
    sine_ = across.norm();
    w_ = sine_ > 1e-14 ? Vec3(across / sine_) : algebra::orthogonal_to(Vec3::UnitZ());
  }

  double run() {
    add_generator();
    if (std::abs(n_.z()) > cap_faces_down) {
      add_cap_points();
      if (sine_ < cap_is_flat && region_.border) add_border();
    }
    return lowest_;
  }

 private:
  Vec3 foot(const Vec3& x) const { return X_BA_ * (x - region_.height(x) * region_.m); }
  static std::uint32_t id(int part, int index) { return feature_id(Meeting::curved, part, index); }

  /// The lowest point of a slice. Of a slice that lies flat it is a material point like any other.
  void add_slice(int part, double z) {
    if (sine_ <= no_tilt) return add_point(id(part, region_.index), r_ * w_ + Vec3(0, 0, z));
    Feature feature;
    feature.kind = FeatureKind::face_b_rim_a;
    feature.P_a = Vec3(0, 0, z);
    feature.dir_a = Vec3::UnitZ();
    feature.rim = r_;
    feature.dir_b = -region_.own_normal;
    feature.P_b = foot(feature.P_a + r_ * w_);
    lowest_ = std::min(lowest_, out_.add(id(part, region_.index), feature));
  }

  void add_point(std::uint32_t id, const Vec3& x) {
    lowest_ = std::min(lowest_, out_.face_b(id, -region_.own_normal, foot(x), x));
  }

  void add_generator() {
    const Vec3 low = r_ * w_ - l_ * Vec3::UnitZ(), high = r_ * w_ + l_ * Vec3::UnitZ();
    double t0 = 0, t1 = 1;
    if (!region_.clip(low, high, band_, t0, t1)) return;
    add_slice(t0 > 0 ? slice_begin : rim_low, -l_ + 2 * l_ * t0);
    if (t1 > t0) add_slice(t1 < 1 ? slice_end : rim_high, -l_ + 2 * l_ * t1);
  }

  void add_cap_points() {
    const Vec3 u = sine_ > no_tilt ? w_ : Vec3(Vec3::UnitX()), v = Vec3::UnitZ().cross(u);
    for (int k = 0; k < 4; ++k) {
      const double s = (k == 0 || k == 3 ? r_ : -r_) / std::numbers::sqrt2,
                   t = (k < 2 ? r_ : -r_) / std::numbers::sqrt2;
      const Vec3 x = s * u + t * v + side_ * l_ * Vec3::UnitZ();
      if (region_.holds(x, band_)) add_point(id(cap_points + k, region_.index), x);
    }
  }

  /// The point of the cap's plane over a point of the region.
  Vec3 on_cap(const Vec3& x) const { return x + (side_ * l_ - x.z()) / n_.z() * n_; }

  void add_border() {
    if (region_.core != nullptr) {
      add_polygon();
    } else if (std::isfinite(region_.radius)) {
      add_circle();
    }
  }

  void add_polygon() {
    const auto& face = region_.core->solid->faces[region_.face];
    for (std::size_t k = 0; k < face.loop.size(); ++k) {
      const Vec3 from = on_cap(region_.core->vertices[face.loop[k]]);
      const Vec3 to = on_cap(region_.core->vertices[face.loop[(k + 1) % face.loop.size()]]);
      if (from.head<2>().norm() <= r_ + band_) add_point(feature_id(Meeting::corner, face.loop[k], side_ > 0), from);
      double t0 = 0, t1 = 1;
      FlatRegion cap;
      cap.m = Vec3::UnitZ();
      cap.radius = r_;
      if (!cap.clip(from, to, band_, t0, t1)) continue;
      const auto crossing = [&](int end) { return feature_id(Meeting::crossing_b, face.loop_edges[k], end); };
      if (t0 > 0) add_point(crossing(0), from + t0 * (to - from));
      if (t1 < 1) add_point(crossing(1), from + t1 * (to - from));
    }
  }

  // Nothing is missing when the cap is within the disc. Two circles of radii r and R with centres d apart cross at x =
  // (d² + r² − R²)/(2 d) along the line of centres. A disc within the cap is taken by four points of its border.
  void add_circle() {
    const Vec3 centre = on_cap(region_.centre);
    const double d = centre.head<2>().norm(), R = region_.radius;
    if (d + R <= r_ + band_ && d + r_ > R + band_) {
      for (int k = 0; k < 4; ++k) {
        const Vec3 step = k % 2 == 0 ? Vec3(Vec3::UnitX()) : Vec3(Vec3::UnitY());
        add_point(id(border + k, region_.index), centre + (k < 2 ? R : -R) * step);
      }
    } else if (d > std::abs(r_ - R) + band_) {
      const double x = (d * d + r_ * r_ - R * R) / (2 * d), y = std::sqrt(std::max(0.0, r_ * r_ - x * x));
      const Vec3 e(centre.x() / d, centre.y() / d, 0), f = Vec3::UnitZ().cross(e);
      for (int k = 0; k < 2; ++k) {
        add_point(id(border + 4 + k, region_.index), x * e + (k == 0 ? y : -y) * f + side_ * l_ * Vec3::UnitZ());
      }
    }
  }

  double r_, l_;
  const FlatRegion& region_;
  double band_;
  Emitter& out_;
  Pose X_BA_;
  Vec3 n_, w_;
  double side_, sine_;
  double lowest_ = std::numeric_limits<double>::infinity();
};

/// Cuts t0..t1 to where d0 + t (d1 − d0) <= 0, with a thick wall. False when nothing is left.
bool cut(double d0, double d1, double band, double& t0, double& t1) {
  if (d0 > band && d1 > band) return false;
  if (d0 > band && d1 < -band) t0 = std::max(t0, d0 / (d0 - d1));
  if (d0 > band && d1 >= -band) t0 = 1;
  if (d1 > band && d0 < -band) t1 = std::min(t1, d0 / (d0 - d1));
  if (d1 > band && d0 >= -band) t1 = 0;
  return t0 <= t1;
}

}  // namespace

bool FlatRegion::clip(const Vec3& x0, const Vec3& x1, double band, double& t0, double& t1) const {
  t0 = 0;
  t1 = 1;
  if (core != nullptr) {
    const auto& loop = core->solid->faces[face].loop;
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const Vec3& from = core->vertices[loop[k]];
      const Vec3 wall = (core->vertices[loop[(k + 1) % loop.size()]] - from).cross(m).normalized();
      if (!cut(wall.dot(x0 - from), wall.dot(x1 - from), band, t0, t1)) return false;
    }
  } else if (std::isfinite(radius)) {
    const auto flat = [&](const Vec3& x) -> Vec3 { return x - centre - m.dot(x - centre) * m; };
    const Vec3 d = flat(x0), e = flat(x1) - d;
    const bool in0 = d.norm() <= radius + band, in1 = (d + e).norm() <= radius + band;
    if (in0 && in1) return true;
    const double ee = e.squaredNorm(), de = d.dot(e), c = d.squaredNorm() - radius * radius;
    const double discriminant = de * de - ee * c;
    if (!(discriminant > 2 * band * radius * ee)) {  // misses the disc, or grazes it
      if (in0) t1 = 0;
      if (in1) t0 = 1;
      return in0 || in1;
    }
    const double root = std::sqrt(discriminant);
    if (!in0) t0 = (-de - root) / ee;
    if (!in1) t1 = (-de + root) / ee;
    return t0 <= t1 && t0 <= 1 && t1 >= 0;
  }
  return true;
}

bool FlatRegion::holds(const Vec3& x, double band) const {
  double t0 = 0, t1 = 0;
  return clip(x, x, band, t0, t1);
}

double collide_cylinder_region(const shapes::Shape& cylinder, const FlatRegion& region, double band, Emitter& out) {
  return CylinderOverRegion(cylinder, region, band, out).run();
}

void collide_cylinder_plane(const shapes::Shape& cylinder, Emitter& out) {
  const Pose X_AB = relative_pose(out.X_a(), out.X_b());
  FlatRegion region;
  region.own_normal = Vec3::UnitZ();
  region.m = X_AB.R * region.own_normal;
  region.offset = region.m.dot(X_AB.p);
  collide_cylinder_region(cylinder, region, 0, out);
}

}  // namespace vinculum::collide
