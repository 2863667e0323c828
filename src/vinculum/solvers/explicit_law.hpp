// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The law of one contact as equations F(r, u) = 0 (Alart & Curnier 1991), with exact generalised derivatives. With
// y = r − ρ u and, per group g, the radius μ_g y_N:
//   open  (y_N ≤ 0):           F = r
//   else  normal               F_N = ρ u_N
//         stick |y_g| ≤ μ y_N  F_g = ρ u_g
//         slip                 F_g = r_g − μ y_N t,  t = y_g/|y_g|
//           dF_g = μρ t du_N + ρ Π du_g − μ t dr_N + (I − Π) dr_g,   Π = (μ y_N/|y_g|)(I − t tᵀ)
//         no friction (μ = 0)  F_g = r_g
// dF = P du + Q dr.
#pragma once

#include <algorithm>
#include <cmath>

namespace vinculum::solvers {

enum class Regime : unsigned char { open, stick, slip, free };

template <int Rows>
struct LawPoint {
  static constexpr int groups = (Rows - 1) / 2;
  Regime group[groups];
  bool closed;
  double F[Rows];
  double t[groups][2];
  double ratio[groups];  // μ y_N / |y_g| of slipping groups
};

/// |F|², with everything the derivative needs left in `point`.
template <int Rows>
inline double evaluate_law(const double* mu, const double* r, const double* u, double rho, LawPoint<Rows>& point) {
  const double y_N = r[0] - rho * u[0];
  point.closed = y_N > 0;
  double sum = 0;
  if (!point.closed) {
    for (int k = 0; k < Rows; ++k) {
      point.F[k] = r[k];
      sum += r[k] * r[k];
    }
    return sum;
  }
  point.F[0] = rho * u[0];
  for (int g = 0; g < LawPoint<Rows>::groups; ++g) {
    const int k = 1 + 2 * g;
    if (!(mu[g] > 0)) {
      point.group[g] = Regime::free;
      point.F[k] = r[k];
      point.F[k + 1] = r[k + 1];
      continue;
    }
    const double y0 = r[k] - rho * u[k], y1 = r[k + 1] - rho * u[k + 1];
    const double radius = mu[g] * y_N, square = y0 * y0 + y1 * y1;
    if (square <= radius * radius) {
      point.group[g] = Regime::stick;
      point.F[k] = rho * u[k];
      point.F[k + 1] = rho * u[k + 1];
      continue;
    }
    const double norm = std::sqrt(square);
    point.group[g] = Regime::slip;
    point.t[g][0] = y0 / norm;
    point.t[g][1] = y1 / norm;
    point.ratio[g] = radius / norm;
    point.F[k] = r[k] - radius * point.t[g][0];
    point.F[k + 1] = r[k + 1] - radius * point.t[g][1];
  }
  for (int k = 0; k < Rows; ++k) sum += point.F[k] * point.F[k];
  return sum;
}

/// P and Q, row major with `stride` doubles per row.
template <int Rows>
inline void linearise_law(const double* mu, double rho, const LawPoint<Rows>& point, double* P, double* Q, int stride) {
  std::fill(P, P + Rows * stride, 0.0);
  std::fill(Q, Q + Rows * stride, 0.0);
  if (!point.closed) {
    for (int k = 0; k < Rows; ++k) Q[k * stride + k] = 1;
    return;
  }
  P[0] = rho;
  for (int g = 0; g < LawPoint<Rows>::groups; ++g) {
    const int k = 1 + 2 * g;
    for (int a = 0; a < 2; ++a) {
      double* p = P + (k + a) * stride;
      double* q = Q + (k + a) * stride;
      if (point.group[g] == Regime::free) {
        q[k + a] = 1;
      } else if (point.group[g] == Regime::stick) {
        p[k + a] = rho;
      } else {
        p[0] = mu[g] * rho * point.t[g][a];
        q[0] = -mu[g] * point.t[g][a];
        for (int b = 0; b < 2; ++b) {
          const double Pi = point.ratio[g] * ((a == b ? 1 : 0) - point.t[g][a] * point.t[g][b]);
          p[k + b] = rho * Pi;
          q[k + b] = (a == b ? 1 : 0) - Pi;
        }
      }
    }
  }
}

/// PC: the normal answers first, every group is cut to the radius that this allows.
template <int Rows>
inline void cut_to_law(const double* mu, double* x) {
  if (!(x[0] > 0)) {
    std::fill(x, x + Rows, 0.0);
    return;
  }
  for (int g = 0; g < LawPoint<Rows>::groups; ++g) {
    double* t = x + 1 + 2 * g;
    const double radius = mu[g] * x[0], norm = std::sqrt(t[0] * t[0] + t[1] * t[1]);
    if (norm <= radius) continue;
    t[0] *= radius / norm;
    t[1] *= radius / norm;
  }
}

}  // namespace vinculum::solvers
