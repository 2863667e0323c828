// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/algebra/dense_kernels.hpp"

#include "vinculum/algebra/clones.hpp"

#include <cmath>
#include <utility>

namespace vinculum::algebra {
namespace {

typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));

[[gnu::always_inline]] inline double sum(const Four& x) { return (x[0] + x[1]) + (x[2] + x[3]); }

/// Four dot products of x with the rows b, b + step, b + 2 step, b + 3 step.
[[gnu::always_inline]] inline void dot_four(const double* x, const double* b, long step, int width, double* out) {
  Four s0 = {0, 0, 0, 0}, s1 = s0, s2 = s0, s3 = s0;
  for (int k = 0; k < width; k += 4) {
    const Four v = *reinterpret_cast<const Four*>(x + k);
    s0 += v * *reinterpret_cast<const Four*>(b + k);
    s1 += v * *reinterpret_cast<const Four*>(b + step + k);
    s2 += v * *reinterpret_cast<const Four*>(b + 2 * step + k);
    s3 += v * *reinterpret_cast<const Four*>(b + 3 * step + k);
  }
  out[0] = sum(s0);
  out[1] = sum(s1);
  out[2] = sum(s2);
  out[3] = sum(s3);
}

}  // namespace

VINCULUM_CLONES void multiply_transposed(const double* A, int rows, int width, double* G) {
  const int stride = padded(rows);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j <= i; j += 4) dot_four(A + i * width, A + j * width, width, width, G + i * stride + j);
  }
  for (int i = 0; i < rows; ++i) {  // what the groups of four left above the diagonal is replaced
    for (int j = i + 1; j < rows; ++j) G[i * stride + j] = G[j * stride + i];
    for (int j = rows; j < stride; ++j) G[i * stride + j] = 0;
  }
  for (int k = rows * stride; k < stride * stride; ++k) G[k] = 0;
}

VINCULUM_CLONES void multiply(const double* G, int rows, int width, const double* x, double* y) {
  for (int i = 0; i < rows; i += 4) dot_four(x, G + i * width, width, width, y + i);
}

VINCULUM_CLONES bool factor_lu(double* A, int n, int* order, double* inverse) {
  const int stride = padded(n);
  for (int i = 0; i < n; ++i) order[i] = i;
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i) {
      if (std::abs(A[i * stride + k]) > std::abs(A[best * stride + k])) best = i;
    }
    double* const pivot_row = A + k * stride;
    if (best != k) {
      std::swap(order[k], order[best]);
      double* const other = A + best * stride;
      for (int j = 0; j < stride; j += 4) {
        const Four t = *reinterpret_cast<Four*>(other + j);
        *reinterpret_cast<Four*>(other + j) = *reinterpret_cast<Four*>(pivot_row + j);
        *reinterpret_cast<Four*>(pivot_row + j) = t;
      }
    }
    const double pivot = pivot_row[k];
    if (!(std::abs(pivot) > 0) || !std::isfinite(pivot)) return false;
    inverse[k] = 1 / pivot;
    const int next = padded(k + 1);  // the columns up to there one by one
    for (int i = k + 1; i < n; ++i) {
      double* const row = A + i * stride;
      if (row[k] == 0) continue;
      const double f = row[k] * inverse[k];
      row[k] = f;
      for (int j = k + 1; j < next; ++j) row[j] -= f * pivot_row[j];
      const Four factor = {f, f, f, f};
      for (int j = next; j < stride; j += 4) {
        *reinterpret_cast<Four*>(row + j) -= factor * *reinterpret_cast<const Four*>(pivot_row + j);
      }
    }
  }
  return true;
}

/// Four rows at a time: what the others bring in four independent sums, then the triangle among the four.
VINCULUM_CLONES void solve_lu(const double* A, int n, const int* order, const double* inverse, const double* b,
                              double* x) {
  const int stride = padded(n);
  double s[4];
  for (int g = 0; g < n; g += 4) {
    const double* const rows = A + g * stride;
    dot_four(x, rows, stride, g, s);
    for (int i = g; i < g + 4 && i < n; ++i) {
      double value = b[order[i]] - s[i - g];
      for (int j = g; j < i; ++j) value -= A[i * stride + j] * x[j];
      x[i] = value;
    }
  }
  for (int j = n; j < stride; ++j) x[j] = 0;
  for (int g = stride - 4; g >= 0; g -= 4) {
    const double* const rows = A + g * stride;
    dot_four(x + g + 4, rows + g + 4, stride, stride - g - 4, s);
    for (int i = (g + 4 < n ? g + 4 : n) - 1; i >= g; --i) {
      double value = x[i] - s[i - g];
      for (int j = i + 1; j < g + 4 && j < n; ++j) value -= A[i * stride + j] * x[j];
      x[i] = value * inverse[i];
    }
  }
}

}  // namespace vinculum::algebra
