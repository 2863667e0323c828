// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The recorded features are features of the scene's shapes, at q_m:
//   both surface points belong to their shapes, up to 1e-4 of the size: a patch may reach beyond the edge of a face by a
//   band of 1e-5 so that its corners do not come and go with round-off, which neither normal nor gap notices;
//   the normal supports one of the shapes at its point: h_A(n) = n·p_a, or h_B(−n) = −n·p_b, so it is a true normal;
//   nearest-point contacts are nearest: sep(n) = g;
//   the frame, point and gap stored beside the impulses are those of the features.
// All lengths over the smaller body's size.
#include "vinculum/checks/check.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::checks {

using model::world;

namespace {

class Geometry final : public Check {
 public:
  Geometry() { outcome.unit = "of the body size"; }
  void look(const Replay& step) override {
    for (const ContactView& contact : step.contacts) look_at(step, contact, step.q_m);
    for (const ContactView& contact : step.projected) look_at(step, contact, step.q_star);
  }

 private:
  void look_at(const Replay& step, const ContactView& contact, const Placement& q) {
    const ContactRecord& r = *contact.record;
    const LocalView& at = contact.mid;
    const double size = step.pair_size(contact.body_a, contact.body_b);
    const double reach = size + at.point.norm();
    // A frame recorded during a projection belongs to a repetition, up to the whole shift away from q*.
    const double slack = r.mode == Mode::projected ? 10 * step.record.shift : 0;
    const double tolerance = 1e-11 * reach / size + slack / size;
    const double frame = (at.F.col(0) - r.n).norm() + (at.point - r.point).norm() / size +
                         std::abs(at.gap - r.gap) / size +
                         (r.mode == Mode::projected ? 0 : (at.F.col(1) - r.t1).norm());
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
    const Solid a = step.solid(static_cast<std::size_t>(r.shape_a), q);
    const Solid b = step.solid(static_cast<std::size_t>(r.shape_b), q);
    const Vec3 n = at.F.col(0);
    const double outside = std::max({0.0, -depth(a, at.p_a), -depth(b, at.p_b)});
    const double lift_a = support_value(a, n) - n.dot(at.p_a), lift_b = support_value(b, -n) + n.dot(at.p_b);
    note(outside / size, tolerance + 1e-4, step.t, contact.name + " (points)");
    note(std::min(std::abs(lift_a), std::abs(lift_b)) / size, tolerance + 1e-10, step.t, contact.name + " (normal)");
  }
};

}  // namespace

std::unique_ptr<Check> make_geometry() { return std::make_unique<Geometry>(); }

}  // namespace vinculum::checks
