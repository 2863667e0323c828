// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/explicit_glance.hpp"

#include "vinculum/laws/coulomb.hpp"
#include "vinculum/solvers/rolling_block.hpp"

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

// u/β = (A/s)(s r/β) + b/β with s the mean diagonal and β = |b|: the unit-free block that solve_rolling_block wants.
bool solve_rolling(const double* A, const double* b, const double* mu, double* r) {
  double s = 0, square = 0;
  for (int k = 0; k < 5; ++k) {
    s += A[6 * k] / 5;
    square += b[k] * b[k];
  }
  if (!(s > 0)) return false;
  const double beta = std::sqrt(square);
  double block[25], free[5];
  for (int k = 0; k < 25; ++k) block[k] = A[k] / s;
  for (int k = 0; k < 5; ++k) {
    free[k] = b[k] / beta;
    r[k] *= s / beta;
  }
  solve_rolling_block<5, 5>(block, nullptr, free, mu, r);
  for (int k = 0; k < 5; ++k) r[k] *= beta / s;
  return std::all_of(r, r + 5, [](double x) { return std::isfinite(x); });
}

// r_i of the last sweep is in r, where a rolling block starts.
template <int Rows>
bool solve_block(const contact::ExplicitProblem& problem, std::size_t i, const double* A, const double* b, double* r) {
  if (!A) return false;
  const double mu = problem.mu[i];
  if constexpr (Rows == 2) return solve_plane(A, b, mu, r);
  if constexpr (Rows == 3) return solve_space(A, b, mu, r);
  const double both[2] = {mu, Rows == 5 ? problem.mu_r[i] : 0};
  return solve_rolling(A, b, both, r);
}

struct Moved {
  double change = 0, size = 0;  // |Δr|², |r|²
  bool answered = true;
};

template <int Rows>
Moved sweep(const contact::ExplicitProblem& problem, double* r) {
  Moved moved;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    double b[Rows], next[Rows] = {};
    std::copy_n(problem.q.data() + Rows * i, Rows, b);
    const double* diagonal = nullptr;
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
      const double* A = problem.block(e);
      const auto j = static_cast<std::size_t>(problem.column[static_cast<std::size_t>(e)]);
      if (j == i) {
        diagonal = A;
        continue;
      }
      for (int a = 0; a < Rows; ++a) {
        for (int c = 0; c < Rows; ++c) b[a] += A[Rows * a + c] * r[Rows * j + static_cast<std::size_t>(c)];
      }
    }
    if (b[0] < 0) std::copy_n(r + Rows * i, Rows, next);
    if (b[0] < 0 && !solve_block<Rows>(problem, i, diagonal, b, next)) return {.answered = false};
    for (std::size_t k = 0; k < Rows; ++k) {
      double& old = r[Rows * i + k];
      moved.change += (next[k] - old) * (next[k] - old);
      moved.size += next[k] * next[k];
      old = next[k];
    }
  }
  return moved;
}

template <int Rows>
Glance look(const contact::ExplicitProblem& problem, int most_sweeps, double step, std::vector<double>& r) {
  Glance out;
  double last = 0;
  while (out.sweeps < most_sweeps) {
    const Moved moved = sweep<Rows>(problem, r.data());
    if (!moved.answered) {
      std::fill(r.begin(), r.end(), 0.0);
      return {};
    }
    ++out.sweeps;
    out.still = moved.change <= step * step * moved.size;
    if (out.still || (out.sweeps > 1 && !(moved.change <= 0.25 * last))) break;
    last = moved.change;
  }
  return out;
}

}  // namespace

Glance glance(const contact::ExplicitProblem& problem, int most_sweeps, double step, std::vector<double>& r) {
  return problem.dimension == 2   ? look<2>(problem, most_sweeps, step, r)
         : problem.dimension == 3 ? look<3>(problem, most_sweeps, step, r)
                                  : look<5>(problem, most_sweeps, step, r);
}

}  // namespace vinculum::solvers
