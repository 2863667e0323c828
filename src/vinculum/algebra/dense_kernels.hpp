// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic on small dense matrices, row major, each row padded with zeros to a multiple of four doubles. Compiled
// for plain x86-64 and for AVX2 (clones.hpp), with the same bits.
#pragma once

namespace vinculum::algebra {

/// n rounded up to a multiple of four.
constexpr int padded(int n) { return (n + 3) & ~3; }

/// Rows row .. row + rows of the lower triangle of G = A Aᵀ (rows ≤ 3), up to the diagonal and on to a multiple of four
/// entries. A is given by its columns of `stride` doubles, `listed` is where the `count` columns begin in which these
/// rows are not zero. G has rows of `stride` doubles, too.
void gram_rows(const double* columns, int stride, const int* listed, int count, int row, int rows, double* G);

/// y = G x for `rows` rows (a multiple of four) of `width` doubles (padded).
void multiply(const double* G, int rows, int width, const double* x, double* y);

/// A ← its LU factors with row exchanges, n × n in padded(n) rows of padded(n) doubles, the last ones zero. `order`
/// receives the rows, `inverse` the inverse pivots. False when a pivot is zero or not finite.
bool factor_lu(double* A, int n, int* order, double* inverse);

/// x = A⁻¹ b with the factors; x has padded(n) entries, apart from b.
void solve_lu(const double* A, int n, const int* order, const double* inverse, const double* b, double* x);

/// The upper triangle of A, symmetric and positive definite, ← its factor, A = UᵀU; n × n in padded(n) rows of
/// padded(n) doubles, of which the last columns are zero. `corners`, of 8 padded(n) doubles, receives the inverses of
/// the 4 × 4 blocks on the diagonal of U, each followed by its transpose: without them a solve would wait for one
/// unknown after the other. False when a pivot is not positive. What is below the diagonal is lost.
bool factor_cholesky(double* A, int n, double* corners);

/// x ← A⁻¹ x with that factor; x has padded(n) entries, the last ones zero.
void solve_cholesky(const double* U, int n, const double* corners, double* x);

/// The same for four columns, x[4 i + column]; columns that begin with `zeros` zeros.
void solve_cholesky_four(const double* U, int n, const double* corners, int zeros, double* x);

}  // namespace vinculum::algebra
