// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/algebra/block_kernels.hpp"

#include <cmath>
#include <utility>

// Sanitizers instrument the run-time choice before they are ready for it.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define VINCULUM_CLONES __attribute__((target_clones("default", "avx2")))
#else
#define VINCULUM_CLONES
#endif

namespace vinculum::algebra {
namespace {

typedef double Two __attribute__((vector_size(16), aligned(8), may_alias));
typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));

}  // namespace

// A row of six is a Four and a Two; all twelve parts of C_k stay in registers.
VINCULUM_CLONES void subtract_products(const double* A, const double* B, const int* slot, int count, double* C) {
  for (int k = 0; k < count; ++k) {
    const double* b = B + 36 * static_cast<long>(k);
    double* c = C + 36 * static_cast<long>(slot[k]);
    Four wide[6];
    Two narrow[6];
    for (int r = 0; r < 6; ++r) {
      wide[r] = *reinterpret_cast<const Four*>(c + 6 * r);
      narrow[r] = *reinterpret_cast<const Two*>(c + 6 * r + 4);
    }
#pragma GCC unroll 6
    for (int p = 0; p < 6; ++p) {
      const Four bw = *reinterpret_cast<const Four*>(b + 6 * p);
      const Two bn = *reinterpret_cast<const Two*>(b + 6 * p + 4);
#pragma GCC unroll 6
      for (int r = 0; r < 6; ++r) {
        const double a = A[6 * r + p];
        wide[r] -= Four{a, a, a, a} * bw;
        narrow[r] -= Two{a, a} * bn;
      }
    }
    for (int r = 0; r < 6; ++r) {
      *reinterpret_cast<Four*>(c + 6 * r) = wide[r];
      *reinterpret_cast<Two*>(c + 6 * r + 4) = narrow[r];
    }
  }
}

VINCULUM_CLONES void multiply(const double* A, const double* B, double* C) {
  for (int r = 0; r < 6; ++r) {
    Four wide = {0, 0, 0, 0};
    Two narrow = {0, 0};
#pragma GCC unroll 6
    for (int p = 0; p < 6; ++p) {
      const double a = A[6 * r + p];
      wide += Four{a, a, a, a} * *reinterpret_cast<const Four*>(B + 6 * p);
      narrow += Two{a, a} * *reinterpret_cast<const Two*>(B + 6 * p + 4);
    }
    *reinterpret_cast<Four*>(C + 6 * r) = wide;
    *reinterpret_cast<Two*>(C + 6 * r + 4) = narrow;
  }
}

void subtract_times_vectors(const double* A, const int* index, int count, const double* x, double* sum) {
  Two rows[6] = {};
  for (int k = 0; k < count; ++k) {
    const Two* a = reinterpret_cast<const Two*>(A + 36 * static_cast<long>(k));
    const Two* v = reinterpret_cast<const Two*>(x + 6 * static_cast<long>(index[k]));
    const Two v0 = v[0], v1 = v[1], v2 = v[2];
#pragma GCC unroll 6
    for (int r = 0; r < 6; ++r) rows[r] += a[3 * r] * v0 + a[3 * r + 1] * v1 + a[3 * r + 2] * v2;
  }
  for (int r = 0; r < 6; ++r) sum[r] -= rows[r][0] + rows[r][1];
}

void times_vector(const double* A, const double* x, double* y) {
  const Two* v = reinterpret_cast<const Two*>(x);
  for (int r = 0; r < 6; ++r) {
    const Two* a = reinterpret_cast<const Two*>(A + 6 * r);
    const Two sum = a[0] * v[0] + a[1] * v[1] + a[2] * v[2];
    y[r] = sum[0] + sum[1];
  }
}

// Gauss-Jordan on [A | I], in place: column `step` of the identity takes the place of the eliminated column of A.
bool invert(double* A) {
  int swapped[6];
  for (int step = 0; step < 6; ++step) {
    int pivot = step;
    for (int i = step + 1; i < 6; ++i) {
      if (std::abs(A[6 * i + step]) > std::abs(A[6 * pivot + step])) pivot = i;
    }
    swapped[step] = pivot;
    if (pivot != step) {
      for (int j = 0; j < 6; ++j) std::swap(A[6 * pivot + j], A[6 * step + j]);
    }
    const double inverse = 1 / A[6 * step + step];
    if (!std::isfinite(inverse)) return false;
    A[6 * step + step] = 1;
    for (int j = 0; j < 6; ++j) A[6 * step + j] *= inverse;
    for (int i = 0; i < 6; ++i) {
      if (i == step) continue;
      const double factor = A[6 * i + step];
      A[6 * i + step] = 0;
      for (int j = 0; j < 6; ++j) A[6 * i + j] -= factor * A[6 * step + j];
    }
  }
  for (int step = 5; step >= 0; --step) {
    if (swapped[step] == step) continue;
    for (int i = 0; i < 6; ++i) std::swap(A[6 * i + step], A[6 * i + swapped[step]]);
  }
  return true;
}

}  // namespace vinculum::algebra
