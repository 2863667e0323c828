// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/checks/linkage.hpp"

#include <fmt/core.h>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace vinculum::checks {

using model::Joint;
using model::JointType;
using model::world;

namespace {

/// 1 + (1 − cos θ)/θ² a^ + (θ − sin θ)/θ³ a^²: the way of the origin under a constant twist.
Mat3 way(const Vec3& a) {
  const double angle = a.norm();
  const Mat3 S = algebra::skew(a);
  if (angle < 1e-4) return Mat3::Identity() + 0.5 * S + S * S / 6;  // next terms below angle³/24 = 4e-14
  const double b = (1 - std::cos(angle)) / (angle * angle), c = (angle - std::sin(angle)) / (angle * angle * angle);
  return Mat3::Identity() + b * S + c * S * S;
}

bool has_ball(const Joint& joint) { return joint.type == JointType::spherical || joint.type == JointType::free; }

algebra::Quat quaternion_at(const double* q) { return algebra::Quat(q[0], q[1], q[2], q[3]).normalized(); }

void write(const algebra::Quat& R, double* q) { q[0] = R.w(), q[1] = R.x(), q[2] = R.y(), q[3] = R.z(); }

/// The joint's coordinates with its quaternion made unit.
std::vector<double> own(const Joint& joint, const VectorXd& q, int first) {
  std::vector<double> x(q.data() + first, q.data() + first + model::form_of(joint.type).nq);
  if (has_ball(joint)) write(quaternion_at(&x[x.size() - 4]), &x[x.size() - 4]);
  return x;
}

/// Nothing acts along the joint of a body that moves freely.
bool may_be_free(const Joint& joint) {
  return joint.type == JointType::free && joint.parent == world &&
         std::all_of(joint.axes.begin(), joint.axes.end(), [](const model::JointAxis& axis) {
           return axis.friction == 0 && axis.damping == 0 && axis.armature == 0 && axis.stiffness == 0;
         });
}

int find(std::span<const std::string> names, const std::string& name, int count) {
  if (count == 0) return 0;
  const std::string first = count == 1 ? name : name + "[0]";
  const auto at = std::find(names.begin(), names.end(), first);
  return at == names.end() ? -1 : static_cast<int>(at - names.begin());
}

}  // namespace

Mat3 turned(const Vec3& a) {
  const double angle = a.norm();
  const Mat3 S = algebra::skew(a);
  if (angle < 1e-4) return Mat3::Identity() + S + 0.5 * S * S + S * S * S / 6;
  const double half = std::sin(0.5 * angle) / angle;
  return Mat3::Identity() + std::sin(angle) / angle * S + 2 * half * half * S * S;
}

Vec3 turn_of(const Mat3& R) {
  algebra::Quat turn(R);
  if (turn.w() < 0) turn.coeffs() *= -1;
  const double sine = turn.vec().norm();
  return sine < 1e-12 ? Vec3(2 * turn.vec()) : Vec3(2 * std::atan2(sine, turn.w()) / sine * turn.vec());
}

