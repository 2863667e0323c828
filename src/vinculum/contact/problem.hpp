// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The one problem of mechanics, block by block:
//
//   find (ξ, Λ):   ξ = G Λ + c,    −ξ_i ∈ N_{C_i}(Λ_i) for every block i
//
// G = Wᵀ M⁻¹ W is kept in factored form, G = J Jᵀ with J = Wᵀ L⁻ᵀ, M = L Lᵀ, so that a product costs O(blocks):
//   ξ = J z + c,   z = Jᵀ Λ        z: velocity change in mass-weighted coordinates, six per node (body)
// J is sparse by blocks of 3 × 6: block i touches the nodes node[row[i] .. row[i+1]).
#pragma once

#include "vinculum/laws/law.hpp"

#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace vinculum::contact {

using algebra::Vec3;
using JBlock = Eigen::Matrix<double, 3, 6, Eigen::RowMajor>;

struct ContactProblem {
  std::size_t nodes = 0;  // six coordinates each
  std::vector<int> row;   // blocks + 1 offsets into node, J
  std::vector<int> node;  // ascending within a row, each node at most once per row
  std::vector<JBlock> J;  // rows of unused law rows are zero
  std::vector<Vec3> c;    // free part (m/s)
  std::vector<laws::Kind> law;
  std::vector<double> mu;

  std::size_t size() const { return law.size(); }
  void clear();  // keeps the memory
};

/// ξ = G Λ + c.
void apply(const ContactProblem& problem, const std::vector<Vec3>& Lambda, std::vector<double>& z,
           std::vector<Vec3>& xi);

/// Errors of a candidate, recomputed from the problem alone. All are 0 for a problem without blocks. In the scaled ones
/// a block that cannot move (G_ii = 0) takes the smallest d of the others, 1 if there is none.
struct Errors {
  double judged = 0;  // |natural map| / max(|c|, |ξ|, |Λ|), the FCLIB measure: mixes units
  // The same on unit-free variables Λ = σ D Λ', ξ = σ D⁻¹ ξ', d_i = (tr G_ii / rows)^(-1/2), σ = |D c|
  double scaled = 0;
  double over_c = 0;  // scaled natural map over |c'| alone (= 1): the strictest
};

/// Shares no code with the solvers' sweeps. `xi` receives G Λ + c.
Errors measure(const ContactProblem& problem, const std::vector<Vec3>& Lambda, std::vector<double>& z,
               std::vector<Vec3>& xi);

}  // namespace vinculum::contact
