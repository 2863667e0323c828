// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Poses, twists, Jacobians, energies of a tree.
#include "vinculum/algebra/clones.hpp"
#include "vinculum/algebra/sine_cosine.hpp"
#include "vinculum/motion/tree.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::motion {

using Node = Tree::Node;

TreeWorkspace::TreeWorkspace(const Tree& tree) {
  const std::size_t n = static_cast<std::size_t>(tree.nodes());
  place.resize(n);
  motion.resize(n);
  rates.resize(n);
  force.resize(n);
  twist.resize(n);
  composite.resize(n);
  matter.resize(n);
  bias.resize(n);
  moving.resize(n);
  S.resize(static_cast<std::size_t>(tree.nv()));
  S_stride = static_cast<std::size_t>(tree.nv()) + 4;
  S_rows.assign(6 * S_stride, 0.0);
  line.assign(static_cast<std::size_t>(tree.depth_max()) + 4, 0.0);
  for (int i = 0; i < tree.nv(); ++i) {
    run_of.push_back(static_cast<int>(runs.size()));
    for (int k = 0; k < tree.depth[i]; ++k) {
      const int column = tree.column[tree.row[i] + k];
      if (k == 0 || column != tree.column[tree.row[i] + k - 1] + 1) runs.push_back({column, k, 0});
      ++runs.back().count;
    }
  }
  run_of.push_back(static_cast<int>(runs.size()));
  arm.resize(n);
  articulated.resize(n);
  wide.resize(n);
  M.resize(tree.entries());
  L.resize(tree.entries());
  L_inverse_diagonal.resize(static_cast<std::size_t>(tree.nv()));
  for (const Mat3& R : tree.R_T) q_T.push_back(algebra::Quat(R).normalized());
  for (const Mat3& R : tree.R_NB) q_NB.push_back(algebra::Quat(R).normalized());
  for (int k = 1; k < tree.nodes(); ++k) nodes.push_back(k);
  restrict_to(tree, std::vector<int>(nodes));
  place[0] = {Mat3::Identity(), Vec3::Zero(), Vec3::Zero(), algebra::Quat::Identity()};
  motion[0] = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
}

void TreeWorkspace::restrict_to(const Tree& tree, std::span<const int> chosen) {
  nodes.assign(chosen.begin(), chosen.end());
  coordinates.clear();
  turning.clear();
  for (const int n : nodes) {
    for (int k = 0; k < joints::nv_of(tree.factor[n]); ++k) coordinates.push_back(tree.iv[n] + k);
    if (tree.motion[n] == Node::hinge || tree.motion[n] == Node::helix) turning.push_back(n);
  }
  std::stable_sort(coordinates.begin(), coordinates.end(),
                   [&](int i, int j) { return tree.column[tree.row[i]] < tree.column[tree.row[j]]; });
  const std::size_t angles = (turning.size() + 3) / 4 * 4;
  for (std::vector<double>* values : {&half_angle, &sine, &cosine}) values->assign(angles, 0.0);
}

namespace {

using algebra::Quat;

[[gnu::always_inline]] inline const Four& four(const Quat& q) {
  return *reinterpret_cast<const Four*>(q.coeffs().data());
}
[[gnu::always_inline]] inline Four& four(Quat& q) { return *reinterpret_cast<Four*>(q.coeffs().data()); }

[[gnu::always_inline]] inline const Lane& lane(const Quat& q) {
  return *reinterpret_cast<const Lane*>(q.coeffs().data());
}
[[gnu::always_inline]] inline kernels::Spot<One> spot(TreeWorkspace::Place& X) {
  return {X.R.data(), X.p.data(), X.r.data(), reinterpret_cast<Lane*>(X.q.coeffs().data())};
}

/// The axes of a link.
[[gnu::always_inline]] inline Quat turn_of_link(const TreeWorkspace& ws, int node, int link) {
  Quat q;
  lanes::multiply_turns(four(ws.place[node].q), four(ws.q_NB[link]), four(q));
  lanes::correct_length(four(q));
  return q;
}

}  // namespace

