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

/// S of all coordinates at the reference point of their tree.
void write_subspaces(const Tree& tree, TreeWorkspace& ws) {
  for (const int n : ws.nodes) {
    const TreeWorkspace::Place& X = ws.place[n];
    const int p = tree.parent[n];
    ws.arm[n] = p == 0 ? Vec3::Zero() : Vec3(ws.arm[p] + X.r);
    kernels::write_subspace(tree.motion[n], tree.pitch[n], X.R.data(), ws.arm[n].data(), ws.S[tree.iv[n]].data());
  }
  double* const rows = ws.S_rows.data();
  const std::size_t stride = ws.S_stride;
  for (const int i : ws.coordinates) {
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

/// The packed row of coordinate i for the momentum F of its unit motion.
inline void fill_row(const Tree& tree, TreeWorkspace& ws, int i, const double* F) {
  const int depth = tree.depth[i];
  double* const row = ws.M.data() + tree.row[i];
  measure_row(ws, i, F, ws.line.data());
  for (int k = 0; k < depth; ++k) row[k] = ws.line[k];
  kernels::measure_own(ws.S[i].data(), F, row[depth]);
  row[depth] += tree.armature[i];
}

}  // namespace

VINCULUM_CLONES void mass_matrix(const Tree& tree, TreeWorkspace& ws) {
  write_subspaces(tree, ws);
  for (const int n : ws.nodes) {
    kernels::weigh<One>(tree.mass[n] != 0, tree.mass[n], tree.com[n].data(), tree.J_c[n].data(), ws.place[n].R.data(),
                        ws.place[n].r.data(), ws.matter[n], ws.composite[n]);
  }
  ws.weighed = true;
  for (std::size_t index = ws.nodes.size(); index-- > 0;) {
    const int n = ws.nodes[index], p = tree.parent[n];
    const TreeWorkspace::Composite& I = ws.composite[n];
    kernels::measure_unit_motions(tree.motion[n], tree.pitch[n], I, ws.place[n].R.data(), ws.arm[n].data(),
                                  [&](int k, const double* F) { fill_row(tree, ws, tree.iv[n] + k, F); });
    if (p > 0) kernels::add_shifted(I, ws.place[n].r.data(), ws.composite[p]);
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
