// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Two cylinders: a in its own frame (axis z), b with centre c, axis w. In closed form
//   s(n) = n·c − l_a |n·z| − r_a |n × z| − l_b |n·w| − r_b |n × w|,    signed distance = max over unit n,
//   ∂s/∂n = b(n) − a(n), the difference of the support points.
// s is smooth but for the creases n ⟂ z, n ⟂ w (sides) and the peaks n = ± z, ± w (caps), so the maximum is at
//   ± z, ± w                   a cap                      patch: the other cylinder over the disc
//   n ⟂ z and n ⟂ w            side on side
//   n ⟂ z  or  n ⟂ w           side on rim                root of the derivative along the circle
//   elsewhere                  rim on rim                 Newton on the sphere
// Apart, s is concave where it is positive and there is one maximum; overlapping, the best of all is taken.
#include "vinculum/collide/cylinder_pair.hpp"

#include "vinculum/collide/core.hpp"
#include "vinculum/collide/cylinder.hpp"
#include "vinculum/collide/cylinder_face.hpp"

#include <limits>
#include <numbers>

namespace vinculum::collide {
namespace {

constexpr double preference = 1e-10, flat = 1e-4, nearly_flat = 0.05, band = 1e-5, same = 1e-12;
constexpr double side_by_side = 0.05, crossing_gain = 1e-10;
constexpr double nearly_parallel = 0.05;  // as in cylinder_core.cpp

enum class Part : std::uint8_t { cap, side, rim };

class TwoCylinders {
 public:
  TwoCylinders(const shapes::Shape& a, const shapes::Shape& b, Emitter& out)
      : shape_a_(a),
        shape_b_(b),
        a_(a),
        b_(b),
        out_(out),
        X_AB_(relative_pose(out.X_a(), out.X_b())),
        R_(X_AB_.R.toRotationMatrix()),
        c_(X_AB_.p),
        w_(R_.col(2)),
        size_(a_.r + a_.l + b_.r + b_.l) {}

  void run() {
    if (!offer_caps()) return;
    offer_sides();
    offer_rims();
    if (best_.s > out_.margin()) return;
    add_contacts();
  }

 private:
  struct Best {
    Part a = Part::cap, b = Part::cap;
    double s = -std::numeric_limits<double>::max();
    Vec3 n;
  };

  Vec3 support_b(const Vec3& n) const { return c_ + R_ * b_.support(R_.transpose() * n); }
  double separation(const Vec3& n) const { return n.dot(c_) - a_.reach(n) - b_.reach(R_.transpose() * n); }
  Vec3 gradient(const Vec3& n) const { return support_b(-n) - a_.support(n); }

  void offer(Part a, Part b, const Vec3& n) {
    const double s = separation(n);
    if (s > best_.s + preference * size_) best_ = {a, b, s, n};
  }

  bool offer_caps() {
    for (const double sign : {1.0, -1.0}) offer(Part::cap, Part::rim, Vec3(0, 0, sign));
    for (const double sign : {1.0, -1.0}) offer(Part::rim, Part::cap, sign * w_);
    return best_.s <= out_.margin();
  }

  void offer_sides() {
    const Vec3 cross = Vec3::UnitZ().cross(w_);
    const double sine = cross.norm();
    if (sine > 1e-6) {
      offer(Part::side, Part::side, (cross.dot(c_) < 0 ? -1 : 1) / sine * cross);
    } else {
      const Vec3 across(c_.x(), c_.y(), 0);
      if (across.norm() > 1e-12 * size_) offer(Part::side, Part::side, across.normalized());
    }
    offer_circle(Part::side, Part::rim, Vec3::UnitZ());
    offer_circle(Part::rim, Part::side, w_);
  }

