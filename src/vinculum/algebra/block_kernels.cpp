// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/algebra/block_kernels.hpp"

#include "vinculum/algebra/clones.hpp"

#include <cmath>
#include <utility>

namespace vinculum::algebra {
namespace {

typedef double Two __attribute__((vector_size(16), aligned(8), may_alias));
typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));

// A row is a Four, and where the stride is six a Two besides. The bodies are inlined into each clone.
template <int N>
struct Row {
  Four wide;
  Two narrow;
  static constexpr bool both = BlockKernels<N>::stride == 6;

  [[gnu::always_inline]] void load(const double* p) {
    wide = *reinterpret_cast<const Four*>(p);
    if constexpr (both) narrow = *reinterpret_cast<const Two*>(p + 4);
  }
  [[gnu::always_inline]] void store(double* p) const {
    *reinterpret_cast<Four*>(p) = wide;
    if constexpr (both) *reinterpret_cast<Two*>(p + 4) = narrow;
  }
  [[gnu::always_inline]] void clear() {
    wide = Four{0, 0, 0, 0};
    if constexpr (both) narrow = Two{0, 0};
  }
  [[gnu::always_inline]] void set(int k, double x) {
    if (k < 4) {
      wide[k] = x;
    } else if constexpr (both) {
      narrow[k - 4] = x;
    }
  }
  [[gnu::always_inline]] void scale(double a) {
    wide *= Four{a, a, a, a};
    if constexpr (both) narrow *= Two{a, a};
  }
  [[gnu::always_inline]] void add_scaled(double a, const Row& x) {
    wide += Four{a, a, a, a} * x.wide;
    if constexpr (both) narrow += Two{a, a} * x.narrow;
  }
  [[gnu::always_inline]] void subtract_scaled(double a, const Row& x) {
    wide -= Four{a, a, a, a} * x.wide;
    if constexpr (both) narrow -= Two{a, a} * x.narrow;
  }
};

// All rows of C_k stay in registers.
template <int N>
[[gnu::always_inline]] inline void subtract_products_body(const double* A, const double* B, const int* slot, int count,
                                                          double* C) {
  constexpr int S = BlockKernels<N>::stride, size = BlockKernels<N>::size;
  for (int k = 0; k < count; ++k) {
    const double* b = B + size * static_cast<long>(k);
    double* c = C + size * static_cast<long>(slot[k]);
    Row<N> row[N];
    for (int r = 0; r < N; ++r) row[r].load(c + S * r);
#pragma GCC unroll 6
    for (int p = 0; p < N; ++p) {
      Row<N> from;
      from.load(b + S * p);
#pragma GCC unroll 6
      for (int r = 0; r < N; ++r) row[r].subtract_scaled(A[S * r + p], from);
    }
    for (int r = 0; r < N; ++r) row[r].store(c + S * r);
  }
}

template <int N>
[[gnu::always_inline]] inline void multiply_body(const double* A, const double* B, double* C) {
  constexpr int S = BlockKernels<N>::stride;
  for (int r = 0; r < N; ++r) {
    Row<N> sum;
    sum.clear();
#pragma GCC unroll 6
    for (int p = 0; p < N; ++p) {
      Row<N> from;
      from.load(B + S * p);
      sum.add_scaled(A[S * r + p], from);
    }
    sum.store(C + S * r);
  }
}

