// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Poses, twists, Jacobians, energies of a tree.
#include "vinculum/algebra/clones.hpp"
#include "vinculum/algebra/sine_cosine.hpp"
#include "vinculum/motion/tree.hpp"

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
  for (int k = 1; k < tree.nodes(); ++k) {
    if (tree.motion[k] == Node::hinge || tree.motion[k] == Node::helix) turning.push_back(k);
  }
  const std::size_t angles = (turning.size() + 3) / 4 * 4;
  for (std::vector<double>* values : {&half_angle, &sine, &cosine}) values->assign(angles, 0.0);
  place[0] = {Mat3::Identity(), Vec3::Zero(), Vec3::Zero(), algebra::Quat::Identity()};
  motion[0] = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
}

namespace {

using algebra::Quat;

/// A unit quaternion, from one of any length.
Quat unit_at(const double* q) { return Quat(q[0], q[1], q[2], q[3]).normalized(); }

/// a ⊗ b, components (x, y, z, w). Sums are short: in a chain each waits for the one before.
[[gnu::always_inline]] inline void multiply_turns(const Four& a, const Four& b, Four& out) {
  using lanes::Order;
  const Four x = __builtin_shuffle(a, Order{0, 0, 0, 0}), y = __builtin_shuffle(a, Order{1, 1, 1, 1});
  const Four z = __builtin_shuffle(a, Order{2, 2, 2, 2}), w = __builtin_shuffle(a, Order{3, 3, 3, 3});
  const Four b_x = __builtin_shuffle(b, Order{3, 2, 1, 0}) * Four{1, -1, 1, -1};
  const Four b_y = __builtin_shuffle(b, Order{2, 3, 0, 1}) * Four{1, 1, -1, -1};
  const Four b_z = __builtin_shuffle(b, Order{1, 0, 3, 2}) * Four{-1, 1, 1, -1};
  out = (w * b + x * b_x) + (y * b_y + z * b_z);
}

[[gnu::always_inline]] inline const Four& four(const Quat& q) {
  return *reinterpret_cast<const Four*>(q.coeffs().data());
}
[[gnu::always_inline]] inline Four& four(Quat& q) { return *reinterpret_cast<Four*>(q.coeffs().data()); }

/// The turn of a hinge behind a constant one: T ⊗ (0, 0, sin θ/2, cos θ/2).
[[gnu::always_inline]] inline void turn_hinge(const Quat& T, double s, double c, Four& out) {
  const Four& t = four(T);
  const Four across = __builtin_shuffle(t, lanes::Order{1, 0, 3, 2}) * Four{1, -1, 1, -1};
  out = Four{c, c, c, c} * t + Four{s, s, s, s} * across;
}

Quat product(const Quat& a, const Quat& b) {
  Quat out;
  multiply_turns(four(a), four(b), four(out));
  return out;
}

/// The axes of a link. A Newton step for 1/|q|, which differs from 1 by rounding.
[[gnu::always_inline]] inline Quat turn_of_link(const TreeWorkspace& ws, int node, int link) {
  Quat q;
  multiply_turns(four(ws.place[node].q), four(ws.q_NB[link]), four(q));
  const Four square = four(q) * four(q);
  const double s = 1.5 - 0.5 * ((square[0] + square[1]) + (square[2] + square[3]));
  four(q) *= Four{s, s, s, s};
  return q;
}

/// R of a quaternion whose length differs from one by rounding: 2/|q|² = 2 (2 − |q|²).
inline void write_matrix(const Four& q, Mat3& R) {
  const double x = q[0], y = q[1], z = q[2], w = q[3];
  const double s = 2 * (2 - ((w * w + x * x) + (y * y + z * z))), sx = s * x, sy = s * y, sz = s * z;
  const double xx = sx * x, yy = sy * y, zz = sz * z, xy = sx * y, xz = sx * z, yz = sy * z;
  const double wx = sx * w, wy = sy * w, wz = sz * w;
  R << 1 - (yy + zz), xy - wz, xz + wy,  //
      xy + wz, 1 - (xx + zz), yz - wx,   //
      xz - wy, yz + wx, 1 - (xx + yy);
}

}  // namespace

