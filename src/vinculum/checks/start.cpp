// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The first recorded state of a whole run is the initial state the scene describes: x = p + R c, R, v, w.
// A trace without step 0 is refuted: nobody can tell what came before.
#include "vinculum/checks/check.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::checks {

using model::world;

namespace {

class Start final : public Check {
 public:
  Start() { outcome.unit = "relative"; }
  void look(const Replay& step) override {
    if (!first_) return;
    first_ = false;
    note(step.record.step == 0 ? 0 : 1, 0, step.t, "the first recorded step");
    if (step.model.lagrangian) look_at_coordinates(*step.model.lagrangian, step);
    for (std::size_t b = 0; b < step.model.bodies.size(); ++b) {
      const model::Body& body = step.model.bodies[b];
      const Vec3 x = body.X_WB.p + body.X_WB.R * body.com;
      const double turn = 1 - std::abs(body.X_WB.R.normalized().dot(step.before.R[b]));
      const double scale = step.length_scale + x.norm();
      const double velocity =
          (body.v_WB - step.before.v[b]).norm() / (1e-300 + body.v_WB.norm() + step.before.v[b].norm());
      const Vec3 w = body.particle ? Vec3(Vec3::Zero()) : body.w_WB;
      const double spin = (w - step.before.w[b]).norm() / (1e-300 + w.norm() + step.before.w[b].norm());
      note(largest({(x - step.before.x[b]).norm() / scale, turn, velocity, spin}), 1e-12, step.t, body.name);
    }
  }

 private:
  void look_at_coordinates(const model::Lagrangian& part, const Replay& step) {
    for (std::size_t i = 0; i < part.q.size(); ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      const double off =
          std::abs(part.q[i] - step.before.lagrangian_q[k]) + std::abs(part.u[i] - step.before.lagrangian_u[k]);
      note(off, 0, step.t, part.coordinates[i]);
    }
  }
  bool first_ = true;
};

}  // namespace

std::unique_ptr<Check> make_start() { return std::make_unique<Start>(); }

}  // namespace vinculum::checks
