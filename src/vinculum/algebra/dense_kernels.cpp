// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/algebra/dense_kernels.hpp"

#include "vinculum/algebra/clones.hpp"

#include <limits>

namespace vinculum::algebra {
namespace {

using lanes::add_product;
using lanes::load;
using lanes::store;
using lanes::subtract_product;

/// x ← Σ x_k row_k of four rows of four.
template <class K, class T = typename K::T>
[[gnu::always_inline]] inline void combine(const T* rows, typename K::V& x) {
  typename K::V r[4];
  for (int k = 0; k < 4; ++k) load(rows + 4 * k, r[k]);
  const T a[4] = {x[0], x[1], x[2], x[3]};
  lanes::combine(a, r, x);
}

/// The inverse of an upper triangle by rows, behind it its transpose; `inverse` of its diagonal.
template <class T>
[[gnu::always_inline]] inline void invert_corner(const T* u0, const T* u1, const T* u2, const T* inverse, T* out) {
  const T i01 = -u0[1] * inverse[0] * inverse[1], i12 = -u1[2] * inverse[1] * inverse[2];
  const T i23 = -u2[3] * inverse[2] * inverse[3];
  const T i02 = -(u0[1] * i12 + u0[2] * inverse[2]) * inverse[0];
  const T i13 = -(u1[2] * i23 + u1[3] * inverse[3]) * inverse[1];
  const T i03 = -(u0[1] * i13 + u0[2] * i23 + u0[3] * inverse[3]) * inverse[0];
  const T rows[16] = {inverse[0], i01, i02,        i03, T{}, inverse[1], i12, i13,  //
                      T{},        T{}, inverse[2], i23, T{}, T{},        T{}, inverse[3]};
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) out[4 * i + j] = out[16 + 4 * j + i] = rows[4 * i + j];
  }
}

template <class K, int rows, int fours, class T = typename K::T>
[[gnu::always_inline]] inline void gram_tile(const T* across, const T* down, const int* listed, int count, T* out,
                                             int stride) {
  typename K::V s[rows][fours];
  for (int r = 0; r < rows; ++r) {
    for (int f = 0; f < fours; ++f) s[r][f] = typename K::V{};
  }
  for (int k = 0; k < count; ++k) {
    const T *const b = across + listed[k], *const a = down + listed[k];
    T aa[rows];
    for (int r = 0; r < rows; ++r) aa[r] = a[r];
    for (int f = 0; f < fours; ++f) {
      typename K::V v;
      load(b + 4 * f, v);
      for (int r = 0; r < rows; ++r) add_product(aa[r], v, s[r][f]);
    }
  }
  for (int r = 0; r < rows; ++r) {
    for (int f = 0; f < fours; ++f) store(s[r][f], out + r * stride + 4 * f);
  }
}

// Tiles of `rows` times 4 `fours` entries are summed in registers while the columns pass by. Eight problems fill the
// registers with one.
template <class K, class T = typename K::T>
[[gnu::always_inline]] inline void gram_rows_of(const T* columns, int stride, const int* listed, int count, int row,
                                                int rows, T* G) {
  constexpr int most = K::lanes == 1 ? 4 : 1;
  const int width = padded(row + rows);
  for (int j = 0; j < width;) {
    T* const out = G + row * stride + j;
    const int fours = (width - j) / 4;
    if (rows == 3 && most >= 4 && fours >= 4) {
      gram_tile<K, 3, most>(columns + j, columns + row, listed, count, out, stride);
      j += 16;
    } else if (rows == 3 && most >= 3 && fours == 3) {
      gram_tile<K, 3, (most >= 3 ? 3 : 1)>(columns + j, columns + row, listed, count, out, stride);
      j += 12;
    } else if (rows == 3 && most >= 2 && fours == 2) {
      gram_tile<K, 3, (most >= 2 ? 2 : 1)>(columns + j, columns + row, listed, count, out, stride);
      j += 8;
    } else if (rows == 3) {
      gram_tile<K, 3, 1>(columns + j, columns + row, listed, count, out, stride);
      j += 4;
    } else {
      for (int r = 0; r < rows; ++r) {
        gram_tile<K, 1, 1>(columns + j, columns + row + r, listed, count, out + r * stride, stride);
      }
      j += 4;
    }
  }
}

