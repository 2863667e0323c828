// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Balance of the measure equation over one step, body by body:
//   p_{k+1} − p_k − dt h(q_m) − W(q_m) Λ = 0,  linear part and spin apart,
// over the size of its own terms. Holds to round-off whatever the solver did: 1e-11 leaves room for p = M(q) v of
// bodies whose moments of inertia differ by 10⁴.
//
// Joint by joint, for every velocity coordinate (trees.hpp): M (v⁺ − v) − push − W Λ = 0, each row over the root of its
// mass M_jj, relative to the sizes of the terms of its tree and a millionth of all: impulses of other trees that pass
// through a joint of this one leave the round-off of their moments (Andrews' squeezer in its dead position). The run
// finds v̄ by repetition until v moves by a tenth of its tolerance, in plain coordinates: the tolerance itself is asked
// for here. The bodies' rows of the trace must move as the joints say.
//
// What is pushed is a sum of forces that cancel where a joint is held: kp (x_0 − x) against weights, all of it more
// than 1e8 times the motion that is left. q is in the trace to its rounding u, which alone is worth u kp |x|, and
// moments of weights are summed at u |x| |F|: with s_i the sizes of all numbers summed in row i (`Trees::summed`), no
// residual below some u |s| says anything, and the scale is that over the tolerance, if nothing larger. So for free
// bodies that applied forces hold against their weight and each other.
#include "vinculum/checks/check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::checks {

using model::world;

namespace {

constexpr double roundings = 16;  // of the largest sums: some from the trace, some from the run, some from here

class Balance final : public Check {
 public:
  Balance() { outcome.unit = "relative"; }
  void look(const Replay& step) override {
    if (step.coordinates) note(step.coordinates->balance, 1e-11, step.t, step.coordinates->balance_where);
    const std::size_t n = step.model.bodies.size();
    p_.assign(n, Vec3::Zero());
    l_.assign(n, Vec3::Zero());
    p_size_.assign(n, 0);
    l_size_.assign(n, 0);
    add_pushed(step);
    if (step.trees) look_at_joints(step);
    for (const ContactView& contact : step.contacts) {
      const Vec3 impulse = frame(contact) * contact.record->Lambda;
      add(step, contact.body_a, contact.record->point, -impulse);
      add(step, contact.body_b, contact.record->point, impulse);
    }
    constexpr double least = roundings * std::numeric_limits<double>::epsilon() / 1e-11;
    for (std::size_t b = 0; b < n; ++b) {
      if (step.trees && step.trees->linkage.linked[b]) continue;
      const double p = (step.p_1.p[b] - step.p_f.p[b] - p_[b]).norm();
      const double l = (step.p_1.l[b] - step.p_f.l[b] - l_[b]).norm();
      const double kick = (step.p_f.p[b] - step.p_k.p[b]).norm();
      const double p_scale =
          std::max(step.p_1.p[b].norm() + step.p_k.p[b].norm() + kick + p_size_[b], least * p_pushed_[b]);
      const double l_scale =
          std::max(step.p_1.l[b].norm() + step.p_k.l[b].norm() + l_size_[b] + p_scale * 1e-3 * step.size[b],
                   least * l_pushed_[b]);
      note(p_scale > 0 ? p / p_scale : p, 1e-11, step.t, step.model.bodies[b].name);
      if (!step.model.bodies[b].particle) {
        note(l_scale > 0 ? l / l_scale : l, 1e-11, step.t, step.model.bodies[b].name + " (spin)");
      }
    }
  }

