// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/motion/forest.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::motion {

using system::Configuration;
using system::Forest;
using system::System;

namespace {

/// Wrenches of the applied forces on linked bodies, at the origins of their links; none where the scene has none.
void gather(const System& system, double t, const TreeWorkspace& ws, std::vector<Wrench>& out) {
  const Forest& forest = *system.forest;
  out.clear();
  if (system.forces.empty()) return;
  out.assign(forest.body_of_link.size(), Wrench{});
  for (const system::Force& force : system.forces) {
    if (t < force.from || t >= force.to || !system.linked(force.body)) continue;  // never on a frame
    const int link = forest.link_of_body[static_cast<std::size_t>(force.body)];
    const Pose X = link_pose(forest.tree, ws, link);
    const Vec3 f = force.body_axes ? X.R * force.force : force.force;
    const Vec3 torque = force.body_axes ? X.R * force.torque : force.torque;
    const Vec3 arm = X.R * (forest.com[static_cast<std::size_t>(link)] + force.point);
    out[static_cast<std::size_t>(link)] += Wrench{f, torque + arm.cross(f)};
  }
}

}  // namespace

ForestMotion::ForestMotion(const System& system)
    : system_(system),
      forest_(*system.forest),
      ws_(system.forest->tree),
      x_(system.forest->body_of_link.size()),
      R_(system.forest->body_of_link.size()),
      reach_(system.forest->body_of_link.size()),
      joint_forces_(*system.forest) {
  for (std::size_t link = 0; link < R_.size(); ++link) {
    com_.push_back(forest_.tree.p_NB[link] + forest_.tree.R_NB[link] * forest_.com[link]);
  }
  std::vector<char> herded(forest_.tree.parent.size(), 0);
  for (const std::vector<std::vector<int>>& trees : equal_trees(forest_.tree)) {
    if (trees.size() < Herd::fewest) continue;
    herds_.emplace_back(forest_.tree, ws_, com_, trees);
    for (const std::vector<int>& nodes : trees) {
      for (const int n : nodes) herded[static_cast<std::size_t>(n)] = 1;
    }
  }
  std::vector<int> others;
  for (int n = 1; n < forest_.tree.nodes(); ++n) {
    if (!herded[static_cast<std::size_t>(n)]) others.push_back(n);
  }
  ws_.restrict_to(forest_.tree, others);
  for (std::size_t link = 0; link < R_.size(); ++link) {
    if (!herded[static_cast<std::size_t>(forest_.tree.node_of_link[link])]) alone_.push_back(link);
  }
  own_.resize(herded.size());
  if (forest_.part) part_.emplace(forest_);
}

void ForestMotion::settle(const Eigen::VectorXd& q) {
  if (placed_.size() == q.size() && placed_ == q) return;
  motion::place(forest_.tree, q.data(), ws_);
  for (Herd& herd : herds_) herd.place(q.data());
  placed_ = q;
  moves_ = false;
  if (part_) part_->place(q);
  for (const std::size_t link : alone_) {
    const TreeWorkspace::Place& X = ws_.place[forest_.tree.node_of_link[link]];
    const Vec3& c = com_[link];
    for (int k = 0; k < 3; ++k) reach_[link][k] = (X.R(k, 0) * c[0] + X.R(k, 1) * c[1]) + X.R(k, 2) * c[2];
    x_[link] = X.p + reach_[link];
  }
  link_turns(forest_.tree, ws_, alone_, R_.data());
}

void ForestMotion::place(Configuration& q) {
  settle(q.tree);
  for (const std::size_t link : alone_) {
    const auto b = static_cast<std::size_t>(forest_.body_of_link[link]);
    q.x[b] = x_[link];
    q.R[b] = R_[link];
  }
  for (const Herd& herd : herds_) herd.write_poses(forest_.body_of_link, q.x, q.R);
  if (part_) part_->write_poses(q);
}

/// Twists; nothing is computed where they are those of the last call.
void ForestMotion::move(const Eigen::VectorXd& v) {
  if (moves_ && moved_.size() == v.size() && moved_ == v) return;
  motion::move(forest_.tree, v.data(), ws_);
  for (Herd& herd : herds_) herd.move(v.data());
  moved_ = v;
  moves_ = true;
}

