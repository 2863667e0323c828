// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// M = LᵀL from the leaves to the root: no fill (Featherstone 2008, 6.5). Eliminating coordinate k touches the rows of
// its ancestors i only, and row i is the beginning of row k, column for column:
//   L_kk = √M_kk,  L_kj = M_kj / L_kk,   M_ij −= L_ki L_kj   for j ≤ i < k on the chain
#include "vinculum/algebra/clones.hpp"
#include "vinculum/motion/tree.hpp"

#include <algorithm>

namespace vinculum::motion {

VINCULUM_CLONES int factor(const Tree& tree, TreeWorkspace& ws) {
  if (std::ssize(ws.coordinates) == tree.nv()) {
    ws.L = ws.M;
  } else {
    for (const int i : ws.coordinates) {
      const double* const row = ws.M.data() + tree.row[i];
      std::copy(row, row + tree.depth[i] + 1, ws.L.data() + tree.row[i]);
    }
  }
  int lost = -1;
  kernels::factor(tree, ws.coordinates, ws.L.data(), ws.L_inverse_diagonal.data(), [&](int k, double pivot) {
    if (!(pivot > 0)) lost = k;
    return lost < 0;
  });
  return lost;
}

void multiply_M(const Tree& tree, const TreeWorkspace& ws, const double* x, double* y) {
  kernels::multiply_M(tree, ws.coordinates, ws.M.data(), x, y);
}

VINCULUM_CLONES void multiply_L(const Tree& tree, const TreeWorkspace& ws, double* x) {
  kernels::multiply_L(tree, ws.coordinates, ws.L.data(), x);
}

void multiply_Lt(const Tree& tree, const TreeWorkspace& ws, double* x) {
  for (int i = 0; i < tree.nv(); ++i) {
    const double* row = ws.L.data() + tree.row[i];
    const int* column = tree.column.data() + tree.row[i];
    const double x_i = x[i];
    for (int k = 0; k < tree.depth[i]; ++k) x[column[k]] += row[k] * x_i;
    x[i] = row[tree.depth[i]] * x_i;
  }
}

VINCULUM_CLONES void solve_Lt(const Tree& tree, const TreeWorkspace& ws, double* x) {
  kernels::solve_Lt(tree, ws.coordinates, ws.L.data(), ws.L_inverse_diagonal.data(), x);
}

VINCULUM_CLONES void solve_L(const Tree& tree, const TreeWorkspace& ws, double* x) {
  kernels::solve_L(tree, ws.coordinates, ws.L.data(), ws.L_inverse_diagonal.data(), x);
}

void solve_M(const Tree& tree, const TreeWorkspace& ws, double* x) {
  solve_Lt(tree, ws, x);
  solve_L(tree, ws, x);
}

// Three unknowns at a time, so that the others pass through memory once for three; the next is taken on in a register.
VINCULUM_CLONES void whiten_chain_of_four(const Tree& tree, const TreeWorkspace& ws, int link, double* x) {
  const std::span<const int> chain = tree.chain(link);
  Four* const y = reinterpret_cast<Four*>(x);
  std::size_t k = chain.size();
  if (k == 0) return;
  const auto row = [&](std::size_t i) __attribute__((always_inline)) { return ws.L.data() + tree.row[chain[i]]; };
  Four next = y[k - 1];
  for (; k > 3; k -= 3) {
    const double *const r = row(k - 1), *const s = row(k - 2), *const t = row(k - 3);
    const Four a = next * ws.L_inverse_diagonal[chain[k - 1]];
    const Four b = (y[k - 2] - r[k - 2] * a) * ws.L_inverse_diagonal[chain[k - 2]];
    const Four c = (y[k - 3] - r[k - 3] * a - s[k - 3] * b) * ws.L_inverse_diagonal[chain[k - 3]];
    y[k - 1] = a, y[k - 2] = b, y[k - 3] = c;
    next = y[k - 4] - r[k - 4] * a - s[k - 4] * b - t[k - 4] * c;
    for (std::size_t j = 0; j + 4 < k; ++j) y[j] = y[j] - r[j] * a - s[j] * b - t[j] * c;
  }
  for (;; --k) {
    const double* const r = row(k - 1);
    const Four a = next * ws.L_inverse_diagonal[chain[k - 1]];
    y[k - 1] = a;
    if (k == 1) return;
    next = y[k - 2] - r[k - 2] * a;
    for (std::size_t j = 0; j + 2 < k; ++j) y[j] -= r[j] * a;
  }
}

VINCULUM_CLONES void whiten_chain(const Tree& tree, const TreeWorkspace& ws, int link, double* x) {
  const std::span<const int> chain = tree.chain(link);
  for (std::size_t k = chain.size(); k-- > 0;) {
    if (x[k] == 0) continue;  // beyond the one coordinate of a limit
    const double* row = ws.L.data() + tree.row[chain[k]];
    const double x_k = x[k] * ws.L_inverse_diagonal[chain[k]];
    x[k] = x_k;
    kernels::subtract_scaled(x_k, row, static_cast<int>(k), x);
  }
}

}  // namespace vinculum::motion