template <class K, class T = typename K::T>
[[gnu::always_inline]] inline void multiply_of(const T* G, int rows, int width, const T* x, T* y) {
  for (int i = 0; i < rows; i += 4) {
    typename K::V four;
    dot_four<K>(x, G + i * width, width, width, four);
    store(four, y + i);
  }
}

/// Four pivots at a time, by whole rows from the multiple of four at or before the diagonal: what this writes left of
/// it is never read.
template <class K, class T = typename K::T>
[[gnu::always_inline]] inline unsigned factor_cholesky_of(T* A, int n, T* corners) {
  using V = typename K::V;
  constexpr unsigned every = (1u << K::lanes) - 1;
  unsigned good = every;
  const int stride = padded(n);
  for (int i = n; i < stride; ++i) {
    for (int j = i & ~3; j < stride; ++j) A[i * stride + j] = i == j ? T{} + 1.0 : T{};
  }
  for (int g = 0; g < stride; g += 4) {
    T* const r0 = A + g * stride;
    T inverse[4];
    for (int i = 0; i < 4; ++i) {
      T* const row = r0 + i * stride;
      for (int k = 0; k < i; ++k) {
        const T* const above = r0 + k * stride;
        const T f = above[g + i];
        for (int j = g; j < stride; j += 4) {
          V to, from;
          load(row + j, to), load(above + j, from);
          subtract_product(f, from, to);
          store(to, row + j);
        }
      }
      const T square = row[g + i];
      good &= lanes::bits(
          lanes::both(lanes::below(T{}, square), lanes::at_most(square, T{} + std::numeric_limits<double>::max())));
      if (good == 0) return 0;
      T f;
      lanes::root(square, f);
      f = 1 / f;
      inverse[i] = f;
      for (int j = g; j < stride; j += 4) {
        V to;
        load(row + j, to);
        lanes::scale(f, to);
        store(to, row + j);
      }
    }
    const T *const r1 = r0 + stride, *const r2 = r1 + stride, *const r3 = r2 + stride;
    invert_corner<T>(r0 + g, r1 + g, r2 + g, inverse, corners + 8 * g);
    for (int i = g + 4; i < n; ++i) {
      T* const row = A + i * stride;
      const T a[4] = {r0[i], r1[i], r2[i], r3[i]};
      for (int j = i & ~3; j < stride; j += 4) {
        V to, from[4], what;
        load(r0 + j, from[0]), load(r1 + j, from[1]), load(r2 + j, from[2]), load(r3 + j, from[3]), load(row + j, to);
        lanes::combine(a, from, what);
        lanes::subtract(what, to);
        store(to, row + j);
      }
    }
  }
  return good;
}

/// Down by subtracting whole rows, up with sums over them, four at a time.
template <class K, class T = typename K::T>
[[gnu::always_inline]] inline void solve_cholesky_of(const T* U, int n, const T* corners, T* x) {
  using V = typename K::V;
  const int stride = padded(n);
  for (int g = 0; g < stride; g += 4) {
    const T *const r0 = U + g * stride, *const r1 = r0 + stride, *const r2 = r1 + stride, *const r3 = r2 + stride;
    V own;
    load(x + g, own);
    combine<K>(corners + 8 * g, own);
    store(own, x + g);
    const T a[4] = {own[0], own[1], own[2], own[3]};
    for (int j = g + 4; j < stride; j += 4) {
      V to, from[4], what;
      load(r0 + j, from[0]), load(r1 + j, from[1]), load(r2 + j, from[2]), load(r3 + j, from[3]), load(x + j, to);
      lanes::combine(a, from, what);
      lanes::subtract(what, to);
      store(to, x + j);
    }
  }
  for (int g = stride - 4; g >= 0; g -= 4) {
    V own;
    load(x + g, own);
    if (g + 4 < stride) {
      V others;
      dot_four<K>(x + g + 4, U + g * stride + g + 4, stride, stride - g - 4, others);
      lanes::subtract(others, own);
    }
    combine<K>(corners + 8 * g + 16, own);
    store(own, x + g);
  }
}