void ForestMotion::velocity(const Eigen::VectorXd& v, Velocity& out) {
  move(v);
  for (const std::size_t link : alone_) {
    const Twist& V = ws_.twist[forest_.tree.node_of_link[link]];
    const auto b = static_cast<std::size_t>(forest_.body_of_link[link]);
    out.v[b] = V.v + V.w.cross(reach_[link]);
    out.w[b] = V.w;
  }
  for (Herd& herd : herds_) herd.write_velocities(forest_.body_of_link, out);
  if (part_) part_->velocity(v, out);
}

void ForestMotion::factor(double t, double dt, const Eigen::VectorXd& q_k, const Eigen::VectorXd& v) {
  mass_matrix(forest_.tree, ws_);
  for (Herd& herd : herds_) herd.mass_matrix();
  if (part_) part_->factor(t);
  if (dt > 0) {
    joint_forces_.damping(dt, q_k, v, A_);
    for (const int i : ws_.coordinates) {
      const std::size_t diagonal = static_cast<std::size_t>(forest_.tree.row[i] + forest_.tree.depth[i]);
      ws_.M[diagonal] += 0.5 * dt * A_[i];
    }
    for (Herd& herd : herds_) herd.add_diagonal(0.5 * dt, A_.data());
  }
  int lost = motion::factor(forest_.tree, ws_);
  for (Herd& herd : herds_) {
    lost = std::max(lost, herd.factor());
    herd.write_out(ws_);
  }
  if (dt > 0) {
    Lv_ = v;
    weigh(Lv_);
  }
  if (lost < 0) return;
  throw base::InputError("joint " + forest_.v_names[static_cast<std::size_t>(lost)] + ": t = " + std::to_string(t) +
                         " s: found a mass that is not positive, expected mass or armature that the joint moves, and a "
                         "motion that has not run away");
}

/// q̄ = q after dt with velocities v, as far as forces read it.
void ForestMotion::advance(const Eigen::VectorXd& q, double dt, const Eigen::VectorXd& v) {
  q_mean_ = q;
  if (joint_forces_.are_simple()) {
    for (std::size_t i = 0; i < forest_.q_of_v.size(); ++i) {
      if (forest_.q_of_v[i] >= 0) q_mean_[forest_.q_of_v[i]] += dt * v[static_cast<Eigen::Index>(i)];
    }
    return;
  }
  h_ = dt * v;
  forest_.integrate(q, h_, q_mean_);
}

void ForestMotion::free_velocity(double t, double dt, const Configuration& q_k, const Eigen::VectorXd& v,
                                 const Eigen::VectorXd& v1, Eigen::VectorXd& z) {
  mean_ = 0.5 * (v + v1);
  advance(q_k.tree, 0.5 * dt, mean_);
  gather(system_, t, ws_, external_);
  h_.setZero(v.size());
  smooth_forces(forest_.tree, mean_.data(), system_.gravity, external_, ws_, h_.data());
  for (Herd& herd : herds_) {
    if (external_.empty()) herd.smooth_forces(mean_.data(), system_.gravity, h_.data());
  }
  joint_forces_.evaluate(q_mean_, mean_, true, tau_);
  z = dt * (h_ + tau_) + (0.5 * dt) * A_.cwiseProduct(v1 - v);
  if (part_) part_->add_forces(t, dt, mean_, z);
  whiten(z);
  z += Lv_;  // L v⁺ = L⁻ᵀ (M̂ v⁺), M v = M̂ v − dt/2 A v
}

