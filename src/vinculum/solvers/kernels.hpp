// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Products with one 3 × 6 block of J (row major, 18 doubles), two doubles at a time. The order of operations is written
// out, so the bits do not depend on how the compiler vectorises.
#pragma once

namespace vinculum::solvers {

typedef double Pair __attribute__((vector_size(16), aligned(8), may_alias));

/// The three rows' partial dot products with z, summed over the nodes of a block.
struct RowSums {
  Pair s0 = {0, 0}, s1 = {0, 0}, s2 = {0, 0};

  void add(const double* J, const double* z) {
    const Pair* A = reinterpret_cast<const Pair*>(J);
    const Pair* x = reinterpret_cast<const Pair*>(z);
    s0 += A[0] * x[0] + A[1] * x[1] + A[2] * x[2];
    s1 += A[3] * x[0] + A[4] * x[1] + A[5] * x[2];
    s2 += A[6] * x[0] + A[7] * x[1] + A[8] * x[2];
  }
  /// The same for a block of one row: the others are zero and need not be read.
  void add_row(const double* J, const double* z) {
    const Pair* A = reinterpret_cast<const Pair*>(J);
    const Pair* x = reinterpret_cast<const Pair*>(z);
    s0 += A[0] * x[0] + A[1] * x[1] + A[2] * x[2];
  }
  double row0() const { return s0[0] + s0[1]; }
  double row1() const { return s1[0] + s1[1]; }
  double row2() const { return s2[0] + s2[1]; }
};

/// z += Jᵀ r
inline void add_transposed(const double* J, double r0, double r1, double r2, double* z) {
  const Pair* A = reinterpret_cast<const Pair*>(J);
  Pair* x = reinterpret_cast<Pair*>(z);
  const Pair p0 = {r0, r0}, p1 = {r1, r1}, p2 = {r2, r2};
  for (int k = 0; k < 3; ++k) x[k] += A[k] * p0 + A[3 + k] * p1 + A[6 + k] * p2;
}

/// z += Jᵀ r of a block of one row.
inline void add_transposed_row(const double* J, double r0, double* z) {
  const Pair* A = reinterpret_cast<const Pair*>(J);
  Pair* x = reinterpret_cast<Pair*>(z);
  const Pair p0 = {r0, r0};
  for (int k = 0; k < 3; ++k) x[k] += A[k] * p0;
}

}  // namespace vinculum::solvers