 private:
  /// Sizes of the numbers that are summed to dt h of each body.
  void add_pushed(const Replay& step) {
    p_pushed_.resize(step.model.bodies.size());
    l_pushed_.assign(p_pushed_.size(), 0);
    for (std::size_t b = 0; b < p_pushed_.size(); ++b)
      p_pushed_[b] = step.dt * step.model.bodies[b].mass * step.model.gravity.norm();
    for (const model::Force& force : step.model.forces) {
      const auto b = static_cast<std::size_t>(force.body);
      const double f = step.dt * force.force.norm();
      p_pushed_[b] += f;
      l_pushed_[b] += step.dt * force.torque.norm() + (force.point.norm() + step.model.bodies[b].com.norm()) * f;
    }
  }
  void look_at_joints(const Replay& step) {
    const Trees& trees = *step.trees;
    VectorXd sum = VectorXd::Zero(trees.linkage.nv()), size = sum;
    auto take = [&] {
      for (const int t : own_.trees) {
        for (const int i : trees.linkage.trees[static_cast<std::size_t>(t)])
          sum[i] += own_.tau[i], size[i] += std::abs(own_.tau[i]);
      }
    };
    for (const ContactView& contact : step.contacts) {
      own_.clear(trees.linkage);
      const Vec3 impulse = frame(contact) * contact.record->Lambda;
      if (trees.linked(contact.body_a))
        own_.add(trees.linkage, trees.at_m, step.q_m, contact.body_a, contact.record->point, -impulse, Vec3::Zero());
      if (trees.linked(contact.body_b))
        own_.add(trees.linkage, trees.at_m, step.q_m, contact.body_b, contact.record->point, impulse, Vec3::Zero());
      take();
    }
    for (const JointLawView& view : trees.views) {
      own_.clear(trees.linkage);
      own_.add(trees.linkage, trees.at_m, step.q_m, *view.law, view.mid, view.record->Lambda);
      take();
      for (const int body : own_.bodies) {  // laws of joints on free bodies
        const auto b = static_cast<std::size_t>(body);
        p_[b] += own_.p[b], p_size_[b] += own_.p[b].norm();
        l_[b] += own_.l[b], l_size_[b] += own_.l[b].norm();
      }
    }
    const VectorXd &root = trees.mass.root(), v = trees.v_1 - trees.v_k;
    const VectorXd rest = (trees.mass.times(v) - trees.push - sum).cwiseQuotient(root);
    const VectorXd terms =
        (trees.mass.times(trees.v_1).cwiseAbs() + trees.mass.times(trees.v_k).cwiseAbs() + trees.push.cwiseAbs() + size)
            .cwiseQuotient(root);
    const VectorXd rounding =
        roundings * std::numeric_limits<double>::epsilon() / step.tol * trees.summed.cwiseQuotient(root);
    for (const std::vector<int>& tree : trees.linkage.trees) {
      const VectorXd own = terms(tree), least = rounding(tree);
      const double scale = std::max(own.norm() + 1e-6 * terms.norm(), least.norm());
      for (const int i : tree) {
        note(scale > 0 ? std::abs(rest[i]) / scale : std::abs(rest[i]), step.tol, step.t,
             trees.linkage.v_names[static_cast<std::size_t>(i)]);
      }
    }
    note(trees.slip, 1e-11, step.t, trees.slip_where + " (row of the body)");
  }
  static Mat3 frame(const ContactView& contact) {
    Mat3 F;
    F << contact.record->n, contact.record->t1, contact.record->n.cross(contact.record->t1);
    return F;
  }
  void add(const Replay& step, int body, const Vec3& point, const Vec3& impulse) {
    if (body == world) return;
    const auto b = static_cast<std::size_t>(body);
    const Vec3 moment = (point - step.q_m.x[b]).cross(impulse);
    p_[b] += impulse;
    l_[b] += moment;
    p_size_[b] += impulse.norm();
    l_size_[b] += moment.norm();
  }
  std::vector<Vec3> p_, l_;
  std::vector<double> p_size_, l_size_, p_pushed_, l_pushed_;
  Pushes own_;  // scratch: of one contact or law
};

}  // namespace

std::unique_ptr<Check> make_balance() { return std::make_unique<Balance>(); }

}  // namespace vinculum::checks