/// Weights: m g along a slide; about an axis g Σ m_b r_b ≤ g √(Σ m_b Σ m_b r_b²) ≤ g √(m tr J / 2) with m, J of all
/// that is beyond, whatever cancels there.
void ForestMotion::sizes(double dt, const Eigen::VectorXd& q_k, Eigen::VectorXd& out) {
  const parts::Tree& tree = forest_.tree;
  joint_forces_.sizes(q_k, out);
  const double g = system_.gravity.norm();
  const auto slides = [&](int i) {
    const int n = tree.node_of[static_cast<std::size_t>(i)];
    return tree.motion[n] == parts::Tree::Node::slide ||
           (tree.motion[n] == parts::Tree::Node::free && i < tree.iv[n] + 3);
  };
  for (int n = 1; n < tree.nodes(); ++n) {
    const TreeWorkspace::Composite& I = ws_.composite[n];
    const double turn = g * std::sqrt(I.mass * 0.5 * (I.J[0] + I.J[1] + I.J[2]));
    const bool mixed = tree.motion[n] == parts::Tree::Node::free, slide = tree.motion[n] == parts::Tree::Node::slide;
    const int begin = tree.iv[n], end = n + 1 < tree.nodes() ? tree.iv[n + 1] : tree.nv();
    for (int i = begin; i < end; ++i) out[i] += slide || (mixed && i < begin + 3) ? g * I.mass : turn;
  }
  for (std::size_t link = 0; link < external_.size(); ++link) {
    const Wrench& F = external_[link];
    for (const int i : tree.chain(static_cast<int>(link))) {
      const Vec3 arm =
          link_pose(tree, ws_, static_cast<int>(link)).p - ws_.place[tree.node_of[static_cast<std::size_t>(i)]].p;
      out[i] += F.f.norm() * (slides(i) ? 1 : arm.norm()) + F.m.norm();
    }
  }
  for (int i = 0; i < tree.nv(); ++i) out[i] *= dt * ws_.L_inverse_diagonal[static_cast<std::size_t>(i)];
}

void ForestMotion::add_impulse(int body, const Vec3& x, const Vec3& F, Eigen::VectorXd& tau) const {
  const int link = forest_.link_of_body[static_cast<std::size_t>(body)];
  if (link < 0) return part_->add_impulse(body, x, F, tau);
  const Vec3 arm = x - link_pose(forest_.tree, ws_, link).p;
  add_wrench(forest_.tree, ws_, link, {F, arm.cross(F)}, tau.data());
}

void ForestMotion::add_couple(int body, const Vec3& m, Eigen::VectorXd& tau) const {
  const int link = forest_.link_of_body[static_cast<std::size_t>(body)];
  if (link < 0) return part_->add_couple(body, m, tau);
  add_wrench(forest_.tree, ws_, link, {Vec3::Zero(), m}, tau.data());
}

ForestEnergy ForestMotion::energy(const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  move(v);
  ForestEnergy energy;
  for (Herd& herd : herds_) herd.kinetic(own_.data());
  energy.kinetic = kinetic_energy(forest_.tree, ws_, v.data(), own_);
  for (Herd& herd : herds_) herd.weights(system_.gravity, own_.data());
  energy.potential = potential_energy(forest_.tree, ws_, system_.gravity, own_) + spring_energy(forest_, q);
  if (part_) energy.kinetic += part_->kinetic(v), energy.potential += part_->potential();
  return energy;
}

double ForestMotion::work(double t, double dt, const Eigen::VectorXd& q_k, const Eigen::VectorXd& v_mean) {
  advance(q_k, 0.5 * dt, v_mean);
  joint_forces_.evaluate(q_mean_, v_mean, false, tau_);
  double work = dt * tau_.dot(v_mean) + (part_ ? part_->work(t, dt, v_mean) : 0);
  gather(system_, t, ws_, external_);
  if (external_.empty()) return work;
  move(v_mean);
  for (const Herd& herd : herds_) herd.write_twists(ws_);
  for (std::size_t link = 0; link < external_.size(); ++link) {
    work += dt * screw::power(external_[link], link_twist(forest_.tree, ws_, static_cast<int>(link)));
  }
  return work;
}

ForestEnergy forest_energy(const System& system, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  const Forest& forest = *system.forest;
  TreeWorkspace ws(forest.tree);
  place(forest.tree, q.data(), ws);
  move(forest.tree, v.data(), ws);
  return {kinetic_energy(forest.tree, ws, v.data()),
          potential_energy(forest.tree, ws, system.gravity) + spring_energy(forest, q)};
}

}  // namespace vinculum::motion
