// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// LU factors with row exchanges. Eight matrices side by side choose their pivots each for itself: rows change places in
// the lanes that ask for it.
#include "vinculum/algebra/clones.hpp"
#include "vinculum/algebra/dense_kernels.hpp"

#include <limits>

namespace vinculum::algebra {
namespace {

using lanes::load;
using lanes::store;
using lanes::subtract_product;

/// Rows a ↔ b where the marks say so; of one matrix they do.
[[gnu::always_inline]] inline void exchange(bool, double* a, double* b, int count) {
  for (int j = 0; j < count; j += 4) {
    Four x, y;
    load(a + j, x), load(b + j, y);
    store(x, b + j), store(y, a + j);
  }
}
[[gnu::always_inline]] inline void exchange(const EightMarks& marks, Eight* a, Eight* b, int count) {
  for (int j = 0; j < count; ++j) {
    const Eight x = a[j], y = b[j];
    lanes::choose(marks, y, x, a[j]);
    lanes::choose(marks, x, y, b[j]);
  }
}

/// Row k is exchanged with the first of the rows from k on whose entry in column k is largest.
template <class K, class T = typename K::T>
[[gnu::always_inline]] inline void choose_pivot(T* A, int n, int k, T* b, T& largest) {
  const int stride = padded(n);
  const auto size = [&](int i, T& out) __attribute__((always_inline)) {
    const T x = A[i * stride + k];
    lanes::choose(lanes::below(x, T{}), -x, x, out);
  };
  T best = T{} + static_cast<double>(k);
  size(k, largest);
  for (int i = k + 1; i < n; ++i) {
    T x;
    size(i, x);
    const auto larger = lanes::below(largest, x);
    lanes::choose(larger, T{} + static_cast<double>(i), best, best);
    lanes::choose(larger, x, largest, largest);
  }
  for (int i = k + 1; i < n; ++i) {
    const auto chosen = lanes::equal(best, T{} + static_cast<double>(i));
    if (lanes::bits(chosen) == 0) continue;
    exchange(chosen, A + k * stride, A + i * stride, stride);
    const T b_k = b[k], b_i = b[i];
    lanes::choose(chosen, b_i, b_k, b[k]);
    lanes::choose(chosen, b_k, b_i, b[i]);
  }
}

/// row −= f · pivot row, which begins with `first` at `begin`.
template <class K, int rows, class T = typename K::T>
[[gnu::always_inline]] inline void eliminate(T* row, const T* pivot_row, const T& inverse, int k, int begin,
                                             const typename K::V& first, int stride) {
  T f[rows];
  for (int r = 0; r < rows; ++r) row[r * stride + k] = f[r] = row[r * stride + k] * inverse;
  typename K::V v = first, to;
  for (int j = begin; j < stride;) {
    for (int r = 0; r < rows; ++r) {
      load(row + r * stride + j, to);
      subtract_product(f[r], v, to);
      store(to, row + r * stride + j);
    }
    j += 4;
    if (j < stride) load(pivot_row + j, v);
  }
}

// The pivot row is taken with zeros up to its pivot, so that whole vectors can be subtracted, four rows at a time.
template <class K, class T = typename K::T>
[[gnu::always_inline]] inline unsigned factor_lu_of(T* A, int n, T* b, T* inverse) {
  unsigned good = (1u << K::lanes) - 1;
  const int stride = padded(n);
  for (int k = 0; k < n; ++k) {
    T largest;
    choose_pivot<K>(A, n, k, b, largest);
    good &= lanes::bits(
        lanes::both(lanes::below(T{}, largest), lanes::at_most(largest, T{} + std::numeric_limits<double>::max())));
    if (good == 0) return 0;
    const T* const pivot_row = A + k * stride;
    inverse[k] = 1 / pivot_row[k];
    const int begin = (k + 1) & ~3;
    T head[4] = {};
    for (int j = begin; j < begin + 4 && begin < stride; ++j) {
      if (j > k) head[j - begin] = pivot_row[j];
    }
    typename K::V first;
    load(static_cast<const T*>(head), first);
    int i = k + 1;
    for (; i + 4 <= stride; i += 4) {  // rows from n on are zero
      eliminate<K, 4>(A + i * stride, pivot_row, inverse[k], k, begin, first, stride);
    }
    for (; i < n; ++i) eliminate<K, 1>(A + i * stride, pivot_row, inverse[k], k, begin, first, stride);
  }
  return good;
}

/// Four rows at a time: what the others bring in four independent sums, then the triangle among the four.
template <class K, class T = typename K::T>
[[gnu::always_inline]] inline void solve_lu_of(const T* A, int n, const T* inverse, const T* b, T* x) {
  const int stride = padded(n);
  typename K::V s;
  for (int g = 0; g < n; g += 4) {
    dot_four<K>(x, A + g * stride, stride, g, s);
    for (int i = g; i < g + 4 && i < n; ++i) {
      T value = b[i] - s[i - g];
      for (int j = g; j < i; ++j) value -= A[i * stride + j] * x[j];
      x[i] = value;
    }
  }
  for (int j = n; j < stride; ++j) x[j] = T{};
  for (int g = stride - 4; g >= 0; g -= 4) {
    dot_four<K>(x + g + 4, A + g * stride + g + 4, stride, stride - g - 4, s);
    for (int i = (g + 4 < n ? g + 4 : n) - 1; i >= g; --i) {
      T value = x[i] - s[i - g];
      for (int j = i + 1; j < g + 4 && j < n; ++j) value -= A[i * stride + j] * x[j];
      x[i] = value * inverse[i];
    }
  }
}

}  // namespace

VINCULUM_CLONES unsigned factor_lu(double* A, int n, double* b, double* inverse) {
  return factor_lu_of<One>(A, n, b, inverse);
}
VINCULUM_WIDE_CLONES unsigned factor_lu(Eight* A, int n, Eight* b, Eight* inverse) {
  return factor_lu_of<Many>(A, n, b, inverse);
}

VINCULUM_CLONES void solve_lu(const double* A, int n, const double* inverse, const double* b, double* x) {
  solve_lu_of<One>(A, n, inverse, b, x);
}
VINCULUM_WIDE_CLONES void solve_lu(const Eight* A, int n, const Eight* inverse, const Eight* b, Eight* x) {
  solve_lu_of<Many>(A, n, inverse, b, x);
}

}  // namespace vinculum::algebra
