// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// From links to nodes. With K_k the canonical frame of factor k in the link's frame, E_k = K_k E_z K_k⁻¹:
//   X_PC E_1 E_2 ... = (X_PC K_1) E_z1 (K_1⁻¹ K_2) E_z2 ... K_n⁻¹
#include "vinculum/parts/tree.hpp"

#include "vinculum/base/error.hpp"

#include <fmt/format.h>

#include <cmath>

namespace vinculum::parts {

namespace {

using joints::Motion;

Tree::Node node_kind(Motion motion) {
  switch (motion) {
    case Motion::slide:
      return Tree::Node::slide;
    case Motion::hinge:
    case Motion::turn:
      return Tree::Node::hinge;
    case Motion::helix:
      return Tree::Node::helix;
    case Motion::ball:
      return Tree::Node::ball;
    case Motion::free:
      break;
  }
  return Tree::Node::free;
}

Pose canonical_frame(const joints::Factor& factor) {
  if (factor.motion == Motion::free) return {};
  if (factor.motion == Motion::ball) return {factor.point, algebra::Quat::Identity()};
  Mat3 R;
  const Vec3 x = algebra::orthogonal_to(factor.axis);
  R << x, factor.axis.cross(x), factor.axis;
  if (factor.axis == Vec3::UnitZ()) R.setIdentity();
  return {factor.motion == Motion::slide ? Vec3::Zero() : factor.point, algebra::Quat(R)};
}

// One message for each way to be no forest.
void check_parent(std::span<const TreeLink> links, int b) {
  const int count = static_cast<int>(links.size()), parent = links[b].parent;
  const auto fail = [&](const std::string& found, const char* expected) {
    throw base::InputError(fmt::format("link[{}].parent: found {}, expected {}", b, found, expected));
  };
  if (parent < -1 || parent >= count) fail(std::to_string(parent), "a link of this tree, or -1 for the world");
  if (parent < b) return;
  int a = parent;
  for (int steps = 0; steps < count && a >= 0 && a < count && a != b; ++steps) a = links[a].parent;
  if (a == b) fail(fmt::format("{}, which closes a cycle", parent), "a tree (cut the loop and add a constraint)");
  fail(std::to_string(parent), "a link before its child");
}

void check_link(std::span<const TreeLink> links, int b) {
  const TreeLink& link = links[b];
  check_parent(links, b);
  if (!link.X_PC.p.allFinite() || !(std::abs(link.X_PC.R.norm() - 1) < 1e-9))
    throw base::InputError(
        fmt::format("link[{}].pose: found numbers that are no pose, expected finite ones and a unit "
                    "quaternion",
                    b));
  screw::check_inertia(link.inertia, fmt::format("link[{}].inertia", b), false);
  int nv = 0;
  for (const joints::Joint& joint : link.joints) nv += joint.nv();
  if (!link.armature.empty() && std::ssize(link.armature) != nv)
    throw base::InputError(
        fmt::format("link[{}].armature: found {} numbers, expected {}", b, link.armature.size(), nv));
  for (const double x : link.armature) {
    if (!(std::isfinite(x) && x >= 0))
      throw base::InputError(fmt::format("link[{}].armature: found {}, expected finite numbers >= 0", b, x));
  }
}

}  // namespace

Tree::Tree(std::span<const TreeLink> links) {
  add_node(-1, {}, {}, -1);  // the world: no coordinates
  for (int b = 0; b < std::ssize(links); ++b) {
    check_link(links, b);
    add_link(links[b], b);
  }
  link_iq.push_back(nq_);
  link_iv.push_back(nv_);
  index_rows();
  check_moved_mass();
}

Tree::Tree(const Tree& forest, std::span<const int> nodes) {
  add_node(-1, {}, {}, -1);
  std::vector<int> number(forest.parent.size(), 0), link_number(forest.node_of_link.size(), -1);
  for (const int n : nodes) {
    const int own = number[n] = static_cast<int>(parent.size());
    parent.push_back(number[forest.parent[n]]);
    motion.push_back(forest.motion[n]);
    factor.push_back(forest.factor[n]);
    iq.push_back(nq_);
    iv.push_back(nv_);
    link_of_node.push_back(forest.link_of_node[n]);  // renumbered below
    R_T.push_back(forest.R_T[n]);
    p_T.push_back(forest.p_T[n]);
    pitch.push_back(forest.pitch[n]);
    mass.push_back(forest.mass[n]);
    com.push_back(forest.com[n]);
    J_c.push_back(forest.J_c[n]);
    nq_ += joints::nq_of(forest.factor[n]);
    for (int k = 0; k < joints::nv_of(forest.factor[n]); ++k) {
      node_of.push_back(own);
      armature.push_back(forest.armature[forest.iv[n] + k]);
    }
    nv_ += joints::nv_of(forest.factor[n]);
  }
  int q = 0, v = 0;
  for (int b = 0; b < forest.links(); ++b) {
    const int node = number[forest.node_of_link[b]];
    if (node == 0) continue;
    link_number[b] = links();
    const int above = forest.parent_link[b];
    parent_link.push_back(above < 0 ? -1 : link_number[above]);
    node_of_link.push_back(node);
    R_NB.push_back(forest.R_NB[b]);
    p_NB.push_back(forest.p_NB[b]);
    inertia.push_back(forest.inertia[b]);
    joints.push_back(forest.joints[b]);
    link_iq.push_back(q);
    link_iv.push_back(v);
    for (const joints::Joint& joint : forest.joints[b]) q += joint.nq(), v += joint.nv();
  }
  for (std::size_t n = 1; n < parent.size(); ++n) link_of_node[n] = link_number[link_of_node[n]];
  link_iq.push_back(nq_);
  link_iv.push_back(nv_);
  index_rows();
}

int Tree::add_node(int parent_node, const joints::Factor& f, const Pose& T, int b) {
  const bool world = parent_node < 0;
  parent.push_back(world ? 0 : parent_node);
  motion.push_back(node_kind(f.motion));
  factor.push_back(f.motion);
  iq.push_back(nq_);
  iv.push_back(nv_);
  link_of_node.push_back(b);
  R_T.push_back(T.R.toRotationMatrix());
  p_T.push_back(T.p);
  pitch.push_back(motion.back() == Node::slide ? 1 : motion.back() == Node::helix ? f.pitch : 0);
  mass.push_back(0);
  com.emplace_back(Vec3::Zero());
  J_c.emplace_back(Mat3::Zero());
  const int node = static_cast<int>(parent.size()) - 1;
  if (world) return node;
  nq_ += joints::nq_of(f.motion);
  for (int k = 0; k < joints::nv_of(f.motion); ++k) node_of.push_back(node);
  nv_ += joints::nv_of(f.motion);
  return node;
}

void Tree::add_link(const TreeLink& link, int b) {
  parent_link.push_back(link.parent);
  inertia.push_back(link.inertia);
  joints.push_back(link.joints);
  link_iq.push_back(nq_);
  link_iv.push_back(nv_);
  int node = link.parent < 0 ? 0 : node_of_link[link.parent];
  Pose X = link.X_PC;  // the link's frame, after the factors so far, in `node`
  X.R.normalize();
  if (link.parent >= 0) X = Pose{p_NB[link.parent], algebra::Quat(R_NB[link.parent])} * X;
  for (const joints::Joint& joint : link.joints) {
    for (const joints::Factor& f : joint.factors()) {
      const Pose K = canonical_frame(f);
      node = add_node(node, f, X * K, b);
      X = K.inverse();
    }
  }
  node_of_link.push_back(node);
  R_NB.push_back(X.R.toRotationMatrix());
  p_NB.push_back(X.p);
  add_matter(node, X, link.inertia);
  armature.resize(nv_, 0);
  for (std::size_t k = 0; k < link.armature.size(); ++k) armature[link_iv[b] + k] = link.armature[k];
}

void Tree::add_matter(int node, const Pose& X_NB, const screw::Inertia& matter) {
  const screw::Inertia sum = screw::Inertia{mass[node], com[node], J_c[node]} + screw::outward(X_NB, matter);
  mass[node] = sum.mass;
  com[node] = sum.com;
  J_c[node] = sum.J_c;
}

void Tree::index_rows() {
  for (int i = 0; i < nv_; ++i) {
    const int node = node_of[i], first = iv[node];
    // Coordinate before i on its chain: in the same node, or the last one of the parent node.
    const int before = i > first          ? i - 1
                       : parent[node] > 0 ? iv[parent[node]] + joints::nv_of(factor[parent[node]]) - 1
                                          : -1;
    row.push_back(static_cast<int>(column.size()));
    depth.push_back(before < 0 ? 0 : depth[before] + 1);
    for (int k = 0; k < depth[i]; ++k) column.push_back(column[row[before] + k]);
    column.push_back(i);
    depth_max_ = std::max(depth_max_, depth[i] + 1);
  }
}

// A joint that moves no matter has no equation of motion.
void Tree::check_moved_mass() const {
  std::vector<double> moved = mass;
  for (int n = nodes() - 1; n > 0; --n) {
    bool geared = true;
    for (int k = iv[n]; k < iv[n] + joints::nv_of(factor[n]); ++k) geared = geared && armature[k] > 0;
    if (!(moved[n] > 0) && !geared)
      throw base::InputError(
          fmt::format("link[{}]: found no mass on or beyond its joint, expected some (or armature)", link_of_node[n]));
    moved[parent[n]] += moved[n];
  }
}

std::span<const int> Tree::chain(int link) const {
  const int node = node_of_link[link];
  if (node == 0) return {};
  const int last = iv[node] + joints::nv_of(factor[node]) - 1;
  return {column.data() + row[last], static_cast<std::size_t>(depth[last]) + 1};
}

void Tree::integrate(const double* q, const double* u, double* q1) const {
  for (int n = 1; n < nodes(); ++n) {
    if (factor[n] == joints::Motion::ball || factor[n] == joints::Motion::free) {
      joints::integrate(factor[n], q + iq[n], u + iv[n], q1 + iq[n]);
    } else {
      q1[iq[n]] = q[iq[n]] + u[iv[n]];  // most of them
    }
  }
}

void Tree::difference(const double* q0, const double* q1, double* u) const {
  for (int n = 1; n < nodes(); ++n) joints::difference(factor[n], q0 + iq[n], q1 + iq[n], u + iv[n]);
}

void Tree::rate(const double* q, const double* v, double* qdot) const {
  for (int n = 1; n < nodes(); ++n) joints::rate(factor[n], q + iq[n], v + iv[n], qdot + iq[n]);
}

Eigen::VectorXd Tree::neutral() const {
  Eigen::VectorXd q(nq_);
  for (int b = 0, i = 0; b < links(); ++b) {
    for (const joints::Joint& joint : joints[b]) {
      q.segment(i, joint.nq()) = joint.neutral();
      i += joint.nq();
    }
  }
  return q;
}

void Tree::check(std::span<const double> q) const {
  if (std::ssize(q) != nq_) throw base::InputError(fmt::format("q: found {} coordinates, expected {}", q.size(), nq_));
  std::size_t i = 0;
  for (int b = 0; b < links(); ++b) {
    for (std::size_t k = 0; k < joints[b].size(); ++k) {
      const std::size_t n = static_cast<std::size_t>(joints[b][k].nq());
      if (const auto fault = joints[b][k].fault(q.subspan(i, n)))
        throw base::InputError(fmt::format("link[{}].joint[{}]: {}", b, k, *fault));
      i += n;
    }
  }
}

}  // namespace vinculum::parts
