// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Products with one block of J, for `apply` and `measure`. Laws of one row have zeros in the others, which are not
// read.
#pragma once

#include "vinculum/contact/problem.hpp"

namespace vinculum::contact {

using Pair = Eigen::Array<double, 2, 1>;

/// z += J_iᵀ Λ_i
inline void add_to_nodes(const ContactProblem& problem, std::size_t i, bool one_row, const Vec3& Lambda,
                         std::vector<double>& z) {
  for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
    double* const z_node = z.data() + 6 * problem.node[e];
    const double* const J = problem.J[e].data();
    for (int k = 0; k < 6; k += 2) {
      Pair sum = Pair::Map(J + k) * Lambda[0];
      if (!one_row) sum += Pair::Map(J + 6 + k) * Lambda[1] + Pair::Map(J + 12 + k) * Lambda[2];
      Pair::Map(z_node + k) += sum;
    }
  }
}

/// ξ_i = J_i z + c_i, and tr G_ii.
struct BlockVelocity {
  Vec3 xi;
  double trace;
};

inline BlockVelocity velocity_of(const ContactProblem& problem, std::size_t i, bool one_row,
                                 const std::vector<double>& z) {
  Pair sum[3] = {Pair::Zero(), Pair::Zero(), Pair::Zero()}, trace = Pair::Zero();
  for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
    const double* const z_node = z.data() + 6 * problem.node[e];
    const double* const J = problem.J[e].data();
    for (int k = 0; k < 6; k += 2) {
      const Pair z_k = Pair::Map(z_node + k);
      for (int r = 0; r < (one_row ? 1 : 3); ++r) {
        const Pair J_rk = Pair::Map(J + 6 * r + k);
        sum[r] += J_rk * z_k;
        trace += J_rk * J_rk;
      }
    }
  }
  const Vec3& c = problem.c[i];
  return {{c[0] + sum[0].sum(), c[1] + sum[1].sum(), c[2] + sum[2].sum()}, trace.sum()};
}

}  // namespace vinculum::contact
