// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Kinematics: q_{k+1} = q* + M⁻¹ W_N Π with q* = Φ(dt/2; Φ(dt/2; q_k, p_k), p_{k+1}), Π >= 0 (rods: any sign).
// Π g = 0: what was lifted is not lifted off. It ends within the tolerance of touching, or within a fifth of the
// deepest overlap where several repetitions were needed (each is complementary at its own linearisation). Tolerance:
// round-off of the coordinates, and 1 % of the shift itself where a projection took place (the sum of its small
// rotations is taken to first order here).
#include "vinculum/checks/check.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace vinculum::checks {

using model::world;

namespace {

class Flight final : public Check {
 public:
  Flight() { outcome.unit = "of the body size"; }
  void look(const Replay& step) override {
    if (step.coordinates) {
      note(step.coordinates->lift_rest, 1e-12 + 1e-2 * step.coordinates->lift / step.coordinates->length, step.t,
           step.coordinates->name());
    }
    const std::size_t n = step.model.bodies.size();
    dx_.assign(n, Vec3::Zero());
    dr_.assign(n, Vec3::Zero());
    double depth = 0;
    for (const ContactView& contact : step.projected) {
      if (!contact.bond) depth = std::max(depth, -contact.mid.gap);
    }
    for (const ContactView& contact : step.projected) {
      const ContactRecord& r = *contact.record;
      const double size = step.pair_size(contact.body_a, contact.body_b);
      if (!contact.bond) {
        note(r.Pi >= 0 ? 0 : -r.Pi, 0, step.t, contact.name + " (position impulse)");
        note(distance(step, contact) / size, step.tol + 0.2 * depth / size, step.t, contact.name + " (lifted too far)");
      }
      add(step, contact.body_a, r, -r.Pi);
      add(step, contact.body_b, r, r.Pi);
    }
    for (std::size_t b = 0; b < n; ++b) {
      const double length = step.size[b] > 0 ? step.size[b] : step.length_scale;
      const Vec3 x = step.q_1.x[b] - step.q_star.x[b] - dx_[b];
      const Mat3 turn = step.q_1.R[b] * step.q_star.R[b].transpose();
      const Vec3 angle = 0.5 * Vec3(turn(2, 1) - turn(1, 2), turn(0, 2) - turn(2, 0), turn(1, 0) - turn(0, 1)) - dr_[b];
      const double residual = (x.norm() + angle.norm() * length) / length;
      const double shift = (dx_[b].norm() + dr_[b].norm() * length) / length;
      note(residual, 1e-11 * (1 + step.q_1.x[b].norm() / length) + 0.01 * shift, step.t, step.model.bodies[b].name);
    }
  }

 private:
  /// Between the shapes at q_{k+1}: by the recorded features, or less where others have become the nearest.
  static double distance(const Replay& step, const ContactView& contact) {
    const Solid a = step.solid(static_cast<std::size_t>(contact.record->shape_a), step.q_1);
    const Solid b = step.solid(static_cast<std::size_t>(contact.record->shape_b), step.q_1);
    return std::min(contact.gap_end, separate(a, b).value);
  }
  void add(const Replay& step, int body, const ContactRecord& r, double Pi) {
    if (body == world) return;
    const auto b = static_cast<std::size_t>(body);
    const model::Body& mass = step.model.bodies[b];
    dx_[b] += Pi * r.n / mass.mass;
    if (mass.particle) return;
    const Mat3& R = step.q_star.R[b];
    const Vec3 moment = Pi * (r.point - step.q_star.x[b]).cross(r.n);
    dr_[b] += R * mass.inertia.llt().solve(R.transpose() * moment);
  }
  std::vector<Vec3> dx_, dr_;
};

}  // namespace

std::unique_ptr<Check> make_flight() { return std::make_unique<Flight>(); }

}  // namespace vinculum::checks
