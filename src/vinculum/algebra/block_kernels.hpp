// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic on dense 6 × 6 blocks, row major, 36 doubles. Compiled once for plain x86-64 and once for AVX2 and chosen
// when the program starts; neither contracts a*b+c and both add in the same order, so the bits are the same.
#pragma once

namespace vinculum::algebra {

/// C_k −= A B_k for k < count;  B_k = B + 36 k,  C_k = C + 36 slot[k].
void subtract_products(const double* A, const double* B, const int* slot, int count, double* C);

/// C = A B.
void multiply(const double* A, const double* B, double* C);

/// sum[r] −= Σ_k (A_k x_k)[r] with A_k = A + 36 k, x_k = x + 6 index[k].
void subtract_times_vectors(const double* A, const int* index, int count, const double* x, double* sum);

/// y = A x (y and x apart).
void times_vector(const double* A, const double* x, double* y);

/// A ← A⁻¹, partial pivoting. False when a pivot is zero or not finite.
bool invert(double* A);

}  // namespace vinculum::algebra
