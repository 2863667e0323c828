// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The one problem in contact space, with its matrix written out block by block. W need not be symmetric.
//
//   u = W r + q,    K_i ∋ r_i ⊥ u_i + (Σ_g μ_g |u_g|) n ∈ K_i*,    K_i = { |r_g| ≤ μ_g r_N for every group g }
//
// A block has d rows: the normal and one group of tangents. d = 2: one tangent; d = 3: two; d = 5: two tangents with μ
// and two rolling rows with μ_r (rolling friction, Acary & Bourrier 2021). Coulomb's law is the case of one group, in
// De Saxcé's form. μ = 0 is frictionless: the group carries no impulse.
#pragma once

#include "vinculum/contact/problem.hpp"

#include <span>
#include <vector>

namespace vinculum::contact {

struct ExplicitProblem {
  int dimension = 3;          // d
  std::vector<int> row;       // blocks + 1 offsets into column, value
  std::vector<int> column;    // ascending within a row
  std::vector<double> value;  // d × d per entry, row major
  std::vector<double> q;      // d per block
  std::vector<double> mu;     // per block, ≥ 0
  std::vector<double> mu_r;   // per block where d = 5, else empty

  std::size_t size() const { return mu.size(); }
  const double* block(int entry) const { return value.data() + static_cast<std::size_t>(entry) * d2(); }
  double* block(int entry) { return value.data() + static_cast<std::size_t>(entry) * d2(); }

 private:
  std::size_t d2() const { return static_cast<std::size_t>(dimension * dimension); }
};

/// u = W r + q.
void apply(const ExplicitProblem& problem, std::span<const double> r, std::vector<double>& u);

/// Errors of a candidate, from the problem alone; no code of the solvers. The natural map of a block is
///   r − P_K(r − u − (Σ_g μ_g |u_g|) n).
/// `scaled`: the same with r = σ D r', u = σ D⁻¹ u', d_i = (tr W_ii / d)^(-1/2); a block with tr W_ii ≤ 0 takes the
/// smallest d of the others. `over_c` divides the scaled map by |q'|. `u` receives W r + q.
Errors measure(const ExplicitProblem& problem, std::span<const double> r, std::vector<double>& u);

/// Largest |W − Wᵀ| over the largest |W|: 0 for a symmetric matrix.
double asymmetry(const ExplicitProblem& problem);

}  // namespace vinculum::contact
