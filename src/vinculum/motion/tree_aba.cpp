// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Forward dynamics by articulated bodies (Featherstone 2008, ch. 7), in classical accelerations at the nodes' origins.
// The force that node n needs, with everything beyond its joint free to follow, is affine in its acceleration:
//   F = I^A (a, α) + p
//   U = I^A S,  D = SᵀU + armature,  u = τ − Sᵀp
//   I^a = I^A − U D⁻¹Uᵀ,  p^a = p + I^a c + U D⁻¹ u               handed to the parent, moved by the arm r
//   v̇ = D⁻¹ (u − Uᵀ(a', α')),   (a', α') = parent's acceleration carried over + c
// With f = A a + H α and m = Hᵀ a + C α, moving to the parent (a_n = a_p − r^ α) gives
//   A,   H − A r^,   C + r^ (H − A r^) − Hᵀ r^
// Nodes with three or six coordinates use S in world axes: orthonormal columns, so D is a block of I^A itself.
#include "vinculum/motion/tree.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>

namespace vinculum::motion {

using Node = Tree::Node;
using Articulated = TreeWorkspace::Articulated;

namespace {

// w, c_v, c_w and the velocity-dependent forces of all nodes, external wrenches taken off.
void sweep_velocities(const Tree& tree, const double* v, std::span<const Wrench> external, TreeWorkspace& ws) {
  for (int n = 1; n < tree.nodes(); ++n) {
    const Vec3& w_p = ws.motion[tree.parent[n]].w;
    const TreeWorkspace::Place& X = ws.place[n];
    TreeWorkspace::Motion& own = ws.motion[n];
    const double* u = v + tree.iv[n];
    own.c_v = w_p.cross(w_p.cross(X.r));
    switch (tree.motion[n]) {
      case Node::hinge:
      case Node::helix: {
        const Vec3 turn = u[0] * X.R.col(2);
        own.w = w_p + turn;
        own.c_w = w_p.cross(turn);
        if (tree.motion[n] == Node::helix) own.c_v += 2 * tree.pitch[n] * own.c_w;
        break;
      }
      case Node::slide:
        own.w = w_p;
        own.c_w.setZero();
        own.c_v += 2 * u[0] * w_p.cross(X.R.col(2));
        break;
      case Node::ball: {
        const Vec3 turn = X.R * Vec3(u[0], u[1], u[2]);
        own.w = w_p + turn;
        own.c_w = w_p.cross(turn);
        break;
      }
      case Node::free: {
        const Vec3 turn = X.R * Vec3(u[3], u[4], u[5]);
        own.w = w_p + turn;
        own.c_w = w_p.cross(turn);
        own.c_v += (w_p + own.w).cross(X.R * Vec3(u[0], u[1], u[2]));
        break;
      }
    }
    own.c.noalias() = X.R * tree.com[n];
    own.f = tree.mass[n] * own.w.cross(own.w.cross(own.c));
    own.m = own.c.cross(own.f);
  }
  for (std::size_t b = 0; b < external.size(); ++b) {
    const int n = tree.node_of_link[b];
    if (n == 0) continue;
    const Vec3 arm = ws.place[n].R * tree.p_NB[b];
    ws.motion[n].f -= external[b].f;
    ws.motion[n].m -= external[b].m + arm.cross(external[b].f);
  }
}

// I^A of the node's own matter, and its velocity-dependent force.
void own_matter(const Tree& tree, int n, const TreeWorkspace& ws, Articulated& I) {
  const Mat3& R = ws.place[n].R;
  const TreeWorkspace::Motion& motion = ws.motion[n];
  const double mass = tree.mass[n];
  I.f = motion.f;
  I.m = motion.m;
  if (mass == 0) {
    I.A.setZero();
    I.H.setZero();
    I.C.setZero();
    return;
  }
  Mat3 RJ;
  RJ.noalias() = R * tree.J_c[n];
  I.C.noalias() = RJ * R.transpose();
  I.m += motion.w.cross(I.C * motion.w);
  const Vec3 h = mass * motion.c;
  I.A = mass * Mat3::Identity();
  I.H = -algebra::skew(h);
  I.C.noalias() -= h * motion.c.transpose();
  I.C.diagonal().array() += h.dot(motion.c);
}

// Adds I^a, p^a, moved by r, to the parent.
inline void hand_over(const Articulated& I, const Vec3& f, const Vec3& m, const Vec3& r, Articulated& parent) {
  parent.A += I.A;
  Mat3 H;  // H − A r^: (A r^) x = A (r × x), row by row (A_k × r)ᵀ
  for (int k = 0; k < 3; ++k) H.row(k) = I.H.row(k) - I.A.row(k).cross(r.transpose());
  parent.H += H;
  // C + r^ H' − Hᵀ r^: columns r × H'_k, and rows of Hᵀ r^ are H_k × r (H_k column k of H).
  Mat3 C = I.C;
  for (int k = 0; k < 3; ++k) C.col(k) += r.cross(H.col(k));
  for (int k = 0; k < 3; ++k) C.row(k) -= I.H.col(k).cross(r).transpose();
  parent.C += C;
  parent.f += f;
  parent.m += m + r.cross(f);
}

/// One coordinate, S = (s z, t z).
template <Node kind>
inline bool reduce(const Tree& tree, int n, double tau, TreeWorkspace& ws) {
  Articulated& I = ws.articulated[n];
  const TreeWorkspace::Place& X = ws.place[n];
  const Vec3 z = X.R.col(2);
  const double s = tree.pitch[n];
  double D = tree.armature[tree.iv[n]];
  if constexpr (kind == Node::hinge) {
    I.U_f.noalias() = I.H * z;
    I.U_m.noalias() = I.C * z;
    D += z.dot(I.U_m);
    I.u = tau - z.dot(I.m);
  } else if constexpr (kind == Node::slide) {
    I.U_f.noalias() = I.A * z;
    I.U_m.noalias() = I.H.transpose() * z;
    D += z.dot(I.U_f);
    I.u = tau - z.dot(I.f);
  } else {
    I.U_f = I.H * z + s * (I.A * z);
    I.U_m = I.C * z + s * (I.H.transpose() * z);
    D += z.dot(I.U_m) + s * z.dot(I.U_f);
    I.u = tau - z.dot(I.m) - s * z.dot(I.f);
  }
  if (!(D > 0)) return false;
  I.D_inverse = 1 / D;
  const int p = tree.parent[n];
  if (p == 0) return true;
  const TreeWorkspace::Motion& motion = ws.motion[n];
  const Vec3 k_f = I.D_inverse * I.U_f, k_m = I.D_inverse * I.U_m;
  I.A.noalias() -= I.U_f * k_f.transpose();
  I.H.noalias() -= I.U_f * k_m.transpose();
  I.C.noalias() -= I.U_m * k_m.transpose();
  const Vec3 f = I.f + I.A * motion.c_v + I.H * motion.c_w + I.u * k_f;
  const Vec3 m = I.m + I.H.transpose() * motion.c_v + I.C * motion.c_w + I.u * k_m;
  hand_over(I, f, m, X.r, ws.articulated[p]);
  return true;
}

Mat6 whole(const Articulated& I) {
  Mat6 matrix;
  matrix << I.A, I.H, I.H.transpose(), I.C;
  return matrix;
}

/// Ball (n = 3) and free (n = 6): the joint moves the last n rows of (a, α).
template <int size>
bool reduce_wide(const Tree& tree, int n, const double* tau, TreeWorkspace& ws) {
  using Block = Eigen::Matrix<double, size, size>;
  Articulated& I = ws.articulated[n];
  TreeWorkspace::Wide& wide = ws.wide[n];
  const Mat3& R = ws.place[n].R;
  Mat6 matrix = whole(I);
  Vec6 p, tau_W;
  p << I.f, I.m;
  for (int k = 0; k < size; k += 3) tau_W.segment<3>(k) = R * Eigen::Map<const Vec3>(tau + k);
  Block D = matrix.template bottomRightCorner<size, size>();
  for (int k = 0; k < size; k += 3) {
    const Eigen::Map<const Vec3> armature(tree.armature.data() + tree.iv[n] + k);
    D.template block<3, 3>(k, k) += R * armature.asDiagonal() * R.transpose();
  }
  const Eigen::LLT<Block> llt(D);
  if (llt.info() != Eigen::Success) return false;
  const auto U = matrix.template rightCols<size>();
  wide.U.template leftCols<size>() = U;
  wide.D_inverse.template topLeftCorner<size, size>() = llt.solve(Block::Identity());
  wide.u.template head<size>() = tau_W.template head<size>() - p.template tail<size>();
  const int parent = tree.parent[n];
  if (parent == 0) return true;
  const Eigen::Matrix<double, 6, size> K = U * wide.D_inverse.template topLeftCorner<size, size>();
  Vec6 c;
  c << ws.motion[n].c_v, ws.motion[n].c_w;
  const Mat6 left = matrix - K * U.transpose();
  const Vec6 F = p + left * c + K * wide.u.template head<size>();
  I.A = left.topLeftCorner<3, 3>();
  I.H = left.topRightCorner<3, 3>();
  I.C = left.bottomRightCorner<3, 3>();
  hand_over(I, F.head<3>(), F.tail<3>(), ws.place[n].r, ws.articulated[parent]);
  return true;
}

bool reduce_node(const Tree& tree, int n, const double* tau, TreeWorkspace& ws) {
  const double* t = tau + tree.iv[n];
  switch (tree.motion[n]) {
    case Node::hinge:
      return reduce<Node::hinge>(tree, n, t[0], ws);
    case Node::slide:
      return reduce<Node::slide>(tree, n, t[0], ws);
    case Node::helix:
      return reduce<Node::helix>(tree, n, t[0], ws);
    case Node::ball:
      return reduce_wide<3>(tree, n, t, ws);
    case Node::free:
      break;
  }
  return reduce_wide<6>(tree, n, t, ws);
}

template <int size>
void accelerate_wide(const Tree& tree, int n, TreeWorkspace& ws, Vec3& a, Vec3& alpha, double* vdot) {
  const TreeWorkspace::Wide& wide = ws.wide[n];
  Vec6 A;
  A << a, alpha;
  const Eigen::Matrix<double, size, 1> rates =
      wide.D_inverse.template topLeftCorner<size, size>() *
      (wide.u.template head<size>() - wide.U.template leftCols<size>().transpose() * A);
  A.template tail<size>() += rates;
  a = A.head<3>();
  alpha = A.tail<3>();
  for (int k = 0; k < size; k += 3)
    Eigen::Map<Vec3>(vdot + tree.iv[n] + k) = ws.place[n].R.transpose() * rates.template segment<3>(k);
}

void accelerate_node(const Tree& tree, int n, TreeWorkspace& ws, double* vdot) {
  const TreeWorkspace::Place& X = ws.place[n];
  const TreeWorkspace::Rates& parent = ws.rates[tree.parent[n]];
  const TreeWorkspace::Motion& motion = ws.motion[n];
  const Articulated& I = ws.articulated[n];
  Vec3 a = parent.a + parent.alpha.cross(X.r) + motion.c_v, alpha = parent.alpha + motion.c_w;
  if (tree.motion[n] == Node::ball) {
    accelerate_wide<3>(tree, n, ws, a, alpha, vdot);
  } else if (tree.motion[n] == Node::free) {
    accelerate_wide<6>(tree, n, ws, a, alpha, vdot);
  } else {
    const double rate = I.D_inverse * (I.u - I.U_f.dot(a) - I.U_m.dot(alpha));
    vdot[tree.iv[n]] = rate;
    if (tree.motion[n] != Node::slide) alpha += rate * X.R.col(2);
    if (tree.motion[n] != Node::hinge) a += tree.pitch[n] * rate * X.R.col(2);
  }
  ws.rates[n] = {a, alpha};
}

}  // namespace

int forward_dynamics(const Tree& tree, const double* v, const double* tau, const Vec3& gravity,
                     std::span<const Wrench> external, TreeWorkspace& ws, double* vdot) {
  sweep_velocities(tree, v, external, ws);
  for (int n = 1; n < tree.nodes(); ++n) own_matter(tree, n, ws, ws.articulated[n]);
  for (int n = tree.nodes() - 1; n > 0; --n) {
    if (!reduce_node(tree, n, tau, ws)) return tree.iv[n];
  }
  ws.rates[0] = {-gravity, Vec3::Zero()};
  for (int n = 1; n < tree.nodes(); ++n) accelerate_node(tree, n, ws, vdot);
  return -1;
}

}  // namespace vinculum::motion
