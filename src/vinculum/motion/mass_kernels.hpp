// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The mass matrix of a tree by composite bodies, its factor M = LᵀL and what is solved with them, for one tree or for
// eight equal ones side by side (lanes.hpp). tree_crba.cpp and tree_factor.cpp tell the methods.
#pragma once

#include "vinculum/motion/motion_kernels.hpp"

#include <span>

namespace vinculum::motion::kernels {

/// Mass, first moment, inertia about the node's origin: xx, yy, zz, xy, xz, yz.
template <class T>
struct Composite {
  T mass{}, h[3]{}, J[6]{};
};

/// Own matter of a node in world axes, and the composite that it begins; R, Q by columns. In plain numbers: what is
/// read right after it was written, and in other pieces, makes the processor wait.
template <class K, class T = typename K::T>
[[gnu::always_inline]] inline void weigh(bool heavy, const T& mass, const T* com, const T* Q, const T* R, const T* r,
                                         Matter<K>& matter, Composite<T>& I) {
  matter.z.set(R[6], R[7], R[8]);
  matter.r.set(r[0], r[1], r[2]);
  if (!heavy) {
    I = {};
    return;
  }
  T c[3], RQ[3][3], J[3][3];
  for (int i = 0; i < 3; ++i) {
    c[i] = R[i] * com[0] + R[3 + i] * com[1] + R[6 + i] * com[2];
    for (int k = 0; k < 3; ++k) RQ[i][k] = R[i] * Q[3 * k] + R[3 + i] * Q[3 * k + 1] + R[6 + i] * Q[3 * k + 2];
    for (int j = 0; j <= i; ++j) J[i][j] = RQ[i][0] * R[j] + RQ[i][1] * R[3 + j] + RQ[i][2] * R[6 + j];
  }
  matter.c.set(c[0], c[1], c[2]);
  matter.J[0].set(J[0][0], J[1][0], J[2][0]);
  matter.J[1].set(J[1][0], J[1][1], J[2][1]);
  matter.J[2].set(J[2][0], J[2][1], J[2][2]);
  const T hx = mass * c[0], hy = mass * c[1], hz = mass * c[2];
  const T xx = hx * c[0], yy = hy * c[1], zz = hz * c[2];
  I.mass = mass;
  I.h[0] = hx, I.h[1] = hy, I.h[2] = hz;
  I.J[0] = J[0][0] + (yy + zz), I.J[1] = J[1][1] + (xx + zz), I.J[2] = J[2][2] + (xx + yy);
  I.J[3] = J[1][0] - hx * c[1], I.J[4] = J[2][0] - hx * c[2], I.J[5] = J[2][1] - hy * c[2];
}

/// sum += I, r from the node of the sum to that of I.
template <class T>
[[gnu::always_inline]] inline void add_shifted(const Composite<T>& I, const T* r, Composite<T>& sum) {
  const T x = r[0], y = r[1], z = r[2], *const h = I.h;
  const T gx = h[0] + I.mass * x, gy = h[1] + I.mass * y, gz = h[2] + I.mass * z;
  // r hᵀ + h rᵀ + m r rᵀ = h rᵀ + r gᵀ, its diagonal and what the trace leaves of it
  const T xx = h[0] * x + x * gx, yy = h[1] * y + y * gy, zz = h[2] * z + z * gz;
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

/// The columns of S of a node at the reference point of its tree, from which `arm` leads to it: S[6 k + c].
template <class T>
[[gnu::always_inline]] inline void write_subspace(Tree::Node kind, const T& pitch, const T* R, const T* arm, T* S) {
  using Node = Tree::Node;
  const auto turn = [&](const T* z, T* out) __attribute__((always_inline)) {
    lanes::cross(arm, z, out);
    for (int k = 0; k < 3; ++k) out[3 + k] = z[k];
  };
  const auto slide = [&](const T* z, T* out) __attribute__((always_inline)) {
    for (int k = 0; k < 3; ++k) out[k] = z[k], out[3 + k] = T{};
  };
  switch (kind) {
    case Node::hinge:
      turn(R + 6, S);
      break;
    case Node::slide:
      slide(R + 6, S);
      break;
    case Node::helix:
      turn(R + 6, S);
      for (int k = 0; k < 3; ++k) S[k] = S[k] + pitch * R[6 + k];
      break;
    case Node::ball:
      for (int k = 0; k < 3; ++k) turn(R + 3 * k, S + 6 * k);
      break;
    case Node::free:
      for (int k = 0; k < 3; ++k) slide(R + 3 * k, S + 6 * k), turn(R + 3 * k, S + 18 + 6 * k);
      break;
  }
}

/// Calls row(k, F) for each coordinate k of a node: F the momentum of its unit motion, at the reference point.
template <class T, class Row>
[[gnu::always_inline]] inline void measure_unit_motions(Tree::Node kind, const T& pitch, const Composite<T>& I,
                                                        const T* R, const T* arm, Row&& row) {
  using Node = Tree::Node;
  T F[6];
  const auto emit = [&](int k) __attribute__((always_inline)) {
    T moment[3];
    lanes::cross(arm, F, moment);
    for (int c = 0; c < 3; ++c) F[3 + c] += moment[c];
    row(k, static_cast<const T*>(F));
  };
  const auto about = [&](const T* z, T* out) __attribute__((always_inline)) {
    out[0] = I.J[0] * z[0] + I.J[3] * z[1] + I.J[4] * z[2];
    out[1] = I.J[3] * z[0] + I.J[1] * z[1] + I.J[5] * z[2];
    out[2] = I.J[4] * z[0] + I.J[5] * z[1] + I.J[2] * z[2];
  };
  const auto turn = [&](const T* z, int k) __attribute__((always_inline)) {
    lanes::cross(z, I.h, F);
    about(z, F + 3);
    emit(k);
  };
  const auto slide = [&](const T* z, int k) __attribute__((always_inline)) {
    for (int c = 0; c < 3; ++c) F[c] = I.mass * z[c];
    lanes::cross(I.h, z, F + 3);
    emit(k);
  };
  switch (kind) {
    case Node::hinge:
      turn(R + 6, 0);
      break;
    case Node::slide:
      slide(R + 6, 0);
      break;
    case Node::helix: {
      T s[3], f[3], m[3];
      for (int c = 0; c < 3; ++c) s[c] = pitch * R[6 + c];
      lanes::cross(R + 6, I.h, f);
      lanes::cross(static_cast<const T*>(I.h), static_cast<const T*>(s), m);
      about(R + 6, F + 3);
      for (int c = 0; c < 3; ++c) F[c] = I.mass * s[c] + f[c], F[3 + c] += m[c];
      emit(0);
      break;
    }
    case Node::ball:
      for (int k = 0; k < 3; ++k) turn(R + 3 * k, k);
      break;
    case Node::free:
      for (int k = 0; k < 3; ++k) slide(R + 3 * k, k), turn(R + 3 * k, 3 + k);
      break;
  }
}

/// SᵀF of the coordinate itself and of an ancestor, each as it is summed.
template <class T>
[[gnu::always_inline]] inline void measure_own(const T* S, const T* F, T& out) {
  out = (S[0] * F[0] + (S[2] * F[2] + S[4] * F[4])) + (S[1] * F[1] + (S[3] * F[3] + S[5] * F[5]));
}
template <class T>
[[gnu::always_inline]] inline void measure(const T* S, const T* F, T& out) {
  T sum = T{}, other = T{};
  for (int c = 0; c < 3; ++c) sum += F[c] * S[c], other += F[3 + c] * S[3 + c];
  out = sum + other;
}

// --- M = LᵀL ---

typedef double Two __attribute__((vector_size(16), aligned(8), may_alias));

/// y −= a x, n entries, apart. Written out: chains are short, and what a compiler does for long ones costs more.
[[gnu::always_inline]] inline void subtract_scaled(double a, const double* x, int n, double* y) {
  const Two aa = {a, a};
  int j = 0;
  for (; j + 2 <= n; j += 2) *reinterpret_cast<Two*>(y + j) -= aa * *reinterpret_cast<const Two*>(x + j);
  if (j < n) y[j] -= a * x[j];
}
[[gnu::always_inline]] inline void subtract_scaled(const Eight& a, const Eight* x, int n, Eight* y) {
  const Eight aa = a;  // also where it is among the y
  for (int j = 0; j < n; ++j) y[j] -= aa * x[j];
}

/// y −= a x + b x' + c x'', likewise.
[[gnu::always_inline]] inline void subtract_three(const double* f, const double* const* x, int n, double* y) {
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
[[gnu::always_inline]] inline void subtract_three(const Eight* f, const Eight* const* x, int n, Eight* y) {
  const Eight f0 = f[0], f1 = f[1], f2 = f[2];
  for (int j = 0; j < n; ++j) y[j] -= (f0 * x[0][j] + f1 * x[1][j]) + f2 * x[2][j];
}

/// L, which holds M, by the coordinates named, tree by tree and ascending. pivot(k, M_kk) is asked before each root;
/// false: stop. Three that follow each other and hang on one another are taken together: their rows reach the same
/// ancestors.
template <class T, class Pivot>
[[gnu::always_inline]] inline void factor(const Tree& tree, std::span<const int> coordinates, T* L, T* inverse_diagonal,
                                          Pivot&& pivot) {
  const int* const at = tree.row.data();
  const auto finish_row = [&](int k) __attribute__((always_inline)) {
    const int depth = tree.depth[k];
    T* const row = L + at[k];
    if (!pivot(k, static_cast<const T&>(row[depth]))) return false;
    T root;
    lanes::root(row[depth], root);
    const T inverse = 1.0 / root;
    row[depth] = root;
    inverse_diagonal[k] = inverse;
    for (int j = 0; j < depth; ++j) row[j] *= inverse;
    return true;
  };
  for (std::size_t index = coordinates.size(); index > 0;) {
    const int k = coordinates[index - 1], depth = tree.depth[k];
    const int* const column = tree.column.data() + at[k];
    T* const row = L + at[k];
    if (!finish_row(k)) return;
    if (depth < 2 || column[depth - 1] != coordinates[index - 2] || column[depth - 2] != coordinates[index - 3]) {
      for (int a = depth - 1; a >= 0; --a) subtract_scaled(row[a], row, a + 1, L + at[column[a]]);
      --index;
      continue;
    }
    const int next = column[depth - 1], last = column[depth - 2];
    T *const second = L + at[next], *const third = L + at[last];
    subtract_scaled(row[depth - 1], row, depth, second);
    if (!finish_row(next)) return;
    subtract_scaled(row[depth - 2], row, depth - 1, third);
    subtract_scaled(second[depth - 2], second, depth - 1, third);
    if (!finish_row(last)) return;
    const T* const rows[3] = {row, second, third};
    for (int a = depth - 3; a >= 0; --a) {
      const T f[3] = {row[a], second[a], third[a]};
      subtract_three(f, rows, a + 1, L + at[column[a]]);
    }
    index -= 3;
  }
}

/// y = M x, M by packed rows.
template <class T>
[[gnu::always_inline]] inline void multiply_M(const Tree& tree, std::span<const int> coordinates, const T* M,
                                              const T* x, T* y) {
  for (const int i : coordinates) y[i] = T{};
  for (const int i : coordinates) {
    const T* row = M + tree.row[i];
    const int* column = tree.column.data() + tree.row[i];
    const T x_i = x[i];
    T sum = row[tree.depth[i]] * x_i;
    for (int k = 0; k < tree.depth[i]; ++k) {
      sum += row[k] * x[column[k]];
      y[column[k]] += row[k] * x_i;
    }
    y[i] += sum;
  }
}

/// x ← L x: row i reads x_j, j ≤ i only.
template <class T>
[[gnu::always_inline]] inline void multiply_L(const Tree& tree, std::span<const int> coordinates, const T* L, T* x) {
  for (std::size_t index = coordinates.size(); index-- > 0;) {
    const int i = coordinates[index];
    const T* row = L + tree.row[i];
    const int* column = tree.column.data() + tree.row[i];
    T sum = T{};
    for (int k = 0; k <= tree.depth[i]; ++k) sum += row[k] * x[column[k]];
    x[i] = sum;
  }
}

/// x ← L⁻¹ x.
template <class T>
[[gnu::always_inline]] inline void solve_L(const Tree& tree, std::span<const int> coordinates, const T* L,
                                           const T* inverse_diagonal, T* x) {
  for (const int i : coordinates) {
    const T* row = L + tree.row[i];
    const int* column = tree.column.data() + tree.row[i];
    T sum = x[i];
    for (int k = 0; k < tree.depth[i]; ++k) sum -= row[k] * x[column[k]];
    x[i] = sum * inverse_diagonal[i];
  }
}

/// x ← L⁻ᵀ x. What is zero is left as it is, and nothing is taken from the others for it.
[[gnu::always_inline]] inline void solve_Lt(const Tree& tree, std::span<const int> coordinates, const double* L,
                                            const double* inverse_diagonal, double* x) {
  for (std::size_t index = coordinates.size(); index-- > 0;) {
    const int i = coordinates[index];
    if (x[i] == 0) continue;
    const double* row = L + tree.row[i];
    const int* column = tree.column.data() + tree.row[i];
    const double x_i = x[i] * inverse_diagonal[i];
    x[i] = x_i;
    for (int k = 0; k < tree.depth[i]; ++k) x[column[k]] -= row[k] * x_i;
  }
}
[[gnu::always_inline]] inline void solve_Lt(const Tree& tree, std::span<const int> coordinates, const Eight* L,
                                            const Eight* inverse_diagonal, Eight* x) {
  for (std::size_t index = coordinates.size(); index-- > 0;) {
    const int i = coordinates[index];
    const Eight* row = L + tree.row[i];
    const int* column = tree.column.data() + tree.row[i];
    const auto none = x[i] == 0;
    const Eight x_i = x[i] * inverse_diagonal[i];
    x[i] = none ? x[i] : x_i;
    for (int k = 0; k < tree.depth[i]; ++k) {
      Eight& y = x[column[k]];
      y = none ? y : y - row[k] * x_i;
    }
  }
}

}  // namespace vinculum::motion::kernels
