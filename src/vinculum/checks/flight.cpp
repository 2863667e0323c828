// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Kinematics: q_{k+1} is q* = Φ(dt/2; Φ(dt/2; q_k, p_k), p_{k+1}) after the recorded repetitions of the projection
// (replay_projection.cpp), for bodies and for joints. Every Π is recorded and acts where its repetition starts, so that
// both sides are the same numbers up to round-off of the coordinates: 1e-11 leaves room for q ⊕ δ of chains of a
// hundred joints.
//
// Each repetition solves 0 <= g + Wᵀ M⁻¹ W Π ⊥ Π >= 0 (rods: = 0, any Π; free bodies: g with what they may overlap
// within the tolerance, replay_projection.cpp) and takes a part α of the move, one for all laws: 0 <= g_end − (1 − α) g
// ⊥ Π >= 0. Contacts and limits do not pull, and what pushes does not lift off. One exception, with trees where they
// close no loops: a contact that presses in this step, Λ_N > 0, and is closed, by a hundred times the tolerance of its
// gap, may be kept so, with Π of any sign, g_end = max(g, 0) + (1 − α) min(g, 0): it neither opens nor is pulled down.
// The run halves α until the worst violation falls; here it is the one that fits all that push best. The run solves
// this to 1e-6 (a tenth of its tolerance, if that is more) in the unit-free measure of all its rows; contacts without Π
// share in that norm and are not recorded, which the factor 100 allows for: ten thousand rows without for one with.
// Bonds end closed (`gap`). The bodies' rows of the trace are where the joints put them.
#include "vinculum/checks/check.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::checks {

namespace {

/// 100 times the tolerance of the run's projection, which is a tenth of its own, at best 1e-6.
double complementary(double tol) { return 100 * std::max(1e-6, 0.1 * tol); }

class Flight final : public Check {
 public:
  Flight() { outcome.unit = "of the body size"; }
  void look(const Replay& step) override {
    if (step.coordinates) look_at(*step.coordinates);
    if (!step.rounds_in_order) note(1, 0, step.t, "the order of the projection's repetitions");
    for (const Lift& lift : step.lifts) look_at(step, lift);
    if (step.trees) look_at_joints(step);
    for (std::size_t b = 0; b < step.model.bodies.size(); ++b) {
      if (step.trees && step.trees->linkage.linked[b]) continue;
      const double length = step.size[b] > 0 ? step.size[b] : step.length_scale;
      const double shift = (step.q_1.x[b] - step.q_lifted.x[b]).norm() / length;
      const double turn = (step.q_1.R[b] - step.q_lifted.R[b]).norm();
      note(shift + turn, 1e-11 * (1 + step.q_1.x[b].norm() / length), step.t, step.model.bodies[b].name);
    }
  }

 private:
  void look_at(const Coordinates& at) {
    note(at.lift_rest, 1e-12, at.t, at.name());
    note(at.lift_off, 1, at.t, at.lift_where + " (lifted too far)");
  }

  /// 1 − α: the part of the violations that a repetition leaves, by least squares over what pushes. Gaps that are kept
  /// open by less than the tolerance say nothing of it.
  static double rest_of(const Lift& lift) {
    double product = 0, square = 0;
    for (const LiftView& view : lift.views) {
      const double weight = view.weight * view.weight;
      if (view.record->Pi.x() == 0 || (view.stands && view.gap > 0)) continue;
      product += weight * view.gap * view.gap_end;
      square += weight * view.gap * view.gap;
    }
    return square > 0 ? std::clamp(product / square, 0.0, 1.0) : 0;
  }

  /// One repetition: Π >= 0, and complementary in unit-free variables.
  void look_at(const Replay& step, const Lift& lift) {
    const double rest = rest_of(lift);
    double gaps = 0, pushes = 0;
    for (const LiftView& view : lift.views) {
      gaps += std::pow(view.weight * (view.gap_end - rest * view.gap), 2);
      pushes += std::pow(view.record->Pi.x() / view.weight, 2);
    }
    const double scale = std::sqrt(largest({gaps, pushes}));
    for (const LiftView& view : lift.views) {
      const double Pi = view.record->Pi.x() / view.weight, gap = view.weight * (view.gap_end - rest * view.gap);
      if (view.one_sided && !view.stands) note(largest({0, -Pi}), 0, step.t, view.name + " (position impulse)");
      double off = lift.settling ? largest({0, std::min(Pi, view.weight * (view.gap_end - largest({0, view.gap})))})
                                 : (view.one_sided ? std::min(Pi, gap) : gap);
      if (view.stands) {
        const double kept = gap - view.weight * (1 - rest) * largest({0, view.gap});
        off = Pi < 0 ? kept : std::min(std::abs(off), std::abs(kept));
      }
      const double round_off = view.weight * 2e-15 * (1 + view.record->point.norm());  // of gap and gap_end: 8 ε
      note(scale > 0 ? std::abs(off) / scale : 0, scale > 0 ? complementary(step.tol) + round_off / scale : 0, step.t,
           view.name + " (lifted too far)");
    }
  }

  void look_at_joints(const Replay& step) {
    const Trees& trees = *step.trees;
    note(trees.drift, 1e-11, step.t, trees.drift_where + " (row of the body)");
    const VectorXd rest = trees.linkage.difference(step.tree_lifted, trees.q_1);
    for (Eigen::Index i = 0; i < rest.size(); ++i) {
      note(std::abs(rest[i]), 1e-11 * (1 + trees.q_1.lpNorm<Eigen::Infinity>()), step.t,
           trees.linkage.v_names[static_cast<std::size_t>(i)]);
    }
  }
};

}  // namespace

std::unique_ptr<Check> make_flight() { return std::make_unique<Flight>(); }

}  // namespace vinculum::checks
