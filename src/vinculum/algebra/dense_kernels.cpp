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

/// b ← Σ b_k row_k of four rows of four.
[[gnu::always_inline]] inline void combine(const double* rows, Four& b) {
  const Four* const r = reinterpret_cast<const Four*>(rows);
  b = (Four{b[0], b[0], b[0], b[0]} * r[0] + Four{b[1], b[1], b[1], b[1]} * r[1]) +
      (Four{b[2], b[2], b[2], b[2]} * r[2] + Four{b[3], b[3], b[3], b[3]} * r[3]);
}

/// The inverse of an upper triangle by rows, behind it its transpose; `inverse` of its diagonal.
inline void invert_corner(const double* u0, const double* u1, const double* u2, const double* inverse, double* out) {
  const double i01 = -u0[1] * inverse[0] * inverse[1], i12 = -u1[2] * inverse[1] * inverse[2];
  const double i23 = -u2[3] * inverse[2] * inverse[3];
  const double i02 = -(u0[1] * i12 + u0[2] * inverse[2]) * inverse[0];
  const double i13 = -(u1[2] * i23 + u1[3] * inverse[3]) * inverse[1];
  const double i03 = -(u0[1] * i13 + u0[2] * i23 + u0[3] * inverse[3]) * inverse[0];
  const double rows[16] = {inverse[0], i01, i02,        i03, 0, inverse[1], i12, i13,  //
                           0,          0,   inverse[2], i23, 0, 0,          0,   inverse[3]};
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) out[4 * i + j] = out[16 + 4 * j + i] = rows[4 * i + j];
  }
}

template <int rows, int fours>
[[gnu::always_inline]] inline void gram_tile(const double* across, const double* down, const int* listed, int count,
                                             double* out, int stride) {
  Four s[rows][fours];
  for (int r = 0; r < rows; ++r) {
    for (int f = 0; f < fours; ++f) s[r][f] = Four{0, 0, 0, 0};
  }
  for (int k = 0; k < count; ++k) {
    const double *const b = across + listed[k], *const a = down + listed[k];
    Four aa[rows];
    for (int r = 0; r < rows; ++r) aa[r] = Four{a[r], a[r], a[r], a[r]};
    for (int f = 0; f < fours; ++f) {
      const Four v = *reinterpret_cast<const Four*>(b + 4 * f);
      for (int r = 0; r < rows; ++r) s[r][f] += aa[r] * v;
    }
  }
  for (int r = 0; r < rows; ++r) {
    for (int f = 0; f < fours; ++f) *reinterpret_cast<Four*>(out + r * stride + 4 * f) = s[r][f];
  }
}

}  // namespace

// Tiles of `rows` times 4 `fours` entries are summed in registers while the columns pass by.
VINCULUM_CLONES void gram_rows(const double* columns, int stride, const int* listed, int count, int row, int rows,
                               double* G) {
  const int width = padded(row + rows);
  for (int j = 0; j < width;) {
    double* const out = G + row * stride + j;
    const int fours = (width - j) / 4;
    if (rows == 3 && fours >= 4) {
      gram_tile<3, 4>(columns + j, columns + row, listed, count, out, stride);
      j += 16;
    } else if (rows == 3 && fours == 3) {
      gram_tile<3, 3>(columns + j, columns + row, listed, count, out, stride);
      j += 12;
    } else if (rows == 3 && fours == 2) {
      gram_tile<3, 2>(columns + j, columns + row, listed, count, out, stride);
      j += 8;
    } else if (rows == 3) {
      gram_tile<3, 1>(columns + j, columns + row, listed, count, out, stride);
      j += 4;
    } else {
      for (int r = 0; r < rows; ++r) {
        gram_tile<1, 1>(columns + j, columns + row + r, listed, count, out + r * stride, stride);
      }
      j += 4;
    }
  }
}