Linkage::Linkage(const model::Model& scene, std::span<const std::string> q_names,
                 std::span<const std::string> names_of_v)
    : model(scene),
      of_joint(scene.joints.size()),
      linked(scene.bodies.size(), 0),
      frame(scene.bodies.size(), -1),
      chain(scene.bodies.size()),
      v_names(names_of_v.begin(), names_of_v.end()),
      nq_(static_cast<int>(q_names.size())),
      joints_(model::joints_of_bodies(scene)) {
  int covered_q = 0, covered_v = 0;
  for (std::size_t j = 0; j < scene.joints.size(); ++j) {
    const Joint& joint = scene.joints[j];
    const model::JointForm& form = model::form_of(joint.type);
    of_joint[j] = {find(q_names, joint.name, form.nq), find(v_names, joint.name, form.nv)};
    const bool known =
        of_joint[j].q >= 0 && of_joint[j].v >= 0 && of_joint[j].q + form.nq <= nq_ && of_joint[j].v + form.nv <= nv();
    if (!known && !may_be_free(joint)) {
      throw base::InputError(
          fmt::format("trace: scene.tree_q: found no joint \"{}\", expected those of its scene", joint.name));
    }
    if (!known) of_joint[j] = {};
    if (!known) continue;
    linked[static_cast<std::size_t>(joint.child)] = 1;
    covered_q += form.nq, covered_v += form.nv;
  }
  if (covered_q != nq_ || covered_v != nv()) {
    throw base::InputError(
        fmt::format("trace: scene.tree_v: found {} coordinates, expected the {} of its joints", nv(), covered_v));
  }
  int frames = 0;
  for (std::size_t b = 0; b < frame.size(); ++b) {
    if (scene.bodies[b].carried()) frame[b] = frames++, linked[b] = 1;
  }
  if (frames > 0) {
    part = std::make_shared<parts::Lagrangian>(*scene.lagrangian, scene.laws, model::frame_formulas(scene));
    nq_ += static_cast<int>(part_size());
    v_names.insert(v_names.end(), part->coordinates().begin(), part->coordinates().end());
  }
  armature = VectorXd::Zero(nv());
  std::vector<char> done(scene.bodies.size(), 0);
  while (true) {  // one generation after the other
    const std::size_t before = order_.size();
    for (std::size_t b = 0; b < linked.size(); ++b) {
      if (!linked[b] || done[b] || frame[b] >= 0) continue;
      const int parent = scene.joints[static_cast<std::size_t>(joints_[b].front())].parent;
      if (parent != world && linked[static_cast<std::size_t>(parent)] && !done[static_cast<std::size_t>(parent)])
        continue;
      done[b] = 1;
      order_.push_back(static_cast<int>(b));
      if (parent != world) chain[b] = chain[static_cast<std::size_t>(parent)];
      for (const int j : joints_[b]) {
        const Joint& joint = scene.joints[static_cast<std::size_t>(j)];
        for (int k = 0; k < model::form_of(joint.type).nv; ++k) {
          const int v = of_joint[static_cast<std::size_t>(j)].v + k;
          chain[b].push_back(v);
          armature[v] = joint.axes[static_cast<std::size_t>(k)].armature;
        }
      }
    }
    if (order_.size() == before) break;
  }
  std::vector<int> own_coordinates;
  for (int i = nv() - static_cast<int>(part_size()); i < nv(); ++i) own_coordinates.push_back(i);
  for (std::size_t b = 0; b < frame.size(); ++b) {
    if (frame[b] >= 0) chain[b] = own_coordinates;
  }
  tree_of.assign(static_cast<std::size_t>(nv()), -1);
  for (const int body : order_) {  // a chain begins at the root
    const std::vector<int>& coordinates = chain[static_cast<std::size_t>(body)];
    if (coordinates.empty()) continue;
    int tree = tree_of[static_cast<std::size_t>(coordinates.front())];
    // Bodies on a base that is fixed to the world share no coordinate: each starts a tree of its own.
    if (tree < 0) tree = static_cast<int>(trees.size()), trees.emplace_back();
    for (const int v : coordinates) {
      if (tree_of[static_cast<std::size_t>(v)] >= 0) continue;
      tree_of[static_cast<std::size_t>(v)] = tree;
      trees[static_cast<std::size_t>(tree)].push_back(v);
    }
  }
  if (!part) return;
  for (const int v : own_coordinates) tree_of[static_cast<std::size_t>(v)] = static_cast<int>(trees.size());
  trees.push_back(own_coordinates);
}

VectorXd Linkage::join(const VectorXd& tree, const VectorXd& lagrangian) const {
  VectorXd all(tree.size() + part_size());
  all.head(tree.size()) = tree;
  if (part) all.tail(part_size()) = lagrangian;
  return all;
}

void Linkage::place(const VectorXd& q, Posture& out) const {
  const std::size_t n = model.bodies.size();
  out.x.resize(n), out.R.resize(n);
  out.screw_v.assign(v_names.size(), Vec3::Zero());
  out.screw_w.assign(v_names.size(), Vec3::Zero());
  std::vector<Vec3> origin(n);
  for (const int body : order_) {
    const auto b = static_cast<std::size_t>(body);
    const Joint& first = model.joints[static_cast<std::size_t>(joints_[b].front())];
    Vec3 p = first.X_PC.p;
    Mat3 R = first.X_PC.R.normalized().toRotationMatrix();
    if (first.parent != world) {
      const auto a = static_cast<std::size_t>(first.parent);
      p = origin[a] + out.R[a] * p;
      R = out.R[a] * R;
    }
    for (const int j : joints_[b]) {
      const Joint& joint = model.joints[static_cast<std::size_t>(j)];
      const Place at = of_joint[static_cast<std::size_t>(j)];
      const std::vector<double> x = own(joint, q, at.q);
      const algebra::Pose J = model::joint_motion(joint, x);
      const Mat3 R_before = R;
      p += R * J.p;
      R = R * J.R.toRotationMatrix();
      std::vector<double> unit(joint.axes.size(), 0.0);
      for (std::size_t k = 0; k < unit.size(); ++k) {
        std::fill(unit.begin(), unit.end(), 0.0);
        if (joint.type == JointType::free && k < 3) {  // the trace's unit velocity is in the child's axes
          const Vec3 column = (R_before.transpose() * R).col(static_cast<Eigen::Index>(k));
          for (std::size_t i = 0; i < 3; ++i) unit[i] = column[static_cast<Eigen::Index>(i)];
        } else {
          unit[k] = 1;
        }
        const model::JointVelocity V = model::joint_velocity(joint, x, unit);
        const auto v = static_cast<std::size_t>(at.v) + k;
        out.screw_w[v] = R * V.w;
        out.screw_v[v] = R * V.v - out.screw_w[v].cross(p);
      }
    }
    origin[b] = p;
    out.R[b] = R;
    out.x[b] = p + R * model.bodies[b].com;
  }
  if (!part) return;
  out.part = q.tail(part_size());
  parts::Point point = part->make_point();
  part->set(0, out.part, VectorXd::Zero(part_size()), point);
  VectorXd x;
  part->frames(point, x);
  part->frame_directions(point, out.frames);
  for (std::size_t b = 0; b < n; ++b) {
    if (frame[b] < 0) continue;
    out.x[b] = x.segment<3>(4 * frame[b]);
    out.R[b] = turned(x[4 * frame[b] + 3] * model.bodies[b].frame_axis);
  }
}

