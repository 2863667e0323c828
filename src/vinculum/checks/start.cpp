// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The first recorded state of a whole run is the initial state the scene describes: x = p + R c, R, v, w. Where the
// scene starts in violation it may have been settled onto its constraints before: then its own configuration, moved by
// the recorded position impulses one repetition after the other (replay_projection.cpp; `flight` asks that they push
// and do no more than that), with the scene's velocities. A trace without step 0 is refuted: nobody can tell what came
// before.
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
    if (step.record.step != 0) return;
    // A chain of position impulses is kept to round-off times what laws that work against each other amplify: the run
    // lets them push with a hundred times what one alone would need, on links whose masses differ by as much.
    const bool moved = !step.lifts.empty() && std::any_of(step.record.contacts.begin(), step.record.contacts.end(),
                                                          [](const auto& c) { return c.mode == Mode::settled; });
    const double tolerance = moved ? 1e-10 : 1e-12;
    if (step.trees) look_at_joints(step, tolerance);
    if (step.model.lagrangian) look_at_coordinates(*step.model.lagrangian, step, tolerance);
    for (std::size_t b = 0; b < step.model.bodies.size(); ++b) {
      const model::Body& body = step.model.bodies[b];
      const Vec3& x = step.q_start.x[b];
      const double turn = (step.q_start.R[b] - step.q_k.R[b]).norm();
      const double scale = step.length_scale + x.norm();
      const Vec3 w = body.particle ? Vec3(Vec3::Zero()) : body.w_WB;
      // Of both, for the centre of a link that turns about itself has the velocity of its rounding.
      const double v_size = body.v_WB.norm() + step.before.v[b].norm(), w_size = w.norm() + step.before.w[b].norm();
      const double motion = 1e-300 + v_size + step.length_scale * w_size;
      const double velocity = (body.v_WB - step.before.v[b]).norm() / motion;
      const double spin = step.length_scale * (w - step.before.w[b]).norm() / motion;
      note(largest({(x - step.before.x[b]).norm() / scale, turn}), tolerance, step.t, body.name);
      if (!moved || !step.trees || !step.trees->linkage.linked[b]) {  // of a linked body: moves with its joints
        note(largest({velocity, spin}), 1e-12, step.t, body.name);
      }
    }
  }

 private:
  void look_at_coordinates(const model::Lagrangian& part, const Replay& step, double tolerance) {
    for (std::size_t i = 0; i < part.q.size(); ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      const bool frames = step.trees && step.trees->linkage.part;  // settled with all others
      const double q = frames ? step.tree_start.tail(step.trees->linkage.part_size())[k] : part.q[i];
      note(std::abs(q - step.before.lagrangian_q[k]), frames ? tolerance * (1 + std::abs(q)) : 0, step.t,
           part.coordinates[i]);
      note(std::abs(part.u[i] - step.before.lagrangian_u[k]), 0, step.t, part.coordinates[i] + "'");
    }
  }
  /// Positions by their difference: q and −q are one turn. v of a free joint is in the parent's axes in the scene, in
  /// the child's in the trace.
  void look_at_joints(const Replay& step, double tolerance) {
    const VectorXd rest = step.trees->linkage.difference(step.tree_start, step.trees->q_k);
    for (std::size_t j = 0; j < step.model.joints.size(); ++j) {
      const model::Joint& joint = step.model.joints[j];
      const Linkage::Place at = step.trees->linkage.of_joint[j];
      if (at.v < 0 || joint.v.empty()) continue;
      double off = 0;
      std::vector<double> v = joint.v;
      if (joint.type == model::JointType::free) {
        const algebra::Quat R = algebra::Quat(joint.q[3], joint.q[4], joint.q[5], joint.q[6]).normalized();
        const Vec3 u = R.conjugate() * Vec3(v[0], v[1], v[2]);
        for (std::size_t k = 0; k < 3; ++k) v[k] = u[static_cast<Eigen::Index>(k)];
      }
      const double size = step.tree_start.segment(at.q, std::ssize(joint.q)).lpNorm<Eigen::Infinity>();
      for (std::size_t k = 0; k < v.size(); ++k) {
        off = largest({off, std::abs(rest[at.v + static_cast<int>(k)]) / (1 + size)});
      }
      note(off, tolerance, step.t, joint.name);
      off = 0;
      for (std::size_t k = 0; k < v.size(); ++k) {
        off = largest({off, std::abs(v[k] - step.before.tree_v[at.v + static_cast<int>(k)]) / (1 + std::abs(v[k]))});
      }
      note(off, 1e-12, step.t, joint.name);
    }
  }
  bool first_ = true;
};

}  // namespace

std::unique_ptr<Check> make_start() { return std::make_unique<Start>(); }

}  // namespace vinculum::checks
