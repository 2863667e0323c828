// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Mass matrix by composite bodies: everything beyond a joint frozen to one body with mass m, first moment h and inertia
// J about the node's origin. The momentum of its unit motion, F = Θ^C S_i, is carried up the chain and measured by each
// S_j:
//   M_ij = S_jᵀ F,   F at the parent = (f, m + r × f)
//   composite at the parent:  h + m r,   J + (2 r·h + m r·r) 1 − (r hᵀ + h rᵀ + m r rᵀ)
#include "vinculum/motion/tree.hpp"

namespace vinculum::motion {

using Node = Tree::Node;

namespace {

TreeWorkspace::Composite own_matter(const Tree& tree, int n, const TreeWorkspace& ws) {
  const double mass = tree.mass[n];
  if (mass == 0) return {0, Vec3::Zero(), Mat3::Zero()};
  const Mat3& R = ws.place[n].R;
  const Vec3 c = R * tree.com[n];
  Mat3 RJ;
  RJ.noalias() = R * tree.J_c[n];
  Mat3 J;
  J.noalias() = RJ * R.transpose();
  const double mcc = mass * c.squaredNorm();
  const Vec3 h = mass * c;
  J.noalias() -= h * c.transpose();
  J.diagonal().array() += mcc;
  return {mass, h, J};
}

void add_shifted(const TreeWorkspace::Composite& I, const Vec3& r, TreeWorkspace::Composite& sum) {
  const Vec3 g = I.h + I.mass * r;  // r hᵀ + h rᵀ + m r rᵀ = h rᵀ + r gᵀ
  const double trace = r.dot(I.h) + r.dot(g);
  sum.mass += I.mass;
  sum.h += g;
  sum.J += I.J;
  sum.J.noalias() -= I.h * r.transpose();
  sum.J.noalias() -= r * g.transpose();
  sum.J.diagonal().array() += trace;
}

/// Entries of one packed row (its own node's first) for the momentum F of the row's unit motion at node n.
inline void fill_row(const Tree& tree, const TreeWorkspace& ws, int n, Vec3 f, Vec3 m, double* row) {
  for (;;) {
    const TreeWorkspace::Place& X = ws.place[n];
    double* entry = row + tree.depth[tree.iv[n]];
    switch (tree.motion[n]) {
      case Node::hinge:
        entry[0] = X.R.col(2).dot(m);
        break;
      case Node::slide:
        entry[0] = X.R.col(2).dot(f);
        break;
      case Node::helix:
        entry[0] = X.R.col(2).dot(m + tree.pitch[n] * f);
        break;
      case Node::ball:
        Eigen::Map<Vec3>(entry).noalias() = X.R.transpose() * m;
        break;
      case Node::free:
        Eigen::Map<Vec3>(entry).noalias() = X.R.transpose() * f;
        Eigen::Map<Vec3>(entry + 3).noalias() = X.R.transpose() * m;
        break;
    }
    m += X.r.cross(f);
    n = tree.parent[n];
    if (n == 0) return;
  }
}

// Rows of a node with several coordinates: the row of coordinate k ends at its own diagonal, so that the node's own
// entries beyond k are written to scratch.
void fill_wide(const Tree& tree, TreeWorkspace& ws, int n, const TreeWorkspace::Composite& I) {
  const Mat3& R = ws.place[n].R;
  const int first = tree.iv[n], start = tree.depth[first];
  const bool free = tree.motion[n] == Node::free;
  for (int k = 0; k < (free ? 6 : 3); ++k) {
    const bool linear = free && k < 3;
    const Vec3 z = R.col(k % 3);
    const Vec3 f = linear ? Vec3(I.mass * z) : Vec3(z.cross(I.h)), m = linear ? Vec3(I.h.cross(z)) : Vec3(I.J * z);
    double* row = ws.M.data() + tree.row[first + k];
    for (int j = 0; j <= k; ++j) {
      const bool on_force = free && j < 3;
      row[start + j] = R.col(j % 3).dot(on_force ? f : m);
    }
    row[start + k] += tree.armature[first + k];
    if (const int p = tree.parent[n]; p > 0) fill_row(tree, ws, p, f, m + ws.place[n].r.cross(f), row);
  }
}

}  // namespace

void mass_matrix(const Tree& tree, TreeWorkspace& ws) {
  for (int n = 1; n < tree.nodes(); ++n) ws.composite[n] = own_matter(tree, n, ws);
  for (int n = tree.nodes() - 1; n > 0; --n) {
    const TreeWorkspace::Composite& I = ws.composite[n];
    const int i = tree.iv[n], p = tree.parent[n];
    const Vec3 z = ws.place[n].R.col(2);
    double* row = ws.M.data() + tree.row[i];
    switch (tree.motion[n]) {
      case Node::hinge:
        fill_row(tree, ws, n, z.cross(I.h), I.J * z, row);
        break;
      case Node::slide:
        fill_row(tree, ws, n, I.mass * z, I.h.cross(z), row);
        break;
      case Node::helix: {
        const double s = tree.pitch[n];
        fill_row(tree, ws, n, s * I.mass * z + z.cross(I.h), I.J * z + s * I.h.cross(z), row);
        break;
      }
      case Node::ball:
      case Node::free:
        fill_wide(tree, ws, n, I);
        break;
    }
    if (tree.motion[n] < Node::ball) row[tree.depth[i]] += tree.armature[i];
    if (p > 0) add_shifted(I, ws.place[n].r, ws.composite[p]);
  }
}

Eigen::MatrixXd dense_mass_matrix(const Tree& tree, const TreeWorkspace& ws) {
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(tree.nv(), tree.nv());
  for (int i = 0; i < tree.nv(); ++i) {
    for (int k = 0; k <= tree.depth[i]; ++k) {
      const int j = tree.column[tree.row[i] + k];
      M(i, j) = M(j, i) = ws.M[tree.row[i] + k];
    }
  }
  return M;
}

}  // namespace vinculum::motion
