// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The recorded features are features of the scene's shapes, at q_m, or where a repetition of the projection starts:
//   both surface points belong to their shapes, up to 1e-4 of the size: a patch may reach beyond the edge of a face by
//   a band of 1e-5 so that its corners do not come and go with round-off, which neither normal nor gap notices; the
//   normal of a face supports the shape that has the face: h_A(n) = n·p_a, or h_B(−n) = −n·p_b; every other normal
//   supports both, which makes the contact the nearest one: sep(n) = g; the frame, point and gap stored beside the
//   impulses are those of the features.
// All lengths over the smaller body's size.
#include "vinculum/checks/check.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::checks {

using model::world;

namespace {

constexpr double mesh_normal = 1e-7;  // nearest points known to 1e-8 of the size give a normal of a mesh no better
constexpr double leaning = 0.1;       // twice the sine up to which lines count as side by side
constexpr double band = 1e-4;         // over the size, by which a point may be outside its shape
constexpr int instants = 5;           // of half a step, at which features that touched are looked at
constexpr double nearly_flat = 0.05;  // sine of the angle up to which the points of a face join a meeting of edges

class Geometry final : public Check {
 public:
  Geometry() { outcome.unit = "of the body size"; }
  void look(const Replay& step) override {
    if (step.coordinates) {
      const Coordinates& at = *step.coordinates;
      for (const LawView& law : at.laws) note(std::abs(law.record->gap - law.gap) / at.length, 1e-12, step.t, law.name);
      if (!at.lift_gap_where.empty()) note(at.lift_gap_off, 1e-12, step.t, at.lift_gap_where + " (projection)");
    }
    for (std::size_t i = 0; step.trees && i < step.trees->views.size(); ++i) {
      const JointLawView& view = step.trees->views[i];
      const bool at_point = view.law->kind == JointLaw::Kind::points;
      const double off =
          std::abs(view.record->gap - view.mid.gap.x()) + (at_point ? (view.record->point - view.mid.point).norm() : 0);
      const double reach =
          1 + std::abs(view.mid.gap.x()) + step.trees->q_m.lpNorm<Eigen::Infinity>() + view.mid.point.norm();
      note(off / reach, 1e-11, step.t, view.law->name);
    }
    for (const Lift& lift : step.lifts) {
      if (!lift.gap_where.empty()) note(lift.gap_off, 1e-11, step.t, lift.gap_where + " (projection)");
    }
    for (const ContactView& contact : step.contacts) look_at(step, contact, step.q_m);
    for (const ContactView& contact : step.projected) look_at(step, contact, step.lifts[contact.lift].q);
  }

 private:
  /// How far the normal is from supporting the shapes that it must support.
  static double unsupported(collide::FeatureKind kind, double lift_a, double lift_b) {
    using collide::FeatureKind;
    if (kind == FeatureKind::face_a || kind == FeatureKind::face_a_rim_b) return lift_a;
    if (kind == FeatureKind::face_b || kind == FeatureKind::face_b_rim_a) return lift_b;
    return largest({lift_a, lift_b});
  }

  static double reach_of(const Solid& solid) {
    const double radius = reach(*solid.shape);
    return std::isfinite(radius) ? radius : 0;  // a plane is supported along its own normal alone
  }

  // The features of a fast body touched on the way; there they must be features of both shapes. The way of the run's
  // own search is straight and turns evenly, that of the flight is not quite: a thousandth of the size, and the square
  // of the turn in half a step. The points of a face that is nearly parallel to what it meets join in; its normal
  // supports its own shape. Others that were near at the first touch of the pair join it, too: they are features there,
  // and may have slid off when they touch themselves.
  void look_at_touch(const Replay& step, const ContactView& contact, double size) {
    double outside = 1, unsupported = 1;
    for (int k = 0; k < 2 * instants; ++k) {
      LocalView at;
      Placement q;
      if (!step.touch(contact, k % 2 == 0, static_cast<double>(k / 2) / (instants - 1), at, q)) continue;
      const Solid a = step.solid(static_cast<std::size_t>(contact.record->shape_a), q);
      const Solid b = step.solid(static_cast<std::size_t>(contact.record->shape_b), q);
      const Vec3 n = at.F.col(0);
      const double points = largest({0, -depth(a, at.p_a), -depth(b, at.p_b)}) / size;
      const double near = band * size;
      const double lift_a = std::min(lift(a, n, at.p_a, true, near), lift(a, n, at.p_a, false, near)) / size;
      const double lift_b = std::min(lift(b, -n, at.p_b, true, near), lift(b, -n, at.p_b, false, near)) / size;
      const double lifts = largest({std::min(lift_a, lift_b), std::max(lift_a, lift_b) - nearly_flat});
      if (largest({points, lifts}) >= largest({outside, unsupported})) continue;
      outside = points;
      unsupported = lifts;
    }
    double turn = 0;
    for (const int body : {contact.body_a, contact.body_b}) {
      if (body != world) turn = std::max(turn, 0.5 * step.dt * step.at_node.w[static_cast<std::size_t>(body)].norm());
    }
    note(outside, 5e-3 + turn * turn, step.t, contact.name + " (touching points)");
    note(unsupported, 5e-3 + turn * turn, step.t, contact.name + " (normal at the touch)");
  }

