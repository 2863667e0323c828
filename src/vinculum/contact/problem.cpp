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

namespace {

typedef double Two __attribute__((vector_size(16), aligned(8), may_alias));

/// z += a row, six entries.
inline void add_row(const double* row, double a, double* z) {
  const Two aa = {a, a};
  for (int k = 0; k < 6; k += 2) *reinterpret_cast<Two*>(z + k) += aa * *reinterpret_cast<const Two*>(row + k);
}

inline double dot_row(const double* row, const double* z) {
  Two sum = *reinterpret_cast<const Two*>(row) * *reinterpret_cast<const Two*>(z);
  for (int k = 2; k < 6; k += 2) sum += *reinterpret_cast<const Two*>(row + k) * *reinterpret_cast<const Two*>(z + k);
  return sum[0] + sum[1];
}

}  // namespace

// z = Jᵀ Λ block by block, then ξ = J z + c: sums in the order of the blocks. Laws of one row have zeros in the others.
void apply(const ContactProblem& problem, const std::vector<Vec3>& Lambda, std::vector<double>& z,
           std::vector<Vec3>& xi) {
  const std::size_t n = problem.size();
  z.resize(6 * problem.nodes);
  std::fill(z.begin(), z.end(), 0.0);
  xi.resize(n);
  const std::span<const laws::LawType> types = laws::law_types();
  const auto rows = [&](std::size_t i) { return types[static_cast<std::size_t>(problem.law[i])].law->rows(); };
  for (std::size_t i = 0; i < n; ++i) {
    if (Lambda[i][0] == 0 && Lambda[i][1] == 0 && Lambda[i][2] == 0) continue;
    const int count = rows(i);
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
      const double* J = problem.J[e].data();
      for (int k = 0; k < count; ++k) add_row(J + 6 * k, Lambda[i][k], z.data() + 6 * problem.node[e]);
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    Vec3 sum = problem.c[i];
    const int count = rows(i);
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
      const double* J = problem.J[e].data();
      for (int k = 0; k < count; ++k) sum[k] += dot_row(J + 6 * k, z.data() + 6 * problem.node[e]);
    }
    xi[i] = sum;
  }
}

}  // namespace vinculum::contact