void Linkage::move(const Posture& at, const VectorXd& v, Speeds& out) const {
  out.v.resize(linked.size(), Vec3::Zero()), out.w.resize(linked.size(), Vec3::Zero());
  for (const int body : order_) {
    const auto b = static_cast<std::size_t>(body);
    Vec3 w = Vec3::Zero(), u = Vec3::Zero();
    for (const int i : chain[b]) {
      w += v[i] * at.screw_w[static_cast<std::size_t>(i)];
      u += v[i] * at.screw_v[static_cast<std::size_t>(i)];
    }
    out.w[b] = w;
    out.v[b] = u + w.cross(at.x[b]);
  }
  for (std::size_t b = 0; part && b < frame.size(); ++b) {
    if (frame[b] < 0) continue;
    const Eigen::Vector4d rate = at.frames.middleCols<4>(4 * frame[b]).transpose() * v.tail(part_size());
    out.v[b] = rate.head<3>();
    out.w[b] = rate[3] * model.bodies[b].frame_axis;
  }
}

VectorXd Linkage::shift(const VectorXd& q, const VectorXd& u) const {
  VectorXd to = q;
  for (std::size_t j = 0; j < of_joint.size(); ++j) {
    const Joint& joint = model.joints[j];
    if (of_joint[j].v < 0) continue;
    const int iq = of_joint[j].q, iv = of_joint[j].v;
    if (!has_ball(joint)) {
      for (int k = 0; k < std::ssize(joint.axes); ++k) to[iq + k] = q[iq + k] + u[iv + k];
      continue;
    }
    const bool free = joint.type == JointType::free;
    const int ball = free ? 3 : 0;
    const Mat3 R = quaternion_at(&q[iq + ball]).toRotationMatrix();
    const Vec3 w = u.segment<3>(iv + ball);
    if (free) to.segment<3>(iq) = q.segment<3>(iq) + R * (way(w) * u.segment<3>(iv));
    write(algebra::Quat(Mat3(R * turned(w))).normalized(), &to[iq + ball]);
  }
  to.tail(part_size()) += u.tail(part_size());
  return to;
}

VectorXd Linkage::difference(const VectorXd& q_0, const VectorXd& q_1) const {
  VectorXd u(nv());
  for (std::size_t j = 0; j < of_joint.size(); ++j) {
    const Joint& joint = model.joints[j];
    if (of_joint[j].v < 0) continue;
    const int iq = of_joint[j].q, iv = of_joint[j].v;
    if (!has_ball(joint)) {
      for (int k = 0; k < std::ssize(joint.axes); ++k) u[iv + k] = q_1[iq + k] - q_0[iq + k];
      continue;
    }
    const bool free = joint.type == JointType::free;
    const int ball = free ? 3 : 0;
    const Mat3 R = quaternion_at(&q_0[iq + ball]).toRotationMatrix();
    const Vec3 w = turn_of(R.transpose() * quaternion_at(&q_1[iq + ball]).toRotationMatrix());
    u.segment<3>(iv + ball) = w;
    if (free) u.segment<3>(iv) = way(w).inverse() * (R.transpose() * (q_1.segment<3>(iq) - q_0.segment<3>(iq)));
  }
  u.tail(part_size()) = q_1.tail(part_size()) - q_0.tail(part_size());
  return u;
}

void Linkage::pull(const Posture& at, int body, const Vec3& x, const Vec3& F, const Vec3& m, VectorXd& out) const {
  const auto b = static_cast<std::size_t>(body);
  if (frame[b] >= 0) {
    Eigen::Vector4d push;
    push << F, model.bodies[b].frame_axis.dot(m + (x - at.x[b]).cross(F));
    out.tail(part_size()) += at.frames.middleCols<4>(4 * frame[b]) * push;
    return;
  }
  const Vec3 moment = m + x.cross(F);  // about the world's origin
  for (const int i : chain[static_cast<std::size_t>(body)]) {
    out[i] += at.screw_v[static_cast<std::size_t>(i)].dot(F) + at.screw_w[static_cast<std::size_t>(i)].dot(moment);
  }
}

