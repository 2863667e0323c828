// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Inverse dynamics: accelerations from the root outward, forces from the leaves inward (Newton and Euler; equations in
// tree.hpp).   τ_i = S_iᵀ F_i + armature v̇_i,   F_parent += (f, m + r × f)
#include "vinculum/algebra/clones.hpp"
#include "vinculum/motion/tree.hpp"

namespace vinculum::motion {

using Node = Tree::Node;

namespace {

/// Velocity and acceleration of one node from those of its parent.
template <bool moving>
inline void accelerate(const Tree& tree, int n, const double* v, const double* vdot, TreeWorkspace& ws) {
  const int p = tree.parent[n];
  const TreeWorkspace::Place& X = ws.place[n];
  const Vec3& w_p = ws.motion[p].w;
  const TreeWorkspace::Rates& parent = ws.rates[p];
  const double* u = v + tree.iv[n];
  const double* d = vdot + tree.iv[n];
  Vec3& w = ws.motion[n].w;
  Vec3 a = parent.a + parent.alpha.cross(X.r) + w_p.cross(w_p.cross(X.r)), alpha = parent.alpha;
  switch (tree.motion[n]) {
    case Node::hinge: {
      const Vec3 turn = u[0] * X.R.col(2);
      w = w_p + turn;
      alpha += w_p.cross(turn);
      if constexpr (moving) alpha += d[0] * X.R.col(2);
      break;
    }
    case Node::slide:
      w = w_p;
      a += 2 * w_p.cross(u[0] * X.R.col(2));
      if constexpr (moving) a += d[0] * X.R.col(2);
      break;
    case Node::helix: {
      const Vec3 turn = u[0] * X.R.col(2);
      w = w_p + turn;
      alpha += w_p.cross(turn);
      a += 2 * tree.pitch[n] * w_p.cross(turn);
      if constexpr (moving) {
        alpha += d[0] * X.R.col(2);
        a += tree.pitch[n] * d[0] * X.R.col(2);
      }
      break;
    }
    case Node::ball: {
      const Vec3 turn = X.R * Vec3(u[0], u[1], u[2]);
      w = w_p + turn;
      alpha += w_p.cross(turn);
      if constexpr (moving) alpha += X.R * Vec3(d[0], d[1], d[2]);
      break;
    }
    case Node::free: {
      const Vec3 turn = X.R * Vec3(u[3], u[4], u[5]), slide = X.R * Vec3(u[0], u[1], u[2]);
      w = w_p + turn;
      alpha += w_p.cross(turn);
      a += (w_p + w).cross(slide);
      if constexpr (moving) {
        a += X.R * Vec3(d[0], d[1], d[2]);
        alpha += X.R * Vec3(d[3], d[4], d[5]);
      }
      break;
    }
  }
  ws.rates[n] = {a, alpha};
}

/// Force that the node's own matter takes.
inline Wrench own_force(const Tree& tree, int n, const TreeWorkspace& ws) {
  if (tree.mass[n] == 0) return {Vec3::Zero(), Vec3::Zero()};
  const Mat3& R = ws.place[n].R;
  const Vec3& w = ws.motion[n].w;
  const TreeWorkspace::Rates& rates = ws.rates[n];
  const Vec3 c = R * tree.com[n];
  const Vec3 f = tree.mass[n] * (rates.a + rates.alpha.cross(c) + w.cross(w.cross(c)));
  const Vec3 w_N = R.transpose() * w, alpha_N = R.transpose() * rates.alpha;
  const Vec3 spin = tree.J_c[n] * alpha_N + w_N.cross(tree.J_c[n] * w_N);
  return {f, R * spin + c.cross(f)};
}

/// S_nᵀ F into τ.
inline void project(const Tree& tree, int n, const TreeWorkspace& ws, const Wrench& F, double* tau) {
  const Mat3& R = ws.place[n].R;
  double* t = tau + tree.iv[n];
  switch (tree.motion[n]) {
    case Node::hinge:
      t[0] = R.col(2).dot(F.m);
      break;
    case Node::slide:
      t[0] = R.col(2).dot(F.f);
      break;
    case Node::helix:
      t[0] = R.col(2).dot(F.m + tree.pitch[n] * F.f);
      break;
    case Node::ball:
      for (int k = 0; k < 3; ++k) t[k] = R.col(k).dot(F.m);
      break;
    case Node::free:
      for (int k = 0; k < 3; ++k) {
        t[k] = R.col(k).dot(F.f);
        t[3 + k] = R.col(k).dot(F.m);
      }
      break;
  }
}

template <bool moving>
void sweep(const Tree& tree, const double* v, const double* vdot, const Vec3& gravity, std::span<const Wrench> external,
           TreeWorkspace& ws, double* tau) {
  ws.rates[0] = {-gravity, Vec3::Zero()};
  for (int n = 1; n < tree.nodes(); ++n) {
    accelerate<moving>(tree, n, v, vdot, ws);
    ws.force[n] = own_force(tree, n, ws);
  }
  for (std::size_t b = 0; b < external.size(); ++b) {
    const int n = tree.node_of_link[b];
    if (n == 0) continue;
    const Vec3 arm = ws.place[n].R * tree.p_NB[b];
    ws.force[n] += -Wrench{external[b].f, external[b].m + arm.cross(external[b].f)};
  }
  for (int n = tree.nodes() - 1; n > 0; --n) {
    const Wrench F = ws.force[n];
    project(tree, n, ws, F, tau);
    if (const int p = tree.parent[n]; p > 0) {
      ws.force[p].f += F.f;
      ws.force[p].m += F.m + ws.place[n].r.cross(F.f);
    }
  }
}

/// The sweep without accelerations and external wrenches, where the mass matrix has left the matter in world axes.
VINCULUM_CLONES void sweep_bias(const Tree& tree, const double* v, const double* gravity, TreeWorkspace& ws,
                                double* tau) {
  ws.bias[0] = {};
  ws.bias[0].a.set(-gravity[0], -gravity[1], -gravity[2]);
  for (const int n : ws.nodes) {
    kernels::accelerate<One>(tree.motion[n], tree.pitch[n], tree.mass[n] != 0, tree.mass[n], ws.matter[n],
                             ws.place[n].R.data(), v + tree.iv[n], ws.bias[tree.parent[n]], ws.bias[n]);
  }
  for (std::size_t index = ws.nodes.size(); index-- > 0;) {
    const int n = ws.nodes[index], p = tree.parent[n];
    kernels::collect<One>(tree.motion[n], tree.pitch[n], ws.matter[n], ws.place[n].R.data(), ws.bias[n],
                          p > 0 ? &ws.bias[p] : nullptr, tau + tree.iv[n]);
  }
}

}  // namespace

void inverse_dynamics(const Tree& tree, const double* v, const double* vdot, const Vec3& gravity,
                      std::span<const Wrench> external, TreeWorkspace& ws, double* tau) {
  sweep<true>(tree, v, vdot, gravity, external, ws, tau);
  for (int i = 0; i < tree.nv(); ++i) tau[i] += tree.armature[i] * vdot[i];
}

void smooth_forces(const Tree& tree, const double* v, const Vec3& gravity, std::span<const Wrench> external,
                   TreeWorkspace& ws, double* h) {
  if (ws.weighed && external.empty()) {
    sweep_bias(tree, v, gravity.data(), ws, h);
    for (const int i : ws.coordinates) h[i] = -h[i];
    return;
  }
  sweep<false>(tree, v, v, gravity, external, ws, h);
  for (int i = 0; i < tree.nv(); ++i) h[i] = -h[i];
}

}  // namespace vinculum::motion
