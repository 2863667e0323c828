// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// M = LᵀL from the leaves to the root: no fill (Featherstone 2008, 6.5). Eliminating coordinate k touches the rows of
// its ancestors i only, and row i is the beginning of row k, column for column:
//   L_kk = √M_kk,  L_kj = M_kj / L_kk,   M_ij −= L_ki L_kj   for j ≤ i < k on the chain
#include "vinculum/algebra/clones.hpp"
#include "vinculum/motion/tree.hpp"

#include <cmath>

namespace vinculum::motion {
namespace {

typedef double Two __attribute__((vector_size(16), aligned(8), may_alias));

/// y −= a x, n entries, apart. Written out: chains are short, and what a compiler does for long ones costs more.
inline void subtract_scaled(double a, const double* x, int n, double* y) {
  const Two aa = {a, a};
  int j = 0;
  for (; j + 2 <= n; j += 2) *reinterpret_cast<Two*>(y + j) -= aa * *reinterpret_cast<const Two*>(x + j);
  if (j < n) y[j] -= a * x[j];
}

/// y −= a x + b x' + c x'', likewise.
inline void subtract_three(const double* f, const double* const* x, int n, double* y) {
  const Two f0 = {f[0], f[0]}, f1 = {f[1], f[1]}, f2 = {f[2], f[2]};
  const double *const x0 = x[0], *const x1 = x[1], *const x2 = x[2];
  int j = 0;
  for (; j + 2 <= n; j += 2) {
    *reinterpret_cast<Two*>(y + j) -=
        (f0 * *reinterpret_cast<const Two*>(x0 + j) + f1 * *reinterpret_cast<const Two*>(x1 + j)) +
        f2 * *reinterpret_cast<const Two*>(x2 + j);
  }
  if (j < n) y[j] -= (f[0] * x0[j] + f[1] * x1[j]) + f[2] * x2[j];
}

/// Makes row k of L from what is left of row k of M.
inline bool finish_row(const Tree& tree, TreeWorkspace& ws, int k) {
  const int depth = tree.depth[k];
  double* const row = ws.L.data() + tree.row[k];
  if (!(row[depth] > 0)) return false;
  const double pivot = std::sqrt(row[depth]), inverse = 1 / pivot;
  row[depth] = pivot;
  ws.L_inverse_diagonal[k] = inverse;
  for (int j = 0; j < depth; ++j) row[j] *= inverse;
  return true;
}

}  // namespace

// Three coordinates k, k − 1, k − 2 that hang on one another are taken together: their rows reach the same ancestors.
int factor(const Tree& tree, TreeWorkspace& ws) {
  ws.L = ws.M;
  double* const L = ws.L.data();
  const int* const at = tree.row.data();
  for (int k = tree.nv() - 1; k >= 0;) {
    const int depth = tree.depth[k];
    const int* const column = tree.column.data() + at[k];
    double* const row = L + at[k];
    if (!finish_row(tree, ws, k)) return k;
    if (depth < 2 || column[depth - 1] != k - 1 || column[depth - 2] != k - 2) {
      for (int a = depth - 1; a >= 0; --a) subtract_scaled(row[a], row, a + 1, L + at[column[a]]);
      --k;
      continue;
    }
    double *const second = L + at[k - 1], *const third = L + at[k - 2];
    subtract_scaled(row[depth - 1], row, depth, second);
    if (!finish_row(tree, ws, k - 1)) return k - 1;
    subtract_scaled(row[depth - 2], row, depth - 1, third);
    subtract_scaled(second[depth - 2], second, depth - 1, third);
    if (!finish_row(tree, ws, k - 2)) return k - 2;
    const double* const rows[3] = {row, second, third};
    for (int a = depth - 3; a >= 0; --a) {
      const double f[3] = {row[a], second[a], third[a]};
      subtract_three(f, rows, a + 1, L + at[column[a]]);
    }
    k -= 3;
  }
  return -1;
}

void multiply_M(const Tree& tree, const TreeWorkspace& ws, const double* x, double* y) {
  for (int i = 0; i < tree.nv(); ++i) y[i] = 0;
  for (int i = 0; i < tree.nv(); ++i) {
    const double* row = ws.M.data() + tree.row[i];
    const int* column = tree.column.data() + tree.row[i];
    double sum = row[tree.depth[i]] * x[i];
    for (int k = 0; k < tree.depth[i]; ++k) {
      sum += row[k] * x[column[k]];
      y[column[k]] += row[k] * x[i];
    }
    y[i] += sum;
  }
}

void multiply_L(const Tree& tree, const TreeWorkspace& ws, double* x) {
  for (int i = tree.nv() - 1; i >= 0; --i) {  // row i reads x_j, j ≤ i only
    const double* row = ws.L.data() + tree.row[i];
    const int* column = tree.column.data() + tree.row[i];
    double sum = 0;
    for (int k = 0; k <= tree.depth[i]; ++k) sum += row[k] * x[column[k]];
    x[i] = sum;
  }
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

void solve_Lt(const Tree& tree, const TreeWorkspace& ws, double* x) {
  for (int i = tree.nv() - 1; i >= 0; --i) {
    if (x[i] == 0) continue;
    const double* row = ws.L.data() + tree.row[i];
    const int* column = tree.column.data() + tree.row[i];
    const double x_i = x[i] * ws.L_inverse_diagonal[i];
    x[i] = x_i;
    for (int k = 0; k < tree.depth[i]; ++k) x[column[k]] -= row[k] * x_i;
  }
}

void solve_L(const Tree& tree, const TreeWorkspace& ws, double* x) {
  for (int i = 0; i < tree.nv(); ++i) {
    const double* row = ws.L.data() + tree.row[i];
    const int* column = tree.column.data() + tree.row[i];
    double sum = x[i];
    for (int k = 0; k < tree.depth[i]; ++k) sum -= row[k] * x[column[k]];
    x[i] = sum * ws.L_inverse_diagonal[i];
  }
}

void solve_M(const Tree& tree, const TreeWorkspace& ws, double* x) {
  solve_Lt(tree, ws, x);
  solve_L(tree, ws, x);
}

// The next unknown is taken on in a register; the others have time to pass through memory.
VINCULUM_CLONES void whiten_chain_of_four(const Tree& tree, const TreeWorkspace& ws, int link, double* x) {
  const std::span<const int> chain = tree.chain(link);
  Four* const y = reinterpret_cast<Four*>(x);
  if (chain.empty()) return;
  Four next = y[chain.size() - 1];
  for (std::size_t k = chain.size() - 1;; --k) {
    const double* row = ws.L.data() + tree.row[chain[k]];
    const double d = ws.L_inverse_diagonal[chain[k]];
    const Four x_k = next * Four{d, d, d, d};
    y[k] = x_k;
    if (k == 0) return;
    next = y[k - 1] - Four{row[k - 1], row[k - 1], row[k - 1], row[k - 1]} * x_k;
    for (std::size_t j = 0; j + 1 < k; ++j) y[j] -= Four{row[j], row[j], row[j], row[j]} * x_k;
  }
}

void whiten_chain(const Tree& tree, const TreeWorkspace& ws, int link, double* x) {
  const std::span<const int> chain = tree.chain(link);
  for (std::size_t k = chain.size(); k-- > 0;) {
    const double* row = ws.L.data() + tree.row[chain[k]];
    const double x_k = x[k] * ws.L_inverse_diagonal[chain[k]];
    x[k] = x_k;
    subtract_scaled(x_k, row, static_cast<int>(k), x);
  }
}

}  // namespace vinculum::motion
