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

// z = Jᵀ Λ block by block, then ξ = J z + c: sums in the order of the blocks. Laws of one row have zeros in the others.
void apply(const ContactProblem& problem, const std::vector<Vec3>& Lambda, std::vector<double>& z,
           std::vector<Vec3>& xi) {
  using Vec6 = Eigen::Matrix<double, 6, 1>;
  const std::size_t n = problem.size();
  z.resize(6 * problem.nodes);
  std::fill(z.begin(), z.end(), 0.0);
  xi.resize(n);
  const auto one_row = [&](std::size_t i) { return laws::law_of(problem.law[i]).rows() == 1; };
  for (std::size_t i = 0; i < n; ++i) {
    if (one_row(i)) {
      for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
        Eigen::Map<Vec6>(z.data() + 6 * problem.node[e]) += problem.J[e].row(0).transpose() * Lambda[i][0];
      }
      continue;
    }
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
      Eigen::Map<Vec6> z_node(z.data() + 6 * problem.node[e]);
      const JBlock& J = problem.J[e];
      z_node += J.row(0).transpose() * Lambda[i][0] + J.row(1).transpose() * Lambda[i][1] +
                J.row(2).transpose() * Lambda[i][2];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    Vec3 sum = problem.c[i];
    if (one_row(i)) {
      for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
        sum.x() += problem.J[e].row(0).dot(Eigen::Map<const Vec6>(z.data() + 6 * problem.node[e]));
      }
      xi[i] = sum;
      continue;
    }
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
      sum.noalias() += problem.J[e] * Eigen::Map<const Vec6>(z.data() + 6 * problem.node[e]);
    }
    xi[i] = sum;
  }
}

}  // namespace vinculum::contact