  /// Maxima along the circle n ⟂ axis, where the slope passes from + to −.
  void offer_circle(Part a, Part b, const Vec3& axis) {
    const Vec3 u = algebra::orthogonal_to(axis), v = axis.cross(u);
    const auto normal = [&](double theta) -> Vec3 { return std::cos(theta) * u + std::sin(theta) * v; };
    const auto slope = [&](double theta) {
      return (std::cos(theta) * v - std::sin(theta) * u).dot(gradient(normal(theta)));
    };
    constexpr int steps = 24;
    double theta = 0, before = slope(0);
    for (int k = 1; k <= steps; ++k) {
      const double next = 2 * std::numbers::pi * k / steps, after = slope(next);
      if (before > 0 && after <= 0) offer(a, b, normal(find_root(slope, theta, before, next, after)));
      theta = next;
      before = after;
    }
  }

  // Newton on the sphere: with t_1, t_2 spanning the tangent plane, g_i = t_i·∂s and
  //   H = − r_a/|n × z| τ_a τ_aᵀ − r_b/|n × w| τ_b τ_bᵀ − s 1,   τ the unit tangents of the rims.
  /// At n of a cap or side s has a kink, from which no step leads up: besides the best so far and the way from centre
  /// to centre it starts between that way and each of these.
  void offer_rims() {
    const Vec3 middle = c_.norm() > 0 ? Vec3(c_.normalized()) : best_.n;
    const Vec3 around = Vec3(c_.x(), c_.y(), 0), across = c_ - c_.dot(w_) * w_;
    climb(best_.n);
    climb(middle);
    for (const Vec3& kink :
         {Vec3(0, 0, middle.z() < 0 ? -1 : 1), Vec3(middle.dot(w_) < 0 ? Vec3(-w_) : w_), around, across, best_.n}) {
      const Vec3 between = middle + kink.normalized();
      if (best_.s > out_.margin()) return;
      if (kink.norm() > 0 && between.norm() > 1e-6) climb(between.normalized());
    }
  }

  void climb(Vec3 n) {
    double s = separation(n);
    for (int k = 0; k < 30; ++k) {
      const Vec3 step = newton_step(n, s);
      if (step.norm() < 1e-15) break;
      double scale = 1;
      Vec3 trial = n;
      double s_trial = s;
      for (; scale > 1e-3; scale /= 2) {
        trial = (n + scale * step).normalized();
        s_trial = separation(trial);
        if (s_trial > s) break;
      }
      if (!(s_trial > s)) break;
      n = trial;
      s = s_trial;
    }
    offer(Part::rim, Part::rim, n);
  }

  Vec3 newton_step(const Vec3& n, double s) const {
    const Vec3 t1 = algebra::orthogonal_to(n), t2 = n.cross(t1), g = gradient(n);
    const Vec3 across_a = Vec3::UnitZ().cross(n), across_b = w_.cross(n);
    const double sine_a = std::max(across_a.norm(), 1e-12), sine_b = std::max(across_b.norm(), 1e-12);
    const Vec3 tau_a = across_a / sine_a, tau_b = across_b / sine_b;
    const double ka = a_.r / sine_a, kb = b_.r / sine_b;
    const double g1 = t1.dot(g), g2 = t2.dot(g);
    const double a1 = t1.dot(tau_a), a2 = t2.dot(tau_a), b1 = t1.dot(tau_b), b2 = t2.dot(tau_b);
    const double h11 = ka * a1 * a1 + kb * b1 * b1 + s, h12 = ka * a1 * a2 + kb * b1 * b2;
    const double h22 = ka * a2 * a2 + kb * b2 * b2 + s;  // −H
    const double determinant = h11 * h22 - h12 * h12;
    if (determinant > 1e-12 * (ka + kb) * (ka + kb) && h11 + h22 > 0) {
      return ((h22 * g1 - h12 * g2) * t1 + (h11 * g2 - h12 * g1) * t2) / determinant;
    }
    return (g1 * t1 + g2 * t2) / (ka + kb);
  }

