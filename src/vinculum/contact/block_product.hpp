// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Products with one block of J, for `apply` and `measure`. Laws of one row have zeros in the others, which are not
// read.
#pragma once

#include "vinculum/contact/problem.hpp"

namespace vinculum::contact {

using Vec6 = Eigen::Matrix<double, 6, 1>;

/// z += J_iᵀ Λ_i
inline void add_to_nodes(const ContactProblem& problem, std::size_t i, bool one_row, const Vec3& Lambda,
                         std::vector<double>& z) {
  for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
    Eigen::Map<Vec6> z_node(z.data() + 6 * problem.node[e]);
    const JBlock& J = problem.J[e];
    if (one_row) {
      z_node += J.row(0).transpose() * Lambda[0];
    } else {
      z_node += J.row(0).transpose() * Lambda[0] + J.row(1).transpose() * Lambda[1] + J.row(2).transpose() * Lambda[2];
    }
  }
}

/// ξ_i = J_i z + c_i
inline Vec3 velocity_of(const ContactProblem& problem, std::size_t i, bool one_row, const std::vector<double>& z) {
  Vec3 sum = problem.c[i];
  for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
    const Eigen::Map<const Vec6> z_node(z.data() + 6 * problem.node[e]);
    if (one_row) {
      sum.x() += problem.J[e].row(0).dot(z_node);
    } else {
      sum.noalias() += problem.J[e] * z_node;
    }
  }
  return sum;
}

}  // namespace vinculum::contact
