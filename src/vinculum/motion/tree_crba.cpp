// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Mass matrix by composite bodies: everything beyond a joint frozen to one body with mass m, first moment h and inertia
// J about the node's origin.
//   composite at the parent:  h + m r,   J + (2 r·h + m r·r) 1 − (r hᵀ + h rᵀ + m r rᵀ)
// The momentum of its unit motion, F_i = Θ^C S_i, is measured by the S_j of its chain:  M_ij = S_jᵀ F_i.
// F is formed at the node, where it is as small as the body it moves, and then taken with S to one point per root (its
// node's origin): a row is a run of products of six numbers with no step waiting for the one before. A chain of length
// l and bodies of size k lose l/k roundings by it, as much as their poses do.
#include "vinculum/algebra/clones.hpp"
#include "vinculum/motion/tree.hpp"

namespace vinculum::motion {

using Node = Tree::Node;

namespace {

/// Own matter of node n in world axes, and the composite that it begins. In plain numbers: what is read right after it
/// was written, and in other pieces, makes the processor wait.
void weigh(const Tree& tree, int n, TreeWorkspace& ws) {
  TreeWorkspace::Composite& I = ws.composite[n];
  const double mass = tree.mass[n];
  if (mass == 0) {
    I = {};
    return;
  }
  const Mat3 &R = ws.place[n].R, &Q = tree.J_c[n];
  const Vec3& com = tree.com[n];
  double c[3], RQ[3][3], J[3][3];
  for (int i = 0; i < 3; ++i) {
    c[i] = R(i, 0) * com[0] + R(i, 1) * com[1] + R(i, 2) * com[2];
    for (int k = 0; k < 3; ++k) RQ[i][k] = R(i, 0) * Q(0, k) + R(i, 1) * Q(1, k) + R(i, 2) * Q(2, k);
    for (int j = 0; j <= i; ++j) J[i][j] = RQ[i][0] * R(j, 0) + RQ[i][1] * R(j, 1) + RQ[i][2] * R(j, 2);
  }
  TreeWorkspace::Matter& matter = ws.matter[n];
  matter.c.set(c[0], c[1], c[2]);
  matter.J[0].set(J[0][0], J[1][0], J[2][0]);
  matter.J[1].set(J[1][0], J[1][1], J[2][1]);
  matter.J[2].set(J[2][0], J[2][1], J[2][2]);
  const double hx = mass * c[0], hy = mass * c[1], hz = mass * c[2];
  const double xx = hx * c[0], yy = hy * c[1], zz = hz * c[2];
  I = {mass,
       {hx, hy, hz},
       {J[0][0] + (yy + zz), J[1][1] + (xx + zz), J[2][2] + (xx + yy), J[1][0] - hx * c[1], J[2][0] - hx * c[2],
        J[2][1] - hy * c[2]}};
}

/// sum += I, r from the node of the sum to that of I.
void add_shifted(const TreeWorkspace::Composite& I, const Vec3& r, TreeWorkspace::Composite& sum) {
  const double x = r[0], y = r[1], z = r[2], *const h = I.h;
  const double gx = h[0] + I.mass * x, gy = h[1] + I.mass * y, gz = h[2] + I.mass * z;
  // r hᵀ + h rᵀ + m r rᵀ = h rᵀ + r gᵀ, its diagonal and what the trace leaves of it
  const double xx = h[0] * x + x * gx, yy = h[1] * y + y * gy, zz = h[2] * z + z * gz;
  sum.mass += I.mass;
  sum.h[0] += gx;
  sum.h[1] += gy;
  sum.h[2] += gz;
  sum.J[0] += I.J[0] + (yy + zz);
  sum.J[1] += I.J[1] + (xx + zz);
  sum.J[2] += I.J[2] + (xx + yy);
  sum.J[3] += I.J[3] - (h[0] * y + x * gy);
  sum.J[4] += I.J[4] - (h[0] * z + x * gz);
  sum.J[5] += I.J[5] - (h[1] * z + y * gz);
}

/// S of all coordinates at the reference point of their tree.
void write_subspaces(const Tree& tree, TreeWorkspace& ws) {
  for (int n = 1; n < tree.nodes(); ++n) {
    const TreeWorkspace::Place& X = ws.place[n];
    const int p = tree.parent[n];
    ws.arm[n] = p == 0 ? Vec3::Zero() : Vec3(ws.arm[p] + X.r);
    const Vec3& arm = ws.arm[n];
    Vec6* S = ws.S.data() + tree.iv[n];
    switch (tree.motion[n]) {
      case Node::hinge:
        S[0] << arm.cross(X.R.col(2)), X.R.col(2);
        break;
      case Node::slide:
        S[0] << X.R.col(2), Vec3::Zero();
        break;
      case Node::helix:
        S[0] << arm.cross(X.R.col(2)) + tree.pitch[n] * X.R.col(2), X.R.col(2);
        break;
      case Node::ball:
        for (int k = 0; k < 3; ++k) S[k] << arm.cross(X.R.col(k)), X.R.col(k);
        break;
      case Node::free:
        for (int k = 0; k < 3; ++k) {
          S[k] << X.R.col(k), Vec3::Zero();
          S[3 + k] << arm.cross(X.R.col(k)), X.R.col(k);
        }
        break;
    }
  }
  double* const rows = ws.S_rows.data();
  const std::size_t stride = ws.S_stride;
  for (std::size_t i = 0; i < ws.S.size(); ++i) {
    const double* const S = ws.S[i].data();
    rows[i] = S[0];
    rows[stride + i] = S[1];
    rows[2 * stride + i] = S[2];
    rows[3 * stride + i] = S[3];
    rows[4 * stride + i] = S[4];
    rows[5 * stride + i] = S[5];
  }
}

/// Sᵀ F on the ancestors of coordinate i, packed, four at a time; up to three entries beyond are written, too.
VINCULUM_CLONES void measure_row(const TreeWorkspace& ws, int i, const double* F, double* out) {
  const auto stride = ws.S_stride;
  for (int r = ws.run_of[i]; r < ws.run_of[i + 1]; ++r) {
    const TreeWorkspace::Run run = ws.runs[r];
    const double* const S = ws.S_rows.data() + run.column;
    for (int k = 0; k < run.count; k += 4) {
      Four sum = {0, 0, 0, 0}, other = sum;
      for (std::size_t c = 0; c < 3; ++c) {
        const double f = F[c], m = F[3 + c];
        sum += Four{f, f, f, f} * *reinterpret_cast<const Four*>(S + c * stride + k);
        other += Four{m, m, m, m} * *reinterpret_cast<const Four*>(S + (3 + c) * stride + k);
      }
      *reinterpret_cast<Four*>(out + run.at + k) = sum + other;
    }
  }
}

/// The packed row of coordinate i for the momentum (f, m) of its unit motion at node n.
inline void fill_row(const Tree& tree, TreeWorkspace& ws, int n, int i, const Vec3& f, const Vec3& m) {
  Vec6 F;
  F << f, m + ws.arm[n].cross(f);
  const int depth = tree.depth[i];
  double* const row = ws.M.data() + tree.row[i];
  measure_row(ws, i, F.data(), ws.line.data());
  for (int k = 0; k < depth; ++k) row[k] = ws.line[k];
  row[depth] = ws.S[i].dot(F) + tree.armature[i];
}

}  // namespace

void mass_matrix(const Tree& tree, TreeWorkspace& ws) {
  write_subspaces(tree, ws);
  for (int n = 1; n < tree.nodes(); ++n) {
    weigh(tree, n, ws);
    ws.matter[n].z.set(ws.place[n].R.col(2));
    ws.matter[n].r.set(ws.place[n].r);
  }
  ws.weighed = true;
  for (int n = tree.nodes() - 1; n > 0; --n) {
    const TreeWorkspace::Composite& I = ws.composite[n];
    const Mat3& R = ws.place[n].R;
    const int i = tree.iv[n], p = tree.parent[n];
    const Vec3 h(I.h[0], I.h[1], I.h[2]);
    const auto about = [&](const Vec3& z) {
      return Vec3(I.J[0] * z[0] + I.J[3] * z[1] + I.J[4] * z[2], I.J[3] * z[0] + I.J[1] * z[1] + I.J[5] * z[2],
                  I.J[4] * z[0] + I.J[5] * z[1] + I.J[2] * z[2]);
    };
    const auto turn = [&](const Vec3& z, int k) { fill_row(tree, ws, n, k, z.cross(h), about(z)); };
    const auto slide = [&](const Vec3& z, int k) { fill_row(tree, ws, n, k, I.mass * z, h.cross(z)); };
    switch (tree.motion[n]) {
      case Node::hinge:
        turn(R.col(2), i);
        break;
      case Node::slide:
        slide(R.col(2), i);
        break;
      case Node::helix: {
        const Vec3 z = R.col(2), s = tree.pitch[n] * z;
        fill_row(tree, ws, n, i, I.mass * s + z.cross(h), about(z) + h.cross(s));
        break;
      }
      case Node::ball:
        for (int k = 0; k < 3; ++k) turn(R.col(k), i + k);
        break;
      case Node::free:
        for (int k = 0; k < 3; ++k) {
          slide(R.col(k), i + k);
          turn(R.col(k), i + 3 + k);
        }
        break;
    }
    if (p > 0) add_shifted(I, ws.place[n].r, ws.composite[p]);
  }
}

// With S at the origin of the root's node, and F as a wrench there.
VINCULUM_CLONES void measure_chain(const Tree& tree, const TreeWorkspace& ws, int link, const Vec3& x, const Mat3& F,
                                   int rows, double* out) {
  const int node = tree.node_of_link[link];
  const double a0 = x[0] - (ws.place[node].p[0] - ws.arm[node][0]);
  const double a1 = x[1] - (ws.place[node].p[1] - ws.arm[node][1]);
  const double a2 = x[2] - (ws.place[node].p[2] - ws.arm[node][2]);
  Four f[6];
  for (int k = 0; k < 4; ++k) {
    const bool used = k < rows;
    const double f0 = used ? F(0, k) : 0, f1 = used ? F(1, k) : 0, f2 = used ? F(2, k) : 0;
    f[0][k] = f0;
    f[1][k] = f1;
    f[2][k] = f2;
    f[3][k] = a1 * f2 - a2 * f1;
    f[4][k] = a2 * f0 - a0 * f2;
    f[5][k] = a0 * f1 - a1 * f0;
  }
  const std::span<const int> chain = tree.chain(link);
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const double* const S = ws.S[chain[i]].data();
    const Four moved = (f[0] * Four{S[0], S[0], S[0], S[0]} + f[1] * Four{S[1], S[1], S[1], S[1]}) +
                       f[2] * Four{S[2], S[2], S[2], S[2]};
    const Four turned = (f[3] * Four{S[3], S[3], S[3], S[3]} + f[4] * Four{S[4], S[4], S[4], S[4]}) +
                        f[5] * Four{S[5], S[5], S[5], S[5]};
    *reinterpret_cast<Four*>(out + 4 * i) = moved + turned;
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