  void add_contacts() {
    const Vec3& n = best_.n;
    const Vec3 z = Vec3::UnitZ();
    const double sine_a = n.cross(z).norm(), sine_b = n.cross(w_).norm();
    if (sine_a < flat && sine_b < flat && add_cap_on_cap(n)) return;
    if (best_.a == Part::cap) {
      if (add_over_a(n.z() < 0 ? -1 : 1) <= best_.s + same * size_) return;
    } else if (best_.b == Part::cap) {
      if (add_over_b(n.dot(w_) < 0 ? 1 : -1) <= best_.s + same * size_) return;
    }
    if (best_.a == Part::cap || best_.b == Part::cap) {
      // The lowest point is beside the disc: a better direction was missed.
      add_fixed(feature_id(Meeting::curved, 46, best_.a == Part::cap ? 0 : 1), n, a_.support(n),
                b_.support(R_.transpose() * -n));
      return;
    }
    if (!add_stretch(n)) add_lines(n, a_.support(n), b_.support(R_.transpose() * -n));
    out_.avoid_last();
    if (sine_a < nearly_flat && sine_a <= sine_b) {
      add_over_a(n.z() < 0 ? -1 : 1);
    } else if (sine_b < nearly_flat) {
      add_over_b(n.dot(w_) < 0 ? 1 : -1);
    }
  }

  /// Two caps face to face: the points of the smaller disc over the larger; of both over each other where they overlap
  /// in part. False when they do not.
  bool add_cap_on_cap(const Vec3& n) {
    const double side_a = n.z() < 0 ? -1 : 1, side_b = n.dot(w_) < 0 ? 1 : -1;
    const double d = (c_ - n.dot(c_) * n).norm(), wall = band * size_;
    if (d > a_.r + b_.r + wall) return false;
    if (d + b_.r <= a_.r + wall) return std::isfinite(add_over_a(side_a));
    if (d + a_.r <= b_.r + wall) return std::isfinite(add_over_b(side_b));
    const double over_a = add_over_a(side_a), over_b = add_over_b(side_b, false);
    return std::isfinite(std::min(over_a, over_b));
  }

  /// b over a cap of a.
  double add_over_a(double side) {
    const Pose X_BA = X_AB_.inverse();
    FlatRegion region;
    region.own_normal = Vec3(0, 0, side);
    region.m = X_BA.R * region.own_normal;
    region.centre = X_BA * Vec3(0, 0, side * a_.l);
    region.offset = region.m.dot(region.centre);
    region.radius = a_.r;
    region.index = side > 0 ? 1 : 0;
    Emitter turned = out_.turned();
    return collide_cylinder_region(shape_b_, region, band * size_, turned);
  }

  /// a over a cap of b.
  double add_over_b(double side, bool border = true) {
    FlatRegion region;
    region.border = border;
    region.own_normal = Vec3(0, 0, side);
    region.m = side * w_;
    region.centre = c_ + side * b_.l * w_;
    region.offset = region.m.dot(region.centre);
    region.radius = b_.r;
    region.index = side > 0 ? 3 : 2;
    return collide_cylinder_region(shape_a_, region, band * size_, out_);
  }

  /// Side by side: the ends of the common stretch, as slices of b against the axis of a. The rounding of b is the reach
  /// of its slice along n, r_b |n × w|. The point of b is then n·w times that behind or before its slice: where this
  /// is beyond its end, the slice is moved back, and what is lowest is the rim.
  bool add_stretch(const Vec3& n) {
    if (best_.a == Part::cap || best_.b == Part::cap) return false;
    if (Vec3::UnitZ().cross(w_).norm() > side_by_side || std::abs(n.z()) > side_by_side) return false;
    const double ta = (-a_.l - c_.z()) / w_.z(), tb = (a_.l - c_.z()) / w_.z();
    const double t0 = std::max(-b_.l, std::min(ta, tb)), t1 = std::min(b_.l, std::max(ta, tb));
    if (t1 - t0 <= 2 * band * size_) return false;
    double lowest = std::numeric_limits<double>::infinity();
    for (const double end : {t0, t1}) {
      const double before = b_.r * n.dot(w_) * n.cross(w_).norm(), place = end - before;
      const double t = std::abs(place) <= b_.l + band * size_ ? end : std::clamp(place, -b_.l, b_.l) + before;
      const Vec3 y = c_ + t * w_;
      const Vec3 across = Vec3(y.x(), y.y(), 0).normalized();
      Feature feature;
      feature.kind = FeatureKind::edge_a_point_b;
      feature.P_a = Vec3(0, 0, y.z());
      feature.dir_a = Vec3::UnitZ();
      feature.P_b = Vec3(0, 0, t);
      feature.rounding_a = a_.r;
      feature.rounding_b = b_.r * across.cross(w_).norm();
      lowest = std::min(lowest, out_.add(feature_id(Meeting::curved, end == t0 ? 32 : 33, 0), feature));
    }
    return lowest <= best_.s + crossing_gain * size_;
  }

