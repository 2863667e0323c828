// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A problem in contact space on unit-free variables (theory/solving-friction.md 1), one scalar d_i per contact:
//   r = σ D r',  u = σ D⁻¹ u',  u' = W' r' + q',   W' = D W D,  q' = D q / σ,   d_i = (tr W_ii / d)^(-1/2),  σ = |D q|
// Rows = 3: Coulomb, one group of tangents. Rows = 5: rolling friction, two groups. Plane problems are Rows = 3 with a
// second tangent that nothing couples to: W'_22 = 1, q'_2 = 0, so that r_2 = u_2 = 0 in every solution.
// Vectors hold `stride` doubles per contact, the last ones zero.
#pragma once

#include "vinculum/algebra/block_lu.hpp"
#include "vinculum/contact/explicit_problem.hpp"
#include "vinculum/solvers/kernels.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

namespace vinculum::solvers {

template <int Rows>
class ContactSpace {
 public:
  static constexpr int stride = algebra::BlockKernels<Rows>::stride;
  static constexpr int block_size = algebra::BlockKernels<Rows>::size;
  static constexpr int groups = (Rows - 1) / 2;

  struct Errors {
    double judged, scaled, over_q;  // over_q: the unit-free map over |q'|
    /// What methods steer by, reached when ≤ 1: the unit-free error over the one aimed at, so that units change
    /// nothing. Contradictory problems, whose impulses grow without end, do not pass because errors are divided by |r|:
    /// `over_q` must stay below 1e-3.
    double miss(double aim) const { return over_q > 1e-3 ? std::max(scaled / aim, 1e3 * over_q) : scaled / aim; }
  };

  void build(const contact::ExplicitProblem& problem);

  std::size_t size() const { return d.size(); }
  std::size_t numbers() const { return stride * size(); }
  const double* W_rows(int entry) const { return rows_.data() + block_size * static_cast<std::size_t>(entry); }
  double mu(std::size_t i, int group) const { return mu_[groups * i + static_cast<std::size_t>(group)]; }
  const double* mu_of(std::size_t i) const { return mu_.data() + groups * i; }  // one per group

  void scale(std::span<const double> r_given, std::vector<double>& r) const;
  void unscale(const std::vector<double>& r, std::vector<double>& r_given) const;

  /// u = W r + q, and dv = W dx.
  void velocity(const std::vector<double>& r, std::vector<double>& u) const;
  void product(const std::vector<double>& x, std::vector<double>& y) const;
  /// y += Σ W_ij r_j over the entries [begin, end).
  void add_products(int begin, int end, const double* r, double* y) const;

  /// The natural map of every contact at (r, u), relative: unit-free, and in the units given (FCLIB's measure).
  Errors errors(const std::vector<double>& r, const std::vector<double>& u) const;

  /// r_i ← P_K(r_i).
  void project(std::vector<double>& r) const;
  void project_block(std::size_t i, double* x) const;

  std::vector<int> row, column, diagonal;  // of W by blocks; diagonal: entry of W_ii
  std::vector<double> q, d;
  double sigma = 1;

 private:
  int given_rows_ = Rows;
  double q_square_ = 0, q_given_square_ = 0;
  std::vector<double> rows_, columns_;  // W' by rows, and by columns padded alike
  std::vector<double> mu_;
};

template <int Rows>
inline void ContactSpace<Rows>::add_products(int begin, int end, const double* r, double* y) const {
  constexpr int pairs = stride / 2;
  Pair sum[pairs];
  for (int p = 0; p < pairs; ++p) sum[p] = reinterpret_cast<const Pair*>(y)[p];
  for (int e = begin; e < end; ++e) {
    const Pair* A = reinterpret_cast<const Pair*>(columns_.data() + block_size * static_cast<std::size_t>(e));
    const double* x = r + stride * column[e];
#pragma GCC unroll 5
    for (int b = 0; b < Rows; ++b) {
      const Pair f = {x[b], x[b]};
#pragma GCC unroll 3
      for (int p = 0; p < pairs; ++p) sum[p] += A[pairs * b + p] * f;
    }
  }
  for (int p = 0; p < pairs; ++p) reinterpret_cast<Pair*>(y)[p] = sum[p];
}

/// A matrix of the pattern of W with its factors.
template <int Rows>
class ContactMatrix {
 public:
  static constexpr int stride = ContactSpace<Rows>::stride;

  /// Where a factorisation takes more than `most_flops` none can be made, and flops() is infinite.
  void prepare(const ContactSpace<Rows>& space, double most_flops = std::numeric_limits<double>::infinity());
  double flops() const { return lu_.flops(); }
  void clear() { lu_.clear_values(); }
  double* block(int entry) { return lu_.block(slot_[static_cast<std::size_t>(entry)]); }
  bool factor() {
    ++factorisations;
    return lu_.factor();
  }
  void solve(std::vector<double>& x) { lu_.solve(x); }

  int factorisations = 0;  // since the last prepare

 private:
  algebra::BasicBlockLU<Rows> lu_;
  std::vector<int> start_, adjacent_, mark_, slot_;
  std::vector<std::vector<int>> neighbours_;
};

/// C += A B for blocks stored by rows.
template <int Rows, int Stride>
inline void add_block_product(const double* A, const double* B, double* C) {
  for (int a = 0; a < Rows; ++a) {
    for (int p = 0; p < Rows; ++p) {
      const double f = A[Stride * a + p];
      for (int b = 0; b < Stride; ++b) C[Stride * a + b] += f * B[Stride * p + b];
    }
  }
}

/// Sum of squares in index order, two running sums.
double square(const std::vector<double>& x);

}  // namespace vinculum::solvers