// Gauss-Jordan on [A | I], in place: column `step` of the identity takes the place of the eliminated column of A. Rows
// are written and read again as wholes: a number written into one would have to reach memory before the next load.
template <int N>
[[gnu::always_inline]] inline bool invert_body(double* A) {
  constexpr int S = BlockKernels<N>::stride;
  int swapped[N];
#pragma GCC unroll 6
  for (int step = 0; step < N; ++step) {
    int pivot = step;
    for (int i = step + 1; i < N; ++i) {
      if (std::abs(A[S * i + step]) > std::abs(A[S * pivot + step])) pivot = i;
    }
    swapped[step] = pivot;
    Row<N> top;
    top.load(A + S * pivot);
    const double inverse = 1 / A[S * pivot + step];
    if (!std::isfinite(inverse)) return false;
    if (pivot != step) {
      Row<N> other;
      other.load(A + S * step);
      other.store(A + S * pivot);
    }
    top.set(step, 1);
    top.scale(inverse);
    top.store(A + S * step);
#pragma GCC unroll 6
    for (int i = 0; i < N; ++i) {
      if (i == step) continue;
      const double factor = A[S * i + step];
      Row<N> row;
      row.load(A + S * i);
      row.set(step, 0);
      row.subtract_scaled(factor, top);
      row.store(A + S * i);
    }
  }
  for (int step = N - 1; step >= 0; --step) {
    if (swapped[step] == step) continue;
    for (int i = 0; i < N; ++i) std::swap(A[S * i + step], A[S * i + swapped[step]]);
  }
  return true;
}

// The clones must be plain functions: one set per size.
#define KERNELS(N)                                                                                              \
  VINCULUM_CLONES void subtract_products_##N(const double* A, const double* B, const int* slot, int count,      \
                                             double* C) {                                                       \
    subtract_products_body<N>(A, B, slot, count, C);                                                            \
  }                                                                                                             \
  VINCULUM_CLONES void multiply_##N(const double* A, const double* B, double* C) { multiply_body<N>(A, B, C); } \
  VINCULUM_CLONES bool invert_##N(double* A) { return invert_body<N>(A); }
KERNELS(3)
KERNELS(5)
KERNELS(6)
#undef KERNELS

}  // namespace

template <int N>
void BlockKernels<N>::subtract_products(const double* A, const double* B, const int* slot, int count, double* C) {
  if constexpr (N == 3) subtract_products_3(A, B, slot, count, C);
  if constexpr (N == 5) subtract_products_5(A, B, slot, count, C);
  if constexpr (N == 6) subtract_products_6(A, B, slot, count, C);
}

template <int N>
void BlockKernels<N>::multiply(const double* A, const double* B, double* C) {
  if constexpr (N == 3) multiply_3(A, B, C);
  if constexpr (N == 5) multiply_5(A, B, C);
  if constexpr (N == 6) multiply_6(A, B, C);
}

template <int N>
void BlockKernels<N>::subtract_times_vectors(const double* A, const int* index, int count, const double* x,
                                             double* sum) {
  constexpr int pairs = stride / 2;
  Two rows[N] = {};
  for (int k = 0; k < count; ++k) {
    const Two* a = reinterpret_cast<const Two*>(A + size * static_cast<long>(k));
    const Two* v = reinterpret_cast<const Two*>(x + stride * static_cast<long>(index[k]));
#pragma GCC unroll 6
    for (int r = 0; r < N; ++r) {
      Two term = a[pairs * r] * v[0] + a[pairs * r + 1] * v[1];
      if constexpr (pairs == 3) term += a[pairs * r + 2] * v[2];
      rows[r] += term;
    }
  }
  for (int r = 0; r < N; ++r) sum[r] -= rows[r][0] + rows[r][1];
}

template <int N>
void BlockKernels<N>::times_vector(const double* A, const double* x, double* y) {
  const Two* v = reinterpret_cast<const Two*>(x);
  for (int r = 0; r < N; ++r) {
    const Two* a = reinterpret_cast<const Two*>(A + stride * r);
    Two sum = a[0] * v[0] + a[1] * v[1];
    if constexpr (stride == 6) sum += a[2] * v[2];
    y[r] = sum[0] + sum[1];
  }
  for (int r = N; r < stride; ++r) y[r] = 0;
}

template <int N>
bool BlockKernels<N>::invert(double* A) {
  if constexpr (N == 3) return invert_3(A);
  if constexpr (N == 5) return invert_5(A);
  if constexpr (N == 6) return invert_6(A);
}

template struct BlockKernels<3>;
template struct BlockKernels<5>;
template struct BlockKernels<6>;

}  // namespace vinculum::algebra
