// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/checks/trees.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::checks {

Vec3 JointLawView::defect(double dt) const {
  const Vec3 L = Lambda(), x = weight * xi;
  Vec3 off = Vec3::Zero();
  if (law->is_bond() || law->kind == JointLaw::Kind::spring) {
    off = x;
  } else if (law->is_limit()) {
    off.x() = std::min(L.x(), x.x());
  } else {
    const double bound = dt * law->bound / weight;
    off.x() = L.x() - std::clamp(L.x() - x.x(), -bound, bound);
  }
  return off;
}

Trees::Trees(const model::Model& model, const trace::Header& header)
    : linkage(model, header.tree_q, header.tree_v), laws(make_joint_laws(linkage)) {}

/// Rows of the linked bodies in a state against their joints. The velocity of a body is a sum over the joints above it,
/// here about the world's origin, and rounding is that of its terms: joints that turn against each other far away leave
/// more of it than of the velocity.
void Trees::compare(const trace::Row& row, const Posture& at, const VectorXd& v) {
  Speeds speeds;
  linkage.move(at, v, speeds);
  for (std::size_t b = 0; b < linkage.linked.size(); ++b) {
    if (!linkage.linked[b]) continue;
    double turns = speeds.w[b].norm(), ways = speeds.v[b].norm();
    for (const int i : linkage.chain[b]) {
      const auto k = static_cast<std::size_t>(i);
      const double turn = std::abs(v[i]) * at.screw_w[k].norm();
      turns = std::max(turns, turn);
      ways = std::max(ways, std::abs(v[i]) * at.screw_v[k].norm() + turn * at.x[b].norm());
    }
    const double place = (row.x[b] - at.x[b]).norm() / (1 + at.x[b].norm()) +
                         (row.R[b].normalized().toRotationMatrix() - at.R[b]).norm();
    const double motion =
        (row.v[b] - speeds.v[b]).norm() / (1e-3 + ways + turns) + (row.w[b] - speeds.w[b]).norm() / (1e-3 + turns);
    if (drift == drift && !(place <= drift)) drift = place, drift_where = linkage.model.bodies[b].name;
    if (slip == slip && !(motion <= slip)) slip = motion, slip_where = linkage.model.bodies[b].name;
  }
}

void Trees::set(const trace::Row& before, const trace::Row& after, double dt) {
  q_k = linkage.join(before.tree_q, before.lagrangian_q), v_k = linkage.join(before.tree_v, before.lagrangian_u);
  q_1 = linkage.join(after.tree_q, after.lagrangian_q), v_1 = linkage.join(after.tree_v, after.lagrangian_u);
  v_mean = 0.5 * (v_k + v_1);
  q_m = linkage.shift(q_k, 0.5 * dt * v_k);
  q_e = linkage.shift(q_m, 0.5 * dt * v_k);
  q_star = linkage.shift(q_m, 0.5 * dt * v_1);
  linkage.place(q_k, at_k);
  linkage.place(q_m, at_m);
  linkage.place(q_e, at_e);
  linkage.place(q_star, at_star);
  linkage.place(q_1, at_1);
  mass.set(linkage, at_m);
  mass_1.set(linkage, at_1);
  drift = slip = 0;
  compare(before, at_k, v_k);
  compare(after, at_1, v_1);
}

/// dt (h + f) of the Lagrangian part at (q_m, ū), and the work of its applied forces.
void Trees::push_part(double t_mid, double dt) {
  const Eigen::Index n = linkage.part_size();
  parts::Point point = linkage.part->make_point();
  linkage.part->set(t_mid, q_m.tail(n), v_mean.tail(n), point);
  VectorXd forces;
  linkage.part->forces(point, forces);
  push.tail(n) += dt * (forces.head(n) + forces.segment(n, n) + forces.tail(n));
  summed.tail(n) += dt * forces.reshaped(n, 3).cwiseAbs().rowwise().sum();
  work += dt * forces.tail(n).dot(v_mean.tail(n));
}

void Trees::set_push(std::span<const double> controls, double t_mid, double dt) {
  const VectorXd q_mean = linkage.shift(q_k, 0.5 * dt * v_mean);
  const JointPush along = joint_forces(linkage, controls, q_mean, v_mean, true);
  push = dt * along.tau;
  summed = dt * along.terms;
  work = dt * v_mean.dot(joint_forces(linkage, controls, q_mean, v_mean, false).tau);
  worked = v_mean.cwiseAbs().dot(summed);
  if (linkage.part) push_part(t_mid, dt);
  const double eps = 1e-3 / std::max(v_mean.lpNorm<Eigen::Infinity>(), 1e-300);
  Posture at;
  Speeds here;
  std::array<Speeds, 4> near;
  linkage.move(at_m, v_mean, here);
  constexpr std::array<double, 4> steps{-2, -1, 1, 2};
  for (std::size_t k = 0; k < 4; ++k) {
    linkage.place(linkage.shift(q_m, steps[k] * eps * v_mean), at);
    linkage.move(at, v_mean, near[k]);
  }
  for (std::size_t b = 0; b < linkage.linked.size(); ++b) {
    if (!linkage.linked[b] || linkage.chain[b].empty() || linkage.frame[b] >= 0) continue;
    auto derivative = [&](auto member) {
      return Vec3((8 * (member(near[2]) - member(near[1])) - (member(near[3]) - member(near[0]))) / (12 * eps));
    };
    const Vec3 a = derivative([&](const Speeds& s) { return s.v[b]; });
    const Vec3 alpha = derivative([&](const Speeds& s) { return s.w[b]; });
    const model::Body& body = linkage.model.bodies[b];
    const Mat3 I = at_m.R[b] * body.inertia * at_m.R[b].transpose();
    const Vec3 F = body.mass * (linkage.model.gravity - a);
    const Vec3 m = -(I * alpha) - here.w[b].cross(I * here.w[b]);
    add_force(static_cast<int>(b), at_m.x[b], F, m, dt);
  }
}

void Trees::add_force(int body, const Vec3& x, const Vec3& F, const Vec3& m, double dt) {
  linkage.pull(at_m, body, x, dt * F, dt * m, push);
  linkage.pull_sizes(at_m, body, x, dt * F, dt * m, summed);
}

double Trees::energy(const VectorXd& q, const VectorXd& v, const Posture& at, double& kinetic) const {
  Speeds speeds;
  linkage.move(at, v, speeds);
  kinetic = 0.5 * v.cwiseAbs2().dot(linkage.armature);
  double potential = spring_energy(linkage, q);
  if (linkage.part) {
    parts::Point point = linkage.part->make_point();
    linkage.part->set(0, q.tail(linkage.part_size()), v.tail(linkage.part_size()), point);
    kinetic += linkage.part->kinetic(point);
    potential += linkage.part->potential(point);
  }
  for (std::size_t b = 0; b < linkage.linked.size(); ++b) {
    if (!linkage.linked[b] || linkage.frame[b] >= 0) continue;
    const model::Body& body = linkage.model.bodies[b];
    const Vec3 w = at.R[b].transpose() * speeds.w[b];
    kinetic += 0.5 * body.mass * speeds.v[b].squaredNorm() + 0.5 * w.dot(body.inertia * w);
    potential -= body.mass * linkage.model.gravity.dot(at.x[b]);
  }
  return potential;
}

}  // namespace vinculum::checks