void Linkage::pull_sizes(const Posture& at, int body, const Vec3& x, const Vec3& F, const Vec3& m,
                         VectorXd& out) const {
  const auto b = static_cast<std::size_t>(body);
  if (frame[b] >= 0) {
    Eigen::Vector4d push;
    push << F.cwiseAbs(), m.norm() + (x.norm() + at.x[b].norm()) * F.norm();
    out.tail(part_size()) += at.frames.middleCols<4>(4 * frame[b]).cwiseAbs() * push;
    return;
  }
  const double force = F.norm(), moment = m.norm() + x.norm() * force;
  for (const int i : chain[b]) {
    const auto k = static_cast<std::size_t>(i);
    out[i] += at.screw_v[k].norm() * force + at.screw_w[k].norm() * moment;
  }
}

void TreeMass::set(const Linkage& linkage, const Posture& at, const VectorXd& added) {
  linkage_ = &linkage;
  std::vector<int> place(static_cast<std::size_t>(linkage.nv()));
  M_.clear();
  for (const std::vector<int>& tree : linkage.trees) {
    M_.emplace_back(MatrixXd::Zero(std::ssize(tree), std::ssize(tree)));
    for (std::size_t k = 0; k < tree.size(); ++k) place[static_cast<std::size_t>(tree[k])] = static_cast<int>(k);
  }
  VectorXd column(linkage.nv());
  for (std::size_t b = 0; b < linkage.linked.size(); ++b) {
    if (!linkage.linked[b] || linkage.chain[b].empty() || linkage.frame[b] >= 0) continue;
    const model::Body& body = linkage.model.bodies[b];
    const Mat3 I = at.R[b] * body.inertia * at.R[b].transpose();
    MatrixXd& M = M_[static_cast<std::size_t>(linkage.tree_of[static_cast<std::size_t>(linkage.chain[b].front())])];
    for (const int i : linkage.chain[b]) {
      const Vec3& w = at.screw_w[static_cast<std::size_t>(i)];
      const Vec3 v = at.screw_v[static_cast<std::size_t>(i)] + w.cross(at.x[b]);
      for (const int j : linkage.chain[b]) column[j] = 0;
      linkage.pull(at, static_cast<int>(b), at.x[b], body.mass * v, I * w, column);
      for (const int j : linkage.chain[b]) {
        M(place[static_cast<std::size_t>(j)], place[static_cast<std::size_t>(i)]) += column[j];
      }
    }
  }
  if (linkage.part) {
    parts::Point point = linkage.part->make_point();
    linkage.part->set(0, at.part, VectorXd::Zero(linkage.part_size()), point);
    linkage.part->mass(point, M_.back());
  }
  root_.resize(linkage.nv());
  factor_.clear();
  for (std::size_t t = 0; t < M_.size(); ++t) {
    for (std::size_t k = 0; k < linkage.trees[t].size(); ++k) {
      const auto i = static_cast<Eigen::Index>(k);
      M_[t](i, i) += linkage.armature[linkage.trees[t][k]];
      if (added.size() > 0) M_[t](i, i) += added[linkage.trees[t][k]];
      root_[linkage.trees[t][k]] = std::sqrt(M_[t](i, i));
    }
    factor_.emplace_back(M_[t]);
  }
}

VectorXd TreeMass::times(const VectorXd& v) const {
  VectorXd out(v.size());
  for (std::size_t t = 0; t < M_.size(); ++t) {
    const VectorXd part = v(linkage_->trees[t]), product = M_[t] * part;
    out(linkage_->trees[t]) = product;
  }
  return out;
}

double TreeMass::inverse_square(const VectorXd& x, std::span<const int> trees) const {
  double sum = 0;
  for (const int tree : trees) {
    const auto t = static_cast<std::size_t>(tree);
    const VectorXd part = x(linkage_->trees[t]);
    sum += factor_[t].matrixL().solve(part).squaredNorm();
  }
  return sum;
}

VectorXd TreeMass::solve(const VectorXd& x) const {
  VectorXd out = VectorXd::Zero(x.size());
  for (std::size_t t = 0; t < M_.size(); ++t) {
    const VectorXd part = x(linkage_->trees[t]);
    if (part.squaredNorm() == 0) continue;
    const VectorXd solution = factor_[t].solve(part);
    out(linkage_->trees[t]) = solution;
  }
  return out;
}

}  // namespace vinculum::checks