VINCULUM_CLONES void place(const Tree& tree, const double* q, TreeWorkspace& ws) {
  ws.weighed = false;
  for (std::size_t k = 0; k < ws.turning.size(); ++k) ws.half_angle[k] = 0.5 * q[tree.iq[ws.turning[k]]];
  algebra::sine_cosine(ws.half_angle.data(), static_cast<int>(ws.half_angle.size()), ws.sine.data(), ws.cosine.data());
  const double *sine = ws.sine.data(), *cosine = ws.cosine.data();  // of the next that turns about its axis
  for (int n = 1; n < tree.nodes(); ++n) {
    const TreeWorkspace::Place& parent = ws.place[tree.parent[n]];
    TreeWorkspace::Place& X = ws.place[n];
    const double* x = q + tree.iq[n];
    const Vec3& p = tree.p_T[n];
    for (int k = 0; k < 3; ++k) X.r[k] = (parent.R(k, 0) * p[0] + parent.R(k, 1) * p[1]) + parent.R(k, 2) * p[2];
    Four own, turn;
    switch (tree.motion[n]) {
      case Node::hinge:
      case Node::helix:
        turn_hinge(ws.q_T[n], *sine++, *cosine++, own);
        break;
      case Node::slide:
        own = four(ws.q_T[n]);
        break;
      case Node::ball:
      case Node::free: {
        const bool free = tree.motion[n] == Node::free;
        if (free) X.r += product(parent.q, ws.q_T[n]) * Vec3(x[0], x[1], x[2]);
        const Quat unit = unit_at(free ? x + 3 : x);
        multiply_turns(four(ws.q_T[n]), four(unit), own);
        break;
      }
    }
    multiply_turns(four(parent.q), own, turn);
    four(X.q) = turn;
    if (tree.motion[n] == Node::slide) X.r += x[0] * (X.q * Vec3::UnitZ());
    if (tree.motion[n] == Node::helix) X.r += tree.pitch[n] * x[0] * (X.q * Vec3::UnitZ());
    write_matrix(turn, X.R);
    X.p = parent.p + X.r;
  }
}

// Along a chain each twist is read right after it was written: as a whole register.
VINCULUM_CLONES void move(const Tree& tree, const double* v, TreeWorkspace& ws) {
  ws.moving[0] = {};
  ws.twist[0] = {};
  for (int n = 1; n < tree.nodes(); ++n) {
    const TreeWorkspace::Moving& parent = ws.moving[tree.parent[n]];
    const TreeWorkspace::Place& X = ws.place[n];
    const double* u = v + tree.iv[n];
    const double* const z = X.R.data() + 6;
    Four V_w = parent.w.four(), V_v;
    lanes::cross(V_w, Four{X.r[0], X.r[1], X.r[2], 0}, V_v);
    V_v += parent.v.four();
    const Four along = Four{u[0], u[0], u[0], u[0]} * Four{z[0], z[1], z[2], 0};
    switch (tree.motion[n]) {
      case Node::hinge:
        V_w += along;
        break;
      case Node::slide:
        V_v += along;
        break;
      case Node::helix:
        V_w += along;
        V_v += Four{tree.pitch[n], tree.pitch[n], tree.pitch[n], tree.pitch[n]} * along;
        break;
      case Node::ball:
      case Node::free: {
        const int at = tree.motion[n] == Node::free ? 3 : 0;
        Lane turn, slide;
        turn.set(X.R * Vec3(u[at], u[at + 1], u[at + 2]));
        if (at > 0) slide.set(X.R * Vec3(u[0], u[1], u[2]));
        V_w += turn.four();
        V_v += slide.four();
        break;
      }
    }
    ws.moving[n].v.four() = V_v;
    ws.moving[n].w.four() = V_w;
    ws.twist[n] = {Vec3(V_v[0], V_v[1], V_v[2]), Vec3(V_w[0], V_w[1], V_w[2])};
  }
}

VINCULUM_CLONES void link_turns(const Tree& tree, const TreeWorkspace& ws, Quat* out) {
  for (int link = 0; link < tree.links(); ++link) out[link] = turn_of_link(ws, tree.node_of_link[link], link);
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
double kinetic_energy(const Tree& tree, const TreeWorkspace& ws, const double* v) {
  double twice = 0;
  for (int i = 0; i < tree.nv(); ++i) twice += tree.armature[i] * v[i] * v[i];
  for (int n = 1; n < tree.nodes(); ++n) {
    if (tree.mass[n] == 0) continue;
    const Mat3 &R = ws.place[n].R, &J = tree.J_c[n];
    const Vec3 &com = tree.com[n], &w = ws.twist[n].w, &u = ws.twist[n].v;
    double c[3], w_N[3];
    for (int k = 0; k < 3; ++k) {
      c[k] = (R(k, 0) * com[0] + R(k, 1) * com[1]) + R(k, 2) * com[2];
      w_N[k] = (R(0, k) * w[0] + R(1, k) * w[1]) + R(2, k) * w[2];
    }
    const double x = u[0] + (w[1] * c[2] - w[2] * c[1]), y = u[1] + (w[2] * c[0] - w[0] * c[2]);
    const double z = u[2] + (w[0] * c[1] - w[1] * c[0]);
    double spin = 0;
    for (int k = 0; k < 3; ++k) spin += w_N[k] * ((J(k, 0) * w_N[0] + J(k, 1) * w_N[1]) + J(k, 2) * w_N[2]);
    twice += tree.mass[n] * ((x * x + y * y) + z * z) + spin;
  }
  return 0.5 * twice;
}

double potential_energy(const Tree& tree, const TreeWorkspace& ws, const Vec3& gravity) {
  double energy = 0;
  for (int n = 1; n < tree.nodes(); ++n)
    energy -= tree.mass[n] * gravity.dot(ws.place[n].p + ws.place[n].R * tree.com[n]);
  return energy;
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