VINCULUM_CLONES void multiply(const double* G, int rows, int width, const double* x, double* y) {
  for (int i = 0; i < rows; i += 4) dot_four(x, G + i * width, width, width, y + i);
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

/// Four pivots at a time, by whole rows from the multiple of four at or before the diagonal: what this writes left of
/// it is never read.
VINCULUM_CLONES bool factor_cholesky(double* A, int n, double* corners) {
  const int stride = padded(n);
  for (int i = n; i < stride; ++i) {
    for (int j = i & ~3; j < stride; ++j) A[i * stride + j] = i == j;
  }
  for (int g = 0; g < stride; g += 4) {
    double* const r0 = A + g * stride;
    double inverse[4];
    for (int i = 0; i < 4; ++i) {
      double* const row = r0 + i * stride;
      for (int k = 0; k < i; ++k) {
        const double* const above = r0 + k * stride;
        const double f = above[g + i];
        const Four ff = {f, f, f, f};
        for (int j = g; j < stride; j += 4) {
          *reinterpret_cast<Four*>(row + j) -= ff * *reinterpret_cast<const Four*>(above + j);
        }
      }
      const double square = row[g + i];
      if (!(square > 0) || !std::isfinite(square)) return false;
      const double f = 1 / std::sqrt(square);
      inverse[i] = f;
      const Four ff = {f, f, f, f};
      for (int j = g; j < stride; j += 4) *reinterpret_cast<Four*>(row + j) *= ff;
    }
    const double *const r1 = r0 + stride, *const r2 = r1 + stride, *const r3 = r2 + stride;
    invert_corner(r0 + g, r1 + g, r2 + g, inverse, corners + 8 * g);
    for (int i = g + 4; i < n; ++i) {
      double* const row = A + i * stride;
      const Four g0 = {r0[i], r0[i], r0[i], r0[i]}, g1 = {r1[i], r1[i], r1[i], r1[i]};
      const Four g2 = {r2[i], r2[i], r2[i], r2[i]}, g3 = {r3[i], r3[i], r3[i], r3[i]};
      for (int j = i & ~3; j < stride; j += 4) {
        *reinterpret_cast<Four*>(row + j) -=
            (g0 * *reinterpret_cast<const Four*>(r0 + j) + g1 * *reinterpret_cast<const Four*>(r1 + j)) +
            (g2 * *reinterpret_cast<const Four*>(r2 + j) + g3 * *reinterpret_cast<const Four*>(r3 + j));
      }
    }
  }
  return true;
}

/// Down by subtracting whole rows, up with sums over them, four at a time.
VINCULUM_CLONES void solve_cholesky(const double* U, int n, const double* corners, double* x) {
  const int stride = padded(n);
  for (int g = 0; g < stride; g += 4) {
    const double *const r0 = U + g * stride, *const r1 = r0 + stride, *const r2 = r1 + stride, *const r3 = r2 + stride;
    Four y = *reinterpret_cast<const Four*>(x + g);
    combine(corners + 8 * g, y);
    *reinterpret_cast<Four*>(x + g) = y;
    const Four g0 = {y[0], y[0], y[0], y[0]}, g1 = {y[1], y[1], y[1], y[1]};
    const Four g2 = {y[2], y[2], y[2], y[2]}, g3 = {y[3], y[3], y[3], y[3]};
    for (int j = g + 4; j < stride; j += 4) {
      *reinterpret_cast<Four*>(x + j) -=
          (g0 * *reinterpret_cast<const Four*>(r0 + j) + g1 * *reinterpret_cast<const Four*>(r1 + j)) +
          (g2 * *reinterpret_cast<const Four*>(r2 + j) + g3 * *reinterpret_cast<const Four*>(r3 + j));
    }
  }
  for (int g = stride - 4; g >= 0; g -= 4) {
    Four y = *reinterpret_cast<const Four*>(x + g);
    if (g + 4 < stride) {
      double s[4];
      dot_four(x + g + 4, U + g * stride + g + 4, stride, stride - g - 4, s);
      y -= Four{s[0], s[1], s[2], s[3]};
    }
    combine(corners + 8 * g + 16, y);
    *reinterpret_cast<Four*>(x + g) = y;
  }
}

VINCULUM_CLONES void solve_cholesky_four(const double* U, int n, const double* corners, int zeros, double* x) {
  const int stride = padded(n);
  Four* const y = reinterpret_cast<Four*>(x);
  for (int i = zeros; i < n; ++i) {
    const double* const row = U + i * stride;
    const double f = corners[8 * (i & ~3) + 5 * (i & 3)];  // 1/U_ii
    const Four v = y[i] * Four{f, f, f, f};
    y[i] = v;
    for (int k = i + 1; k < n; ++k) y[k] -= Four{row[k], row[k], row[k], row[k]} * v;
  }
  for (int i = n - 1; i >= 0; --i) {
    const double* const row = U + i * stride;
    Four even = y[i], odd = {0, 0, 0, 0};
    int k = i + 1;
    for (; k + 2 <= n; k += 2) {
      even -= Four{row[k], row[k], row[k], row[k]} * y[k];
      odd -= Four{row[k + 1], row[k + 1], row[k + 1], row[k + 1]} * y[k + 1];
    }
    if (k < n) even -= Four{row[k], row[k], row[k], row[k]} * y[k];
    const double f = corners[8 * (i & ~3) + 5 * (i & 3)];
    y[i] = (even + odd) * Four{f, f, f, f};
  }
}

}  // namespace vinculum::algebra
