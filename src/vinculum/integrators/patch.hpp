// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Contacts of the same two bodies, one of them a link of a tree, that rest on each other (held, or landings that have
// arrived) agree on what is added to γ⁺. Of two rigid bodies the rows d of a contact at x see one relative motion,
//   γ = d·(v + ω × x) = [dᵀ  (x × d)ᵀ] (v, ω),   of all rows γ = A (v, ω)
// the normal of each contact and the tangents of those that stick. Gaps and turnings o are second order in dt and do
// not all lie in the range of A: four corners of a foot say each something else of its twist. What is left, o − A A⁺ o,
// is a velocity that no impulse changes. Along the self-stresses that A has then, Aᵀ s = 0, the laws ask for
// Σ s·ξ = Σ s·o ≠ 0: no solution, or one in which some contact goes to the edge of its cone by stresses that nothing
// but this remainder determines, others in each step. So
//   o ← A A⁺ o
// by least squares over the rows, and impulses of such a patch are those of its load (decisions/patches.md).
// Rows of impacts, of what slides and of what is still coming keep what their own law says.
#pragma once

#include "vinculum/contact/frame.hpp"

#include <span>
#include <vector>

namespace vinculum::integrators {

using contact::Vec3;

class Patch {
 public:
  void clear() {
    contacts_.clear();
    all_stick_ = true;
  }
  /// A contact with the rows n, and t1 and t2 if it sticks, as columns of F, at x.
  void add(const contact::Mat3& F, const Vec3& x, const Vec3& offset, bool sticks) {
    contacts_.push_back({F, x, offset, sticks});
    all_stick_ = all_stick_ && sticks;
  }
  /// o − A A⁺ o of each contact, in the order in which they were added; 0 for tangents that are no rows.
  std::span<const Vec3> remainder();

 private:
  struct Contact {
    contact::Mat3 F;
    Vec3 x, offset;
    bool sticks;
  };

  void place();
  void remainder_of_points();
  void remainder_of_rows();

  std::vector<Contact> contacts_;
  bool all_stick_ = true;
  Vec3 centre_ = Vec3::Zero();
  double scale_ = 0;  // 1 over the reach of the points
  std::vector<Vec3> rest_;
};

}  // namespace vinculum::integrators
