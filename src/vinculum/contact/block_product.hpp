// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Products with one block of J, for `apply` and `measure`. Laws of one row have zeros in the others, which are not
// read.
#pragma once

#include "vinculum/contact/problem.hpp"

namespace vinculum::contact {

using Pair = Eigen::Array<double, 2, 1>;

template <bool one_row>
inline void add_rows_to_nodes(const ContactProblem& problem, std::size_t i, const Vec3& Lambda,
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

/// z += J_iᵀ Λ_i
inline void add_to_nodes(const ContactProblem& problem, std::size_t i, bool one_row, const Vec3& Lambda,
                         std::vector<double>& z) {
  one_row ? add_rows_to_nodes<true>(problem, i, Lambda, z) : add_rows_to_nodes<false>(problem, i, Lambda, z);
}

/// ξ_i = J_i z + c_i, and tr G_ii.
struct BlockVelocity {
  Vec3 xi;
  double trace;
};

template <bool one_row>
inline BlockVelocity velocity_of_rows(const ContactProblem& problem, std::size_t i, const std::vector<double>& z) {
  Pair sum[3] = {Pair::Zero(), Pair::Zero(), Pair::Zero()}, trace = Pair::Zero();
  for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
    const double* const z_node = z.data() + 6 * problem.node[e];
    const double* const J = problem.J[e].data();
    for (int k = 0; k < 6; k += 2) {
      const Pair z_k = Pair::Map(z_node + k), J_0 = Pair::Map(J + k);
      sum[0] += J_0 * z_k;
      trace += J_0 * J_0;
      if (one_row) continue;
      const Pair J_1 = Pair::Map(J + 6 + k), J_2 = Pair::Map(J + 12 + k);
      sum[1] += J_1 * z_k;
      trace += J_1 * J_1;
      sum[2] += J_2 * z_k;
      trace += J_2 * J_2;
    }
  }
  const Vec3& c = problem.c[i];
  return {{c[0] + sum[0].sum(), c[1] + sum[1].sum(), c[2] + sum[2].sum()}, trace.sum()};
}

inline BlockVelocity velocity_of(const ContactProblem& problem, std::size_t i, bool one_row,
                                 const std::vector<double>& z) {
  return one_row ? velocity_of_rows<true>(problem, i, z) : velocity_of_rows<false>(problem, i, z);
}

}  // namespace vinculum::contact
