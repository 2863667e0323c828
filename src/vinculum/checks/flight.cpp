// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Kinematics: q_{k+1} = q* + M⁻¹ W_N Π with q* = Φ(dt/2; Φ(dt/2; q_k, p_k), p_{k+1}), Π >= 0 (rods: any sign).
// Π g = 0: what was lifted is not lifted off. It ends within the tolerance of touching, or within a fifth of the
// deepest overlap where several repetitions were needed (each is complementary at its own linearisation). Tolerance:
// round-off of the coordinates, and 1 % of the shift itself where a projection took place (the sum of its small
// rotations is taken to first order here).
//
// Joints: q_{k+1} = q* ⊕ M⁻¹ W Π, W the directions of contacts (Π recorded), of bonds and of limits that are closed at
// q_{k+1} (Π not recorded). Bonds and those limits are closed at q_{k+1} (`gap`), so that a displacement M⁻¹ W Π in
// their span is the only one: Π is found by least squares, and what is left of the displacement is held to the same
// tolerance. A limit's own Π must not pull, where the columns tell them apart. The bodies' rows of the trace are where
// the joints put them.
#include "vinculum/checks/check.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
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
    // A joint that turns by a small angle lift/size to put a limit or a bond right takes contacts along: what the
    // linearisation does not see of it is lift²/size.
    const bool joints = step.trees && !step.trees->laws.empty();
    if (joints) depth = std::max(depth, 5 * step.lift * std::min(0.2, step.lift / step.length_scale));
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
    if (step.trees) look_at_joints(step);
    for (std::size_t b = 0; b < n; ++b) {
      if (step.trees && step.trees->linkage.linked[b]) continue;
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
  /// Unit displacements M⁻¹ W of the laws that may have moved the joints, of trees and of free bodies.
  struct Column {
    const JointLaw* law;
    VectorXd u;
    std::vector<Vec3> dx, dr;
  };
  static std::vector<Column> columns(const Replay& step, double lift) {
    const Trees& trees = *step.trees;
    std::vector<Column> out;
    for (const JointLaw& law : trees.laws) {
      if (!law.holds_gap()) continue;
      const JointLawState state = look_at(trees.linkage, law, trees.q_1, step.q_1);
      if (law.is_limit() && !(state.gap.x() <= step.tol + 1e-2 * lift)) continue;
      for (int k = 0; k < law.rows; ++k) {
        Pushes unit;
        unit.clear(trees.linkage);
        unit.add(trees.linkage, trees.at_1, step.q_1, law, state, Vec3::Unit(k));
        Column column{&law, trees.mass_1.solve(unit.tau), unit.p, unit.l};
        for (std::size_t b = 0; b < unit.p.size(); ++b) {
          column.dx[b] /= step.model.bodies[b].mass;
          column.dr[b] = turn_by(step, b, unit.l[b]);
        }
        out.push_back(std::move(column));
      }
    }
    return out;
  }
  static Vec3 turn_by(const Replay& step, std::size_t b, const Vec3& moment) {
    if (step.model.bodies[b].particle || moment.isZero(0)) return Vec3::Zero();
    const Mat3& R = step.q_star.R[b];
    return R * step.model.bodies[b].inertia.llt().solve(R.transpose() * moment);
  }

  void look_at_joints(const Replay& step) {
    const Trees& trees = *step.trees;
    note(trees.drift, 1e-11, step.t, trees.drift_where + " (row of the body)");
    const VectorXd move = trees.linkage.difference(trees.q_star, trees.q_1);
    Pushes known;
    known.clear(trees.linkage);
    for (const ContactView& contact : step.projected) {
      const ContactRecord& r = *contact.record;
      for (const auto& [body, sign] : {std::pair(contact.body_a, -1.0), std::pair(contact.body_b, 1.0)}) {
        if (trees.linked(body))
          known.add(trees.linkage, trees.at_star, step.q_star, body, r.point, sign * r.Pi * r.n, Vec3::Zero());
      }
    }
    VectorXd rest = move - trees.mass_1.solve(known.tau);
    const double lift = move.lpNorm<Eigen::Infinity>();
    double before = rest.lpNorm<Eigen::Infinity>();
    for (std::size_t b = 0; b < dx_.size(); ++b) {
      if (!trees.linkage.linked[b])
        before = std::max(before, (step.q_1.x[b] - step.q_star.x[b] - dx_[b]).lpNorm<Eigen::Infinity>());
    }
    // A displacement of round-off needs no explanation.
    if (before > 1e-13) explain(step, lift, rest);
    for (Eigen::Index i = 0; i < rest.size(); ++i) {
      note(std::abs(rest[i]), 1e-11 * (1 + trees.q_1.lpNorm<Eigen::Infinity>()) + 0.01 * lift_of(trees, move, i),
           step.t, trees.linkage.v_names[static_cast<std::size_t>(i)]);
    }
  }
  /// The largest move within the tree of a coordinate; none where nothing could have moved it.
  static double lift_of(const Trees& trees, const VectorXd& move, Eigen::Index i) {
    double most = 0;
    for (const int k :
         trees.linkage.trees[static_cast<std::size_t>(trees.linkage.tree_of[static_cast<std::size_t>(i)])]) {
      most = std::max(most, std::abs(move[k]));
    }
    return most;
  }
  void explain(const Replay& step, double lift, VectorXd& rest) {
    const std::vector<Column> all = columns(step, lift);
    if (all.empty()) return;
    std::vector<std::size_t> bodies;  // free ones that laws hang on
    for (std::size_t b = 0; b < step.model.bodies.size(); ++b) {
      const bool hung = std::any_of(all.begin(), all.end(),
                                    [&](const Column& c) { return !c.dx[b].isZero(0) || !c.dr[b].isZero(0); });
      if (hung) bodies.push_back(b);
    }
    const auto nv = rest.size(), rows = nv + 6 * std::ssize(bodies);
    const VectorXd root = step.trees->mass_1.root();
    MatrixXd A(rows, std::ssize(all));
    VectorXd y(rows);
    y.head(nv) = rest.cwiseProduct(root);
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      const std::size_t b = bodies[k];
      const double m = std::sqrt(step.model.bodies[b].mass), size = step.size[b] > 0 ? step.size[b] : step.length_scale;
      const auto at = nv + 6 * static_cast<Eigen::Index>(k);
      y.segment<3>(at) = m * (step.q_1.x[b] - step.q_star.x[b] - dx_[b]);
      y.segment<3>(at + 3) = m * size * (turn_of(step.q_1.R[b] * step.q_star.R[b].transpose()) - dr_[b]);
      for (std::size_t c = 0; c < all.size(); ++c) {
        A.col(static_cast<Eigen::Index>(c)).segment<3>(at) = m * all[c].dx[b];
        A.col(static_cast<Eigen::Index>(c)).segment<3>(at + 3) = m * size * all[c].dr[b];
      }
    }
    for (std::size_t c = 0; c < all.size(); ++c)
      A.col(static_cast<Eigen::Index>(c)).head(nv) = all[c].u.cwiseProduct(root);
    const Eigen::CompleteOrthogonalDecomposition<MatrixXd> factor(A);
    const VectorXd Pi = factor.solve(y);
    for (std::size_t c = 0; c < all.size(); ++c) {
      rest -= Pi[static_cast<Eigen::Index>(c)] * all[c].u;
      for (const std::size_t b : bodies) {
        dx_[b] += Pi[static_cast<Eigen::Index>(c)] * all[c].dx[b];
        dr_[b] += Pi[static_cast<Eigen::Index>(c)] * all[c].dr[b];
      }
      if (!all[c].law->is_limit() || factor.rank() < A.cols()) continue;
      const double size = Pi.lpNorm<Eigen::Infinity>();
      note(largest({0, -Pi[static_cast<Eigen::Index>(c)]}), 1e-2 * size, step.t,
           all[c].law->name + " (position impulse)");
    }
  }

  void add(const Replay& step, int body, const ContactRecord& r, double Pi) {
    if (body == world || (step.trees && step.trees->linked(body))) return;
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