VINCULUM_CLONES void place(const Tree& tree, const double* q, TreeWorkspace& ws) {
  ws.weighed = false;
  for (std::size_t k = 0; k < ws.turning.size(); ++k) ws.half_angle[k] = 0.5 * q[tree.iq[ws.turning[k]]];
  algebra::sine_cosine(ws.half_angle.data(), static_cast<int>(ws.half_angle.size()), ws.sine.data(), ws.cosine.data());
  std::size_t next = 0;  // of those that turn about their axis
  for (const int n : ws.nodes) {
    const bool turns = next < ws.turning.size() && ws.turning[next] == n;
    kernels::place<One>(tree.motion[n], tree.p_T[n].data(), lane(ws.q_T[n]), tree.pitch[n], q + tree.iq[n],
                        turns ? ws.sine[next] : 0, turns ? ws.cosine[next] : 0, spot(ws.place[tree.parent[n]]),
                        spot(ws.place[n]));
    next += turns;
  }
}

// Along a chain each twist is read right after it was written: as a whole register.
VINCULUM_CLONES void move(const Tree& tree, const double* v, TreeWorkspace& ws) {
  ws.moving[0] = {};
  ws.twist[0] = {};
  for (const int n : ws.nodes) {
    const TreeWorkspace::Place& X = ws.place[n];
    kernels::move<One>(tree.motion[n], tree.pitch[n], X.R.data(), X.r.data(), v + tree.iv[n], ws.moving[tree.parent[n]],
                       ws.moving[n]);
    const Four V_v = ws.moving[n].v.value(), V_w = ws.moving[n].w.value();
    ws.twist[n] = {Vec3(V_v[0], V_v[1], V_v[2]), Vec3(V_w[0], V_w[1], V_w[2])};
  }
}

VINCULUM_CLONES void link_turns(const Tree& tree, const TreeWorkspace& ws, std::span<const std::size_t> links,
                                Quat* out) {
  for (const std::size_t link : links) out[link] = turn_of_link(ws, tree.node_of_link[link], static_cast<int>(link));
}

Pose link_pose(const Tree& tree, const TreeWorkspace& ws, int link) {
  const int node = tree.node_of_link[link];
  const TreeWorkspace::Place& X = ws.place[node];
  return {X.p + X.R * tree.p_NB[link], turn_of_link(ws, node, link)};
}

Twist link_twist(const Tree& tree, const TreeWorkspace& ws, int link) {
  const int node = tree.node_of_link[link];
  return screw::at_point(ws.twist[node], ws.place[node].R * tree.p_NB[link]);
}

namespace {

// Calls column(k, linear, angular) for every coordinate of the chain of `node`: S at its own node, arm to x.
template <class Column>
void for_chain(const Tree& tree, const TreeWorkspace& ws, int node, const Vec3& x, Column&& column) {
  for (int n = node; n > 0; n = tree.parent[n]) {
    const TreeWorkspace::Place& X = ws.place[n];
    const int k = tree.depth[tree.iv[n]];
    const Vec3 arm = x - X.p, zero = Vec3::Zero();
    const Vec3 z = X.R.col(2);
    switch (tree.motion[n]) {
      case Node::hinge:
        column(k, Vec3(z.cross(arm)), z);
        break;
      case Node::slide:
        column(k, z, zero);
        break;
      case Node::helix:
        column(k, Vec3(z.cross(arm) + tree.pitch[n] * z), z);
        break;
      case Node::ball:
        for (int c = 0; c < 3; ++c) column(k + c, Vec3(X.R.col(c).cross(arm)), Vec3(X.R.col(c)));
        break;
      case Node::free:
        for (int c = 0; c < 3; ++c) {
          column(k + c, Vec3(X.R.col(c)), zero);
          column(k + 3 + c, Vec3(X.R.col(c).cross(arm)), Vec3(X.R.col(c)));
        }
        break;
    }
  }
}

}  // namespace

