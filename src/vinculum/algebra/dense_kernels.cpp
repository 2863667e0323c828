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

VINCULUM_CLONES void combine_three(const double* w, const double* G, int width, double* out) {
  const Four w0 = {w[0], w[0], w[0], w[0]}, w1 = {w[1], w[1], w[1], w[1]}, w2 = {w[2], w[2], w[2], w[2]};
  for (int j = 0; j < width; j += 4) {
    *reinterpret_cast<Four*>(out + j) = w0 * *reinterpret_cast<const Four*>(G + j) +
                                        w1 * *reinterpret_cast<const Four*>(G + width + j) +
                                        w2 * *reinterpret_cast<const Four*>(G + 2 * width + j);
  }
}

// The pivot row is taken with zeros up to its pivot, so that whole vectors can be subtracted, four rows at a time.
VINCULUM_CLONES bool factor_lu(double* A, int n, int* order, double* inverse) {
  const int stride = padded(n);
  for (int i = 0; i < n; ++i) order[i] = i;
  for (int k = 0; k < n; ++k) {
    int best = k;
    double largest = std::abs(A[k * stride + k]);
    for (int i = k + 1; i < n; ++i) {
      const double size = std::abs(A[i * stride + k]);
      if (size > largest) {
        best = i;
        largest = size;
      }
    }
    if (!(largest > 0) || !std::isfinite(largest)) return false;
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
    inverse[k] = 1 / pivot_row[k];
    const int begin = (k + 1) & ~3;
    Four first = begin < stride ? *reinterpret_cast<const Four*>(pivot_row + begin) : Four{0, 0, 0, 0};
    for (int j = begin; j <= k; ++j) first[j - begin] = 0;
    int i = k + 1;
    for (; i + 4 <= stride; i += 4) {  // rows from n on are zero
      double* const r0 = A + i * stride;
      double *const r1 = r0 + stride, *const r2 = r1 + stride, *const r3 = r2 + stride;
      const double f0 = r0[k] * inverse[k], f1 = r1[k] * inverse[k], f2 = r2[k] * inverse[k], f3 = r3[k] * inverse[k];
      r0[k] = f0;
      r1[k] = f1;
      r2[k] = f2;
      r3[k] = f3;
      if (f0 == 0 && f1 == 0 && f2 == 0 && f3 == 0) continue;
      const Four g0 = {f0, f0, f0, f0}, g1 = {f1, f1, f1, f1}, g2 = {f2, f2, f2, f2}, g3 = {f3, f3, f3, f3};
      Four v = first;
      for (int j = begin; j < stride;) {
        *reinterpret_cast<Four*>(r0 + j) -= g0 * v;
        *reinterpret_cast<Four*>(r1 + j) -= g1 * v;
        *reinterpret_cast<Four*>(r2 + j) -= g2 * v;
        *reinterpret_cast<Four*>(r3 + j) -= g3 * v;
        j += 4;
        if (j < stride) v = *reinterpret_cast<const Four*>(pivot_row + j);
      }
    }
    for (; i < n; ++i) {
      double* const row = A + i * stride;
      const double f = row[k] * inverse[k];
      row[k] = f;
      const Four g = {f, f, f, f};
      Four v = first;
      for (int j = begin; j < stride;) {
        *reinterpret_cast<Four*>(row + j) -= g * v;
        j += 4;
        if (j < stride) v = *reinterpret_cast<const Four*>(pivot_row + j);
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

/// Four columns at a time: what the columns before bring, row by row in four independent sums; the triangle; then the
/// rows below it, each for itself.
VINCULUM_CLONES bool factor_cholesky(double* A, int n, double* inverse) {
  const int stride = padded(n);
  double s[4];
  for (int g = 0; g < n; g += 4) {
    const double* const above = A + g * stride;
    const int end = g + 4 < n ? g + 4 : n;
    for (int i = g; i < n; ++i) {
      double* const row = A + i * stride;
      dot_four(row, above, stride, g, s);
      for (int j = g; j < end && j <= i; ++j) row[j] -= s[j - g];
    }
    for (int i = g; i < end; ++i) {
      double* const row = A + i * stride;
      for (int j = g; j < i; ++j) {
        double value = row[j];
        for (int k = g; k < j; ++k) value -= row[k] * A[j * stride + k];
        row[j] = value * inverse[j];
      }
      double pivot = row[i];
      for (int k = g; k < i; ++k) pivot -= row[k] * row[k];
      if (!(pivot > 0) || !std::isfinite(pivot)) return false;
      row[i] = std::sqrt(pivot);
      inverse[i] = 1 / row[i];
      for (int j = i + 1; j < stride; ++j) row[j] = 0;
    }
    if (end < n) {
      const double *const b1 = above + stride + g, *const b2 = b1 + stride, *const b3 = b2 + stride;
      for (int i = end; i < n; ++i) {
        double* const x = A + i * stride + g;
        x[0] = x[0] * inverse[g];
        x[1] = (x[1] - b1[0] * x[0]) * inverse[g + 1];
        x[2] = (x[2] - b2[0] * x[0] - b2[1] * x[1]) * inverse[g + 2];
        x[3] = (x[3] - b3[0] * x[0] - b3[1] * x[1] - b3[2] * x[2]) * inverse[g + 3];
      }
    }
  }
  for (int j = n * stride; j < stride * stride; ++j) A[j] = 0;
  return true;
}

/// Down with sums over the rows, up by subtracting whole rows, four at a time.
VINCULUM_CLONES void solve_cholesky(const double* L, int n, const double* inverse, double* x) {
  const int stride = padded(n);
  double s[4];
  for (int g = 0; g < n; g += 4) {
    dot_four(x, L + g * stride, stride, g, s);
    for (int i = g; i < g + 4 && i < n; ++i) {
      double value = x[i] - s[i - g];
      for (int j = g; j < i; ++j) value -= L[i * stride + j] * x[j];
      x[i] = value * inverse[i];
    }
  }
  for (int g = stride - 4; g >= 0; g -= 4) {
    const double* const rows = L + g * stride;
    for (int i = (g + 4 < n ? g + 4 : n) - 1; i >= g; --i) {
      double value = x[i];
      for (int j = i + 1; j < g + 4 && j < n; ++j) value -= L[j * stride + i] * x[j];
      x[i] = value * inverse[i];
    }
    const double x0 = x[g], x1 = x[g + 1], x2 = x[g + 2], x3 = x[g + 3];
    const Four g0 = {x0, x0, x0, x0}, g1 = {x1, x1, x1, x1}, g2 = {x2, x2, x2, x2}, g3 = {x3, x3, x3, x3};
    for (int j = 0; j < g; j += 4) {
      *reinterpret_cast<Four*>(x + j) -=
          (g0 * *reinterpret_cast<const Four*>(rows + j) + g1 * *reinterpret_cast<const Four*>(rows + stride + j)) +
          (g2 * *reinterpret_cast<const Four*>(rows + 2 * stride + j) +
           g3 * *reinterpret_cast<const Four*>(rows + 3 * stride + j));
    }
  }
}

VINCULUM_CLONES void solve_cholesky_four(const double* L, int n, const double* inverse, int zeros, double* x) {
  const int stride = padded(n);
  Four* const y = reinterpret_cast<Four*>(x);
  for (int i = zeros; i < n; ++i) {
    const double* const row = L + i * stride;
    Four even = y[i], odd = {0, 0, 0, 0};
    int k = zeros;
    for (; k + 2 <= i; k += 2) {
      even -= Four{row[k], row[k], row[k], row[k]} * y[k];
      odd -= Four{row[k + 1], row[k + 1], row[k + 1], row[k + 1]} * y[k + 1];
    }
    if (k < i) even -= Four{row[k], row[k], row[k], row[k]} * y[k];
    y[i] = (even + odd) * Four{inverse[i], inverse[i], inverse[i], inverse[i]};
  }
  for (int i = n - 1; i >= 0; --i) {
    const double* const row = L + i * stride;
    const Four v = y[i] * Four{inverse[i], inverse[i], inverse[i], inverse[i]};
    y[i] = v;
    for (int k = 0; k < i; ++k) y[k] -= Four{row[k], row[k], row[k], row[k]} * v;
  }
}

}  // namespace vinculum::algebra
