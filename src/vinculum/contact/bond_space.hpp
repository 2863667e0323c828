// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Redundant bonds ask for the same thing twice: a spatial linkage closed by a hinge, planar loops closed by balls. On
// the constraint itself their rows J depend on each other exactly; at the midpoint of a step, off it by O(dt²), they do
// so up to a small pivot, and taken at their word they would stop the motion that the linkage has, with impulses
// without bound. So rows are kept up to a part kRank of the largest pivot. J P = Q R with rank r, Q₁ the first r
// columns of Q:
//   J ← Q₁Q₁ᵀ J,   c ← Q₁Q₁ᵀ c,   Λ ← Q₁Q₁ᵀ Λ
// The last is the impulse of least norm among those that act alike.
#pragma once

#include "vinculum/contact/problem.hpp"

#include <Eigen/QR>
#include <span>

namespace vinculum::contact {

class BondSpace {
 public:
  /// The blocks from `first` on are bonds with so many rows each. Rewrites them where rows are redundant.
  void reduce(std::size_t first, std::span<const int> rows, ContactProblem& problem);

  int redundant() const { return redundant_; }
  /// 1 − Q₁Q₁ᵀ over the rows of the bonds: on the impulses that act on nothing. Only where some are redundant.
  Eigen::MatrixXd null_projector() const;

  /// Λ of those blocks, in the axes of their laws.
  void project(std::span<Vec3> Lambda) const;

 private:
  void gather(const ContactProblem& problem);
  void rewrite(ContactProblem& problem) const;

  std::size_t first_ = 0;
  int redundant_ = 0;
  std::vector<int> rows_, nodes_;
  Eigen::MatrixXd J_, Q_;  // Q₁
  Eigen::VectorXd c_;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr_;  // of J: scratch
};

}  // namespace vinculum::contact
