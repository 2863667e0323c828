// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic on dense N × N blocks, row major, rows padded with zeros to `stride` doubles: N = 6 (bodies), 3 (contacts,
// stride 4), 5 (contacts with rolling friction, stride 6). Compiled once for plain x86-64 and once for AVX2 and chosen
// when the program starts; neither contracts a*b+c and both add in the same order, so the bits are the same.
#pragma once

namespace vinculum::algebra {

template <int N>
struct BlockKernels {
  static constexpr int stride = N <= 4 ? 4 : 6;  // doubles per row, and per node of a vector
  static constexpr int size = N * stride;        // doubles per block

  /// C_k −= A B_k for k < count;  B_k = B + size k,  C_k = C + size slot[k].
  static void subtract_products(const double* A, const double* B, const int* slot, int count, double* C);

  /// C = A B.
  static void multiply(const double* A, const double* B, double* C);

  /// sum[r] −= Σ_k (A_k x_k)[r] with A_k = A + size k, x_k = x + stride index[k].
  static void subtract_times_vectors(const double* A, const int* index, int count, const double* x, double* sum);

  /// y = A x (y and x apart); the padding of y becomes zero.
  static void times_vector(const double* A, const double* x, double* y);

  /// A ← A⁻¹, partial pivoting. False when a pivot is zero or not finite.
  static bool invert(double* A);
};

}  // namespace vinculum::algebra
