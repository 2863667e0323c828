// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// One contact with rolling friction, u = A r + b, A of mean diagonal 1: Newton on F(r, u) = 0 in the form of
// explicit_law.hpp with ρ = 1. A step that does not reduce |F| is replaced by r ← PC(r − u/‖A‖).
#pragma once

#include "vinculum/solvers/explicit_law.hpp"

#include <Eigen/LU>

#include <algorithm>

namespace vinculum::solvers {

template <int Rows>
using RollingBlock = Eigen::Matrix<double, Rows, Rows, Eigen::RowMajor>;

/// A row major with `Stride` doubles per row; starts at r and leaves the answer there. Where A⁻¹ is at hand sticking is
/// tried first: r = −A⁻¹ b, u = 0, the answer if it lies in the cone.
template <int Rows, int Stride>
inline void solve_rolling_block(const double* A_rows, const RollingBlock<Rows>* inverse, const double* b,
                                const double* mu, double* r) {
  using Block = RollingBlock<Rows>;
  using Column = Eigen::Matrix<double, Rows, 1>;
  constexpr int most_steps = 20;
  if (b[0] >= 0) {
    std::fill(r, r + Rows, 0.0);
    return;
  }
  if (inverse) {
    const Column stick = -(*inverse * Eigen::Map<const Column>(b));
    bool inside = stick[0] > 0;
    for (int g = 0; g < LawPoint<Rows>::groups; ++g) {
      inside = inside && stick.template segment<2>(1 + 2 * g).norm() <= mu[g] * stick[0];
    }
    if (inside) {
      std::copy_n(stick.data(), Rows, r);
      return;
    }
  }
  Block A;
  for (int a = 0; a < Rows; ++a) {
    for (int c = 0; c < Rows; ++c) A(a, c) = A_rows[Stride * a + c];
  }
  const Column free = Eigen::Map<const Column>(b);
  Column x = Eigen::Map<const Column>(r);
  LawPoint<Rows> point;
  Column u = A * x + free;
  double merit = evaluate_law<Rows>(mu, x.data(), u.data(), 1.0, point);
  const double weight = 1 / A.norm();
  for (int step = 0; step < most_steps && merit > 1e-30; ++step) {
    Block P, Q;
    linearise_law<Rows>(mu, 1.0, point, P.data(), Q.data(), Rows);
    const Column dx = (P * A + Q).partialPivLu().solve(Eigen::Map<const Column>(point.F));
    const Column next = x - dx;
    bool good = next.allFinite();
    if (good) {
      u = A * next + free;
      LawPoint<Rows> trial;
      const double value = evaluate_law<Rows>(mu, next.data(), u.data(), 1.0, trial);
      good = value < merit;
      if (good) {
        x = next;
        merit = value;
        point = trial;
      }
    }
    if (!good) {
      u = A * x + free;
      x -= weight * u;
      cut_to_law<Rows>(mu, x.data());
      u = A * x + free;
      merit = evaluate_law<Rows>(mu, x.data(), u.data(), 1.0, point);
    }
  }
  cut_to_law<Rows>(mu, x.data());
  for (int k = 0; k < Rows; ++k) r[k] = x[k];
}

}  // namespace vinculum::solvers
