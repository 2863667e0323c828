// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The sums of tree_derivatives.hpp, leaves to root.
#include "vinculum/motion/tree_derivatives.hpp"

namespace vinculum::motion {

using Node = Tree::Node;

TreeDerivatives::TreeDerivatives(const Tree& tree) {
  const int nv = tree.nv();
  const std::size_t coordinates = static_cast<std::size_t>(nv), nodes = static_cast<std::size_t>(tree.nodes());
  for (Eigen::MatrixXd* matrix : {&dtau_dq, &dtau_dv, &dvdot_dq, &dvdot_dv}) matrix->setZero(nv, nv);
  for (auto* list : {&S, &S_dot, &Psi_dot, &Psi_ddot}) list->resize(coordinates);
  for (auto* list : {&V, &A, &F}) list->resize(nodes);
  for (auto* list : {&Theta, &B}) list->resize(nodes);
  reference.resize(nodes);
}

namespace {

Vec6 bracket(const Vec6& V, const Vec6& U) {
  return screw::cross(Twist::from_vector(V), Twist::from_vector(U)).vector();
}

// V ×* F
Vec6 act(const Vec6& V, const Vec6& F) { return screw::cross(Twist::from_vector(V), Wrench::from_vector(F)).vector(); }

// F ×̄*, the matrix of U -> U ×* F.
Mat6 bar(const Vec6& F) {
  const Mat3 f = algebra::skew(F.head<3>()), m = algebra::skew(F.tail<3>());
  Mat6 matrix;
  matrix << Mat3::Zero(), -f, -f, -m;
  return matrix;
}

// Columns of S at the reference point.
void write_subspace(const Tree& tree, int n, const TreeWorkspace& ws, const Vec3& reference, Vec6* S) {
  const TreeWorkspace::Place& X = ws.place[n];
  const Vec3 arm = X.p - reference;
  const auto turn = [&](const Vec3& a, double pitch) -> Vec6 {
    return (Vec6() << arm.cross(a) + pitch * a, a).finished();
  };
  const auto slide = [](const Vec3& a) -> Vec6 { return (Vec6() << a, Vec3::Zero()).finished(); };
  switch (tree.motion[n]) {
    case Node::hinge:
    case Node::helix:
      S[0] = turn(X.R.col(2), tree.pitch[n]);
      break;
    case Node::slide:
      S[0] = slide(X.R.col(2));
      break;
    case Node::ball:
      for (int k = 0; k < 3; ++k) S[k] = turn(X.R.col(k), 0);
      break;
    case Node::free:
      for (int k = 0; k < 3; ++k) {
        S[k] = slide(X.R.col(k));
        S[3 + k] = turn(X.R.col(k), 0);
      }
      break;
  }
}

Mat6 inertia_at(const Tree& tree, int n, const TreeWorkspace& ws, const Vec3& reference) {
  const TreeWorkspace::Place& X = ws.place[n];
  const screw::Inertia inertia{tree.mass[n], X.p + X.R * tree.com[n] - reference, X.R * tree.J_c[n] * X.R.transpose()};
  return inertia.matrix();
}

// Twists, accelerations, own inertias and forces of all nodes, root to leaves.
void sweep_out(const Tree& tree, const double* v, const double* vdot, const Vec3& gravity, const TreeWorkspace& ws,
               TreeDerivatives& out) {
  for (int n = 1; n < tree.nodes(); ++n) {
    const int p = tree.parent[n], first = tree.iv[n], size = joints::nv_of(tree.factor[n]);
    out.reference[n] = p == 0 ? ws.place[n].p : out.reference[p];
    Vec6 V = Vec6::Zero(), A = Vec6::Zero();
    if (p > 0) {
      V = out.V[p];
      A = out.A[p];
    } else {
      A.head<3>() = -gravity;
    }
    write_subspace(tree, n, ws, out.reference[n], &out.S[first]);
    Vec6 own = Vec6::Zero(), own_rate = Vec6::Zero();
    for (int i = first; i < first + size; ++i) {
      out.Psi_dot[i] = bracket(V, out.S[i]);
      out.Psi_ddot[i] = bracket(A, out.S[i]) + bracket(V, out.Psi_dot[i]);
      own += v[i] * out.S[i];
      own_rate += vdot[i] * out.S[i];
    }
    V += own;
    A += own_rate + bracket(V, own);
    for (int i = first; i < first + size; ++i) out.S_dot[i] = bracket(V, out.S[i]);
    const Mat6 Theta = inertia_at(tree, n, ws, out.reference[n]);
    const Vec6 momentum = Theta * V;
    const Mat6 Phi = screw::twist_bracket(Twist::from_vector(V));
    out.V[n] = V;
    out.A[n] = A;
    out.Theta[n] = Theta;
    out.B[n] = 0.5 * (-Phi.transpose() * Theta - Theta * Phi + bar(momentum));
    out.F[n] = Theta * A + act(V, momentum);
  }
}

// Rows and columns of one node against its chain.
void fill_node(const Tree& tree, int n, TreeDerivatives& out) {
  const int first = tree.iv[n], size = joints::nv_of(tree.factor[n]);
  for (int i = first; i < first + size; ++i) {
    const Vec6 row_Theta = out.Theta[n] * out.S[i];            // S_iᵀΘ^C
    const Vec6 row_B = 2 * (out.B[n].transpose() * out.S[i]);  // 2 S_iᵀB^C
    const Vec6 column_q = 2 * (out.B[n] * out.Psi_dot[i]) + out.Theta[n] * out.Psi_ddot[i] + act(out.S[i], out.F[n]);
    const Vec6 column_v = 2 * (out.B[n] * out.S[i]) + out.Theta[n] * (out.Psi_dot[i] + out.S_dot[i]);
    const int last = first + size - 1;
    for (int k = 0; k <= tree.depth[last]; ++k) {
      const int j = tree.column[tree.row[last] + k];
      out.dtau_dq(i, j) = row_Theta.dot(out.Psi_ddot[j]) + row_B.dot(out.Psi_dot[j]);
      out.dtau_dv(i, j) = row_B.dot(out.S[j]) + row_Theta.dot(out.Psi_dot[j] + out.S_dot[j]);
      if (j >= first) continue;
      out.dtau_dq(j, i) = out.S[j].dot(column_q);
      out.dtau_dv(j, i) = out.S[j].dot(column_v);
    }
  }
}

}  // namespace

void differentiate_inverse(const Tree& tree, const double* v, const double* vdot, const Vec3& gravity,
                           std::span<const Wrench> external, const TreeWorkspace& ws, TreeDerivatives& out) {
  sweep_out(tree, v, vdot, gravity, ws, out);
  for (std::size_t b = 0; b < external.size(); ++b) {
    const int n = tree.node_of_link[b];
    if (n == 0) continue;
    const Vec3 arm = ws.place[n].p + ws.place[n].R * tree.p_NB[b] - out.reference[n];
    out.F[n] -= screw::at_point(external[b], -arm).vector();
  }
  for (int n = tree.nodes() - 1; n > 0; --n) {
    fill_node(tree, n, out);
    if (const int p = tree.parent[n]; p > 0) {
      out.Theta[p] += out.Theta[n];
      out.B[p] += out.B[n];
      out.F[p] += out.F[n];
    }
  }
}

void differentiate_forward(const Tree& tree, const double* v, const double* vdot, const Vec3& gravity,
                           std::span<const Wrench> external, const TreeWorkspace& ws, TreeDerivatives& out) {
  differentiate_inverse(tree, v, vdot, gravity, external, ws, out);
  out.dvdot_dq = -out.dtau_dq;
  out.dvdot_dv = -out.dtau_dv;
  for (int j = 0; j < tree.nv(); ++j) {
    solve_M(tree, ws, out.dvdot_dq.col(j).data());
    solve_M(tree, ws, out.dvdot_dv.col(j).data());
  }
}

}  // namespace vinculum::motion