  void look_at(const Replay& step, const ContactView& contact, const Placement& q) {
    const ContactRecord& r = *contact.record;
    const LocalView& at = contact.mid;
    const double size = step.pair_size(contact.body_a, contact.body_b);
    const double reach = size + at.point.norm();
    // The lowest point of a rim that is nearly flat is known to round-off over the sine of its tilt, the point of two
    // edges to round-off over the square of theirs.
    const bool rim = r.feature.rim > 0;
    const double tolerance = ((rim ? 1e-8 : 1e-11) + 1e-15 / (at.sine * at.sine)) * reach / size;
    const double frame = (at.F.col(0) - r.n).norm() + std::abs(at.gap - r.gap) / size +
                         (at.point - r.point).norm() / size + (at.F.col(1) - r.t1).norm();
    note(frame, tolerance, step.t, contact.name + " (frame)");
    if (contact.bond) {
      const model::Rod& rod = step.model.rods[static_cast<std::size_t>(r.shape_b)];
      auto from_com = [&](int body, const Vec3& point) {
        return body == world ? point : Vec3(point - step.model.bodies[static_cast<std::size_t>(body)].com);
      };
      const double ends = (from_com(rod.a, rod.point_a) - r.feature.P_a).norm() +
                          (from_com(rod.b, rod.point_b) - r.feature.P_b).norm() +
                          std::abs(rod.length - r.feature.rounding_a - r.feature.rounding_b);
      note(ends / size, tolerance, step.t, contact.name + " (ends)");
      return;
    }
    if (collide::is_swept(r.feature_id)) return look_at_touch(step, contact, size);
    const Solid a = step.solid(static_cast<std::size_t>(r.shape_a), q);
    const Solid b = step.solid(static_cast<std::size_t>(r.shape_b), q);
    const Vec3 n = at.F.col(0);
    const double outside = largest({0, -depth(a, at.p_a), -depth(b, at.p_b)});
    using collide::FeatureKind;
    const FeatureKind kind = r.feature.kind;
    const bool by_a = kind == FeatureKind::face_a || kind == FeatureKind::face_a_rim_b;
    const bool by_b = kind == FeatureKind::face_b || kind == FeatureKind::face_b_rim_a;
    const double lift_a = lift(a, n, at.p_a, by_a, band * size), lift_b = lift(b, -n, at.p_b, by_b, band * size);
    note(outside / size, tolerance + band, step.t, contact.name + " (points)");
    // Capsules side by side touch at two places, of which one is nearest and the other nearly so: its normal leans by
    // a small angle, which lifts a shape by up to that times its own reach.
    const bool side_by_side = r.feature.rounding_a + r.feature.rounding_b > 0;
    const bool mesh = a.shape->mesh || b.shape->mesh;
    const double lean = side_by_side ? leaning * largest({size, reach_of(a), reach_of(b)}) / size
                        : mesh       ? mesh_normal
                                     : 1e-10;
    note(unsupported(kind, lift_a, lift_b) / size, tolerance + lean + moved_since_search(step, contact, q) / size,
         step.t, contact.name + " (normal)");
  }

  /// A projection keeps the features found at q_m while the pair has moved by less than a millionth of its size; their
  /// normal supports the shapes there, and elsewhere up to that motion.
  static double moved_since_search(const Replay& step, const ContactView& contact, const Placement& q) {
    double motion = 0;
    for (const int body : {contact.body_a, contact.body_b}) {
      if (body == world) continue;
      const auto b = static_cast<std::size_t>(body);
      motion += (q.x[b] - step.q_m.x[b]).norm() + (q.R[b] - step.q_m.R[b]).norm() * step.size[b];
    }
    return motion <= 2e-6 * step.pair_size(contact.body_a, contact.body_b) ? 2 * motion : 0;
  }
};

}  // namespace

std::unique_ptr<Check> make_geometry() { return std::make_unique<Geometry>(); }

}  // namespace vinculum::checks