void point_jacobian(const Tree& tree, const TreeWorkspace& ws, int link, const Vec3& x,
                    Eigen::Ref<Eigen::Matrix<double, 3, Eigen::Dynamic>> J) {
  for_chain(tree, ws, tree.node_of_link[link], x, [&](int k, const Vec3& linear, const Vec3&) { J.col(k) = linear; });
}

void link_jacobian(const Tree& tree, const TreeWorkspace& ws, int link,
                   Eigen::Ref<Eigen::Matrix<double, 6, Eigen::Dynamic>> J) {
  const int node = tree.node_of_link[link];
  const Vec3 x = ws.place[node].p + ws.place[node].R * tree.p_NB[link];
  for_chain(tree, ws, node, x, [&](int k, const Vec3& linear, const Vec3& angular) { J.col(k) << linear, angular; });
}

void add_wrench(const Tree& tree, const TreeWorkspace& ws, int link, const Wrench& F, double* tau) {
  const int node = tree.node_of_link[link];
  if (node == 0) return;
  const Vec3 x = ws.place[node].p + ws.place[node].R * tree.p_NB[link];
  const std::span<const int> chain = tree.chain(link);
  for_chain(tree, ws, node, x, [&](int k, const Vec3& linear, const Vec3& angular) {
    tau[chain[k]] += linear.dot(F.f) + angular.dot(F.m);
  });
}

namespace {

// Velocity of the centre of mass, and of the spin about it, of one node.
Wrench momentum_at_com(const Tree& tree, const TreeWorkspace& ws, int n, Vec3& c) {
  const Mat3& R = ws.place[n].R;
  const Twist& V = ws.twist[n];
  c = R * tree.com[n];
  return {tree.mass[n] * (V.v + V.w.cross(c)), R * (tree.J_c[n] * (R.transpose() * V.w))};
}

}  // namespace

// ½ Σ m |v_c|² + w·J w, in plain numbers.
VINCULUM_CLONES double kinetic_energy(const Tree& tree, const TreeWorkspace& ws, const double* v,
                                      std::span<double> own) {
  for (const int n : ws.nodes) {
    if (tree.mass[n] == 0) continue;
    kernels::twice_kinetic(tree.mass[n], tree.com[n].data(), tree.J_c[n].data(), ws.place[n].R.data(),
                           ws.twist[n].v.data(), ws.twist[n].w.data(), own[static_cast<std::size_t>(n)]);
  }
  double twice = 0;
  for (int i = 0; i < tree.nv(); ++i) twice += tree.armature[i] * v[i] * v[i];
  for (int n = 1; n < tree.nodes(); ++n) {
    if (tree.mass[n] != 0) twice += own[static_cast<std::size_t>(n)];
  }
  return 0.5 * twice;
}

double potential_energy(const Tree& tree, const TreeWorkspace& ws, const Vec3& gravity, std::span<double> own) {
  for (const int n : ws.nodes) {
    kernels::weight(tree.mass[n], tree.com[n].data(), ws.place[n].R.data(), ws.place[n].p.data(), gravity.data(),
                    own[static_cast<std::size_t>(n)]);
  }
  double energy = 0;
  for (int n = 1; n < tree.nodes(); ++n) energy -= own[static_cast<std::size_t>(n)];
  return energy;
}

double kinetic_energy(const Tree& tree, const TreeWorkspace& ws, const double* v) {
  std::vector<double> own(ws.place.size());
  return kinetic_energy(tree, ws, v, own);
}

double potential_energy(const Tree& tree, const TreeWorkspace& ws, const Vec3& gravity) {
  std::vector<double> own(ws.place.size());
  return potential_energy(tree, ws, gravity, own);
}

Wrench momentum(const Tree& tree, const TreeWorkspace& ws) {
  Wrench total;
  for (int n = 1; n < tree.nodes(); ++n) {
    Vec3 c;
    const Wrench P = momentum_at_com(tree, ws, n, c);
    total += {P.f, P.m + (ws.place[n].p + c).cross(P.f)};
  }
  return total;
}

}  // namespace vinculum::motion
