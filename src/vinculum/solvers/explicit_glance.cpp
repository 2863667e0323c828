// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/explicit_glance.hpp"

#include "vinculum/laws/coulomb.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::solvers {
namespace {

// Plane contact that is pressed, b_N < 0: stick r = −A⁻¹ b if |r_T| ≤ μ r_N; else slip on the side to which the stick
// points, r_T = ±μ r_N, r_N = −b_N/(A_NN ± μ A_NT). False where these are not numbers.
bool solve_plane(const double* A, const double* b, double mu, double* r) {
  const double det = A[0] * A[3] - A[1] * A[2];
  r[0] = (A[1] * b[1] - A[3] * b[0]) / det;
  r[1] = (A[2] * b[0] - A[0] * b[1]) / det;
  if (det > 0 && std::abs(r[1]) <= mu * r[0]) return true;
  const double side = r[1] < 0 ? -mu : mu, slope = A[0] + side * A[1];
  r[0] = -b[0] / slope;
  r[1] = side * r[0];
  return det > 0 && slope > 0;
}

bool solve_space(const double* A, const double* b, double mu, double* r) {
  laws::Mat3 block;
  for (int a = 0; a < 3; ++a) {
    for (int c = 0; c < 3; ++c) block(a, c) = A[3 * a + c];
  }
  const laws::CoulombBlock coulomb = laws::make_coulomb_block(block);
  const algebra::Vec3 free(b[0], b[1], b[2]);
  double slip = 0;
  const algebra::Vec3 answer =
      coulomb.round ? laws::solve_round_block(coulomb, free, mu) : laws::solve_coulomb_block(coulomb, free, mu, slip);
  for (int k = 0; k < 3; ++k) r[k] = answer[k];
  return answer.allFinite();
}

template <int Rows>
Glance look(const contact::ExplicitProblem& problem, int most_sweeps, double step, double* r) {
  Glance out;
  const int n = static_cast<int>(problem.size());
  while (out.sweeps < most_sweeps && !out.still) {
    ++out.sweeps;
    double change = 0, size = 0;
    for (int i = 0; i < n; ++i) {
      double b[Rows], next[Rows] = {};
      for (int a = 0; a < Rows; ++a) b[a] = problem.q[static_cast<std::size_t>(Rows * i + a)];
      const double* diagonal = nullptr;
      for (int e = problem.row[static_cast<std::size_t>(i)]; e < problem.row[static_cast<std::size_t>(i) + 1]; ++e) {
        const double* A = problem.block(e);
        const int j = problem.column[static_cast<std::size_t>(e)];
        const double* x = r + Rows * j;
        if (j == i) {
          diagonal = A;
          continue;
        }
        for (int a = 0; a < Rows; ++a) {
          for (int c = 0; c < Rows; ++c) b[a] += A[Rows * a + c] * x[c];
        }
      }
      if (b[0] < 0) {
        const double mu = problem.mu[static_cast<std::size_t>(i)];
        const bool answered =
            diagonal && (Rows == 2 ? solve_plane(diagonal, b, mu, next) : solve_space(diagonal, b, mu, next));
        if (!answered) {
          std::fill(r, r + Rows * n, 0.0);
          return {};
        }
      }
      for (int k = 0; k < Rows; ++k) {
        double& old = r[Rows * i + k];
        change += (next[k] - old) * (next[k] - old);
        size += next[k] * next[k];
        old = next[k];
      }
    }
    out.still = change <= step * step * size;
  }
  return out;
}

}  // namespace

Glance glance(const contact::ExplicitProblem& problem, int most_sweeps, double step, std::vector<double>& r) {
  if (problem.dimension == 5) return {};  // the answer of a block is not in closed form
  return problem.dimension == 2 ? look<2>(problem, most_sweeps, step, r.data())
                                : look<3>(problem, most_sweeps, step, r.data());
}

}  // namespace vinculum::solvers
