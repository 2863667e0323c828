// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The problem on unit-free variables (theory/solving-friction.md 1), one scalar d_i per block:
//   Λ = σ D r,  ξ = σ D⁻¹ u,  u = J' J'ᵀ r + c',   J' = D J,  c' = D c / σ,   d_i = (tr G_ii / rows_i)^(-1/2),  σ = |D
//   c|
// Diagonal blocks get mean diagonal 1 and |c'| = 1, so that constants of the methods are pure numbers.
#pragma once

#include "vinculum/contact/problem.hpp"

#include <span>
#include <vector>

namespace vinculum::solvers {

using contact::ContactProblem;
using contact::Vec3;

class ScaledProblem {
 public:
  void build(const ContactProblem& problem);

  std::size_t size() const { return c.size(); }
  std::size_t nodes() const { return problem->nodes; }
  int begin(std::size_t i) const { return problem->row[i]; }
  int end(std::size_t i) const { return problem->row[i + 1]; }
  int node(int entry) const { return problem->node[entry]; }
  const double* J_entry(int entry) const { return J.data() + 18 * static_cast<std::size_t>(entry); }

  void scale(const std::vector<Vec3>& Lambda, std::vector<Vec3>& r) const;
  void unscale(const std::vector<Vec3>& r, std::vector<Vec3>& Lambda) const;

  /// z = J'ᵀ r and u = J' z + c', in the order of the blocks.
  void impulse_to_nodes(const std::vector<Vec3>& r, std::vector<double>& z) const;
  void velocity(const std::vector<double>& z, std::vector<Vec3>& u) const;

  /// The scaled error of (r, u): |natural map| / max(|c'|, |u|, |r|).
  double error(const std::vector<Vec3>& r, const std::vector<Vec3>& u) const;

  const ContactProblem* problem = nullptr;
  std::vector<double> J;  // 18 per entry, row major
  std::vector<Vec3> c;
  std::vector<double> d;
  std::vector<double> mu;  // of the laws, on r: the size of a set that is no cone is divided by σ d
  std::vector<const laws::ForceLaw*> law;
  std::vector<char> one_row;  // blocks of one row
  double sigma = 1;
  double c_norm = 0;  // |c'|: 1, or 0 where c = 0
};

/// |u| > |c'|/1000: not at rest, whatever the tolerance.
bool is_moving(const std::vector<Vec3>& u);

/// r_i = PC(r_i): admissible impulses.
void make_admissible(const ScaledProblem& scaled, std::vector<Vec3>& r);

/// Sum of squares in index order.
double squared_norm(const std::vector<Vec3>& x);

}  // namespace vinculum::solvers