  /// With n fixed to a. The extreme point of a side or cap is any on it: the one beside that of the other's rim is
  /// taken.
  void add_fixed(std::uint32_t id, const Vec3& n, Vec3 q_a, Vec3 q_b) {
    if (best_.a != Part::rim) q_a = beside(a_, best_.a, q_a, X_AB_ * q_b);
    if (best_.b != Part::rim) q_b = beside(b_, best_.b, q_b, X_AB_.inverse() * q_a);
    out_.face_a(id, n, q_a, q_b);
  }
  static Vec3 beside(const Cylinder& cylinder, Part part, const Vec3& q, const Vec3& x) {
    if (part == Part::side) return {q.x(), q.y(), std::clamp(x.z(), -cylinder.l, cylinder.l)};
    const double cut = std::min(1.0, cylinder.r / std::max(length(x.x(), x.y()), 1e-300));
    return {cut * x.x(), cut * x.y(), q.z()};
  }

  /// Two curves at their nearest points: the axis with the radius as rounding for a side, the tangent for a rim.
  void add_lines(const Vec3& n, const Vec3& q_a, const Vec3& q_b) {
    Feature feature;
    feature.kind = FeatureKind::edge_edge;
    const bool side_a = best_.a == Part::side, side_b = best_.b == Part::side;
    feature.dir_a = side_a ? Vec3(Vec3::UnitZ()) : Cylinder::tangent(q_a);
    feature.dir_b = side_b ? Vec3(Vec3::UnitZ()) : Cylinder::tangent(q_b);
    feature.rounding_a = side_a ? a_.r : 0;
    feature.rounding_b = side_b ? b_.r : 0;
    feature.P_a = side_a ? Vec3::Zero() : q_a;
    feature.P_b = side_b ? Vec3::Zero() : q_b;
    const Vec3 e_a = feature.dir_a, e_b = R_ * feature.dir_b, cross = e_a.cross(e_b);
    const int what = static_cast<int>(best_.a) * 4 + static_cast<int>(best_.b);
    const int which = (q_a.z() > 0 ? 1 : 0) + (q_b.z() > 0 ? 2 : 0);
    const auto id = feature_id(Meeting::curved, 48 + what, side_a && side_b ? 0 : which);
    if (cross.norm() < (side_a && side_b ? 1e-9 : nearly_parallel)) {  // they cross too far away: n fixed to a
      add_fixed(id, n, q_a, q_b);
      return;
    }
    feature.sign = cross.dot(n) < 0 ? -1 : 1;
    // The points where the lines are nearest, so that they stay near when the poses change.
    const Vec3 d = (c_ + R_ * feature.P_b) - feature.P_a;
    const double square = cross.squaredNorm(), ab = e_a.dot(e_b), da = d.dot(e_a), db = d.dot(e_b);
    if (side_a) feature.P_a += (da - ab * db) / square * feature.dir_a;
    if (side_b) feature.P_b += (ab * da - db) / square * feature.dir_b;
    out_.add(id, feature);
  }

  const shapes::Shape &shape_a_, &shape_b_;
  const Cylinder a_, b_;
  Emitter& out_;
  Pose X_AB_;
  algebra::Mat3 R_;
  Vec3 c_, w_;
  double size_;
  Best best_;
};

}  // namespace

void collide_cylinders(const shapes::Shape& a, const shapes::Shape& b, Emitter& out) { TwoCylinders(a, b, out).run(); }

}  // namespace vinculum::collide