template <class K, class T = typename K::T>
[[gnu::always_inline]] inline void solve_cholesky_four_of(const T* U, int n, const T* corners, int zeros, T* x) {
  using V = typename K::V;
  for (int i = zeros; i < n; ++i) {
    const T* const row = U + i * padded(n);
    V v;
    load(x + 4 * i, v);
    lanes::scale(corners[8 * (i & ~3) + 5 * (i & 3)], v);  // 1/U_ii
    store(v, x + 4 * i);
    for (int k = i + 1; k < n; ++k) {
      V to;
      load(x + 4 * k, to);
      subtract_product(row[k], v, to);
      store(to, x + 4 * k);
    }
  }
  for (int i = n - 1; i >= 0; --i) {
    const T* const row = U + i * padded(n);
    V even, odd{}, v;
    load(x + 4 * i, even);
    int k = i + 1;
    for (; k + 2 <= n; k += 2) {
      load(x + 4 * k, v), subtract_product(row[k], v, even);
      load(x + 4 * k + 4, v), subtract_product(row[k + 1], v, odd);
    }
    if (k < n) load(x + 4 * k, v), subtract_product(row[k], v, even);
    V out = even;
    lanes::add(odd, out);
    lanes::scale(corners[8 * (i & ~3) + 5 * (i & 3)], out);
    store(out, x + 4 * i);
  }
}

}  // namespace

// One by one, and eight side by side.

VINCULUM_CLONES void gram_rows(const double* columns, int stride, const int* listed, int count, int row, int rows,
                               double* G) {
  gram_rows_of<One>(columns, stride, listed, count, row, rows, G);
}
VINCULUM_WIDE_CLONES void gram_rows(const Eight* columns, int stride, const int* listed, int count, int row, int rows,
                                    Eight* G) {
  gram_rows_of<Many>(columns, stride, listed, count, row, rows, G);
}

VINCULUM_CLONES void multiply(const double* G, int rows, int width, const double* x, double* y) {
  multiply_of<One>(G, rows, width, x, y);
}
VINCULUM_WIDE_CLONES void multiply(const Eight* G, int rows, int width, const Eight* x, Eight* y) {
  multiply_of<Many>(G, rows, width, x, y);
}

VINCULUM_CLONES unsigned factor_cholesky(double* A, int n, double* corners) {
  return factor_cholesky_of<One>(A, n, corners);
}
VINCULUM_WIDE_CLONES unsigned factor_cholesky(Eight* A, int n, Eight* corners) {
  return factor_cholesky_of<Many>(A, n, corners);
}

VINCULUM_CLONES void solve_cholesky(const double* U, int n, const double* corners, double* x) {
  solve_cholesky_of<One>(U, n, corners, x);
}
VINCULUM_WIDE_CLONES void solve_cholesky(const Eight* U, int n, const Eight* corners, Eight* x) {
  solve_cholesky_of<Many>(U, n, corners, x);
}

VINCULUM_CLONES void solve_cholesky_four(const double* U, int n, const double* corners, int zeros, double* x) {
  solve_cholesky_four_of<One>(U, n, corners, zeros, x);
}
VINCULUM_WIDE_CLONES void solve_cholesky_four(const Eight* U, int n, const Eight* corners, int zeros, Eight* x) {
  solve_cholesky_four_of<Many>(U, n, corners, zeros, x);
}

}  // namespace vinculum::algebra
