// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Contacts of the same two bodies, one of them a link of a tree, that rest on each other (held, or landings that have
// arrived) agree on what is added to γ⁺. Of two rigid bodies their rows d_i at x_i see one relative motion,
//   γ_i = d_i·(v + ω × x_i) = [d_iᵀ  (x_i × d_i)ᵀ] (v, ω),   γ = A (v, ω)
// the normal of each and the tangents of those that stick. Gaps and turnings o_i are second order in dt and do not
// all lie in the range of A: four corners of a foot say something else of its twist each. What is left, o − A A⁺ o, is
// a velocity that no impulse changes. Along the self-stresses A has then, Aᵀ s = 0, the laws ask for Σ s·ξ = Σ s·o ≠ 0:
// no solution, or one in which some contact goes to the edge of its cone by stresses that nothing but this remainder
// determines, others in each step. So
//   o ← A A⁺ o
// by least squares over the rows, and impulses of such a patch are those of its load (decisions/patches.md).
// Rows of impacts, of what slides and of what is still coming keep what their own law says.
#pragma once

#include "vinculum/contact/problem.hpp"

#include <span>
#include <vector>

namespace vinculum::integrators {

using contact::Vec3;

class Patch {
 public:
  void clear() { rows_.clear(); }
  /// A row d at x that asks for γ + offset.
  void add(const Vec3& d, const Vec3& x, double offset) { rows_.push_back({d, x, offset}); }
  /// o − A A⁺ o, in the order in which rows were added.
  std::span<const double> remainder();

 private:
  struct Row {
    Vec3 d, x;
    double offset;
  };

  std::vector<Row> rows_;
  std::vector<double> A_, rest_;  // A by rows
};

}  // namespace vinculum::integrators
