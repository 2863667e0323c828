// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/contact/problem.hpp"

#include <algorithm>

namespace vinculum::contact {

void ContactProblem::clear() {
  nodes = 0;
  row.clear();
  node.clear();
  J.clear();
  c.clear();
  law.clear();
  mu.clear();
}

// z = Jᵀ Λ block by block, then ξ = J z + c: sums in the order of the blocks.
void apply(const ContactProblem& problem, const std::vector<Vec3>& Lambda, std::vector<double>& z,
           std::vector<Vec3>& xi) {
  using Vec6 = Eigen::Matrix<double, 6, 1>;
  const std::size_t n = problem.size();
  z.resize(6 * problem.nodes);
  std::fill(z.begin(), z.end(), 0.0);
  xi.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
      Eigen::Map<Vec6> z_node(z.data() + 6 * problem.node[e]);
      const JBlock& J = problem.J[e];
      z_node += J.row(0).transpose() * Lambda[i][0] + J.row(1).transpose() * Lambda[i][1] +
                J.row(2).transpose() * Lambda[i][2];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    Vec3 sum = problem.c[i];
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
      sum.noalias() += problem.J[e] * Eigen::Map<const Vec6>(z.data() + 6 * problem.node[e]);
    }
    xi[i] = sum;
  }
}

}  // namespace vinculum::contact
