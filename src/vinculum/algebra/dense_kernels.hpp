// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic on small dense matrices, row major, each row padded with zeros to a multiple of four numbers: of one
// matrix, or of eight of the same size side by side, with the same bits (registers.hpp).
#pragma once

#include "vinculum/algebra/registers.hpp"

namespace vinculum::algebra {

/// n rounded up to a multiple of four.
constexpr int padded(int n) { return (n + 3) & ~3; }

/// Rows row .. row + rows of the lower triangle of G = A Aᵀ (rows ≤ 3), up to the diagonal and on to a multiple of four
/// entries. A is given by its columns of `stride` numbers, `listed` is where the `count` columns begin in which these
/// rows are not zero. G has rows of `stride` numbers, too.
void gram_rows(const double* columns, int stride, const int* listed, int count, int row, int rows, double* G);
void gram_rows(const Eight* columns, int stride, const int* listed, int count, int row, int rows, Eight* G);

/// y = G x for `rows` rows (a multiple of four) of `width` numbers (padded).
void multiply(const double* G, int rows, int width, const double* x, double* y);
void multiply(const Eight* G, int rows, int width, const Eight* x, Eight* y);

/// A ← its LU factors with row exchanges, n × n in padded(n) rows of padded(n) numbers, the last ones zero. The right
/// side b is exchanged with the rows; `inverse` receives the inverse pivots. Returns the lanes, as bits, in which all
/// pivots are finite and not zero.
unsigned factor_lu(double* A, int n, double* b, double* inverse);
unsigned factor_lu(Eight* A, int n, Eight* b, Eight* inverse);

/// x = A⁻¹ b with the factors; x has padded(n) entries, apart from b.
void solve_lu(const double* A, int n, const double* inverse, const double* b, double* x);
void solve_lu(const Eight* A, int n, const Eight* inverse, const Eight* b, Eight* x);

/// The upper triangle of A, symmetric and positive definite, ← its factor, A = UᵀU; n × n in padded(n) rows of
/// padded(n) numbers, of which the last columns are zero. `corners`, of 8 padded(n) numbers, receives the inverses of
/// the 4 × 4 blocks on the diagonal of U, each followed by its transpose: without them a solve would wait for one
/// unknown after the other. Returns the lanes in which all pivots are positive. What is below the diagonal is lost.
unsigned factor_cholesky(double* A, int n, double* corners);
unsigned factor_cholesky(Eight* A, int n, Eight* corners);

/// x ← A⁻¹ x with that factor; x has padded(n) entries, the last ones zero.
void solve_cholesky(const double* U, int n, const double* corners, double* x);
void solve_cholesky(const Eight* U, int n, const Eight* corners, Eight* x);

/// The same for four columns, x[4 i + column]; columns that begin with `zeros` zeros.
void solve_cholesky_four(const double* U, int n, const double* corners, int zeros, double* x);
void solve_cholesky_four(const Eight* U, int n, const Eight* corners, int zeros, Eight* x);

}  // namespace vinculum::algebra
