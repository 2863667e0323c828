// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/contact/block_product.hpp"

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
  const std::size_t n = problem.size();
  z.assign(6 * problem.nodes, 0.0);
  xi.resize(n);
  const auto one_row = [&](std::size_t i) { return laws::law_of(problem.law[i]).rows() == 1; };
  for (std::size_t i = 0; i < n; ++i) add_to_nodes(problem, i, one_row(i), Lambda[i], z);
  for (std::size_t i = 0; i < n; ++i) xi[i] = velocity_of(problem, i, one_row(i), z).xi;
}

}  // namespace vinculum::contact
