// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Semi-smooth Newton on the Fischer-Burmeister function of the Lorentz cone L with De Saxcé's shift inside, damped
// (explicit_newton.hpp). In the Jordan algebra x ∘ y = (x·y, x₀ y_T + y₀ x_T) of L
//   x = (r_N, r_T/μ),   y = (u_N + μ s, μ u_T),   s = √(|u_T|² + ε²) − ε
//   F = x + y − z,   z² = x² + y² + 2 ε² e          F = 0, ε = 0  ⇔  L ∋ x ⊥ y ∈ L
// (Fukushima, Luo & Tseng 2002; ε > 0: x ∘ y = ε² e, the central path, F smooth). With arw(a) b = a ∘ b
//   dF = (I − arw(z)⁻¹ arw(x)) dx + (I − arw(z)⁻¹ arw(y)) dy
// ε falls with the residual. Frictionless contacts: the same on the ray, F_N = r_N + u_N − √(r_N² + u_N² + 2ε²), F_T =
// r_T.
#include "vinculum/solvers/explicit_newton.hpp"
#include "vinculum/solvers/lorentz.hpp"

namespace vinculum::solvers {
namespace {

using lorentz::Mat3;
using lorentz::Vec3;

// w^(1/2) by its spectral values w₀ ± |w_T|.
Vec3 square_root(const Vec3& w) {
  const double norm = std::hypot(w[1], w[2]);
  const double low = std::sqrt(std::max(0.0, w[0] - norm)), high = std::sqrt(w[0] + norm);
  if (norm == 0) return {high, 0, 0};
  const double f = 0.5 * (high - low) / norm;
  return {0.5 * (high + low), f * w[1], f * w[2]};
}

struct FischerBurmeister {
  struct Point {
    double F[3];
    Vec3 x, y, z;
    double s_T[2];  // ∂s/∂u_T
  };

  double evaluate(const double* mu, const double* r, const double* u, Point& p) const {
    const double m = mu[0];
    if (!(m > 0)) {
      p.x = Vec3(r[0], 0, 0);
      p.y = Vec3(u[0], 0, 0);
      p.z = Vec3(std::sqrt(r[0] * r[0] + u[0] * u[0] + 2 * epsilon * epsilon), 0, 0);
      p.F[0] = r[0] + u[0] - p.z[0];
      p.F[1] = r[1];
      p.F[2] = r[2];
    } else {
      const double slip = std::sqrt(u[1] * u[1] + u[2] * u[2] + epsilon * epsilon);
      for (int k = 0; k < 2; ++k) p.s_T[k] = slip > 0 ? u[1 + k] / slip : 0.0;
      p.x = Vec3(r[0], r[1] / m, r[2] / m);
      p.y = Vec3(u[0] + m * (slip - epsilon), m * u[1], m * u[2]);
      Vec3 w = lorentz::circle(p.x, p.x) + lorentz::circle(p.y, p.y);
      w[0] += 2 * epsilon * epsilon;
      p.z = square_root(w);
      for (int k = 0; k < 3; ++k) p.F[k] = p.x[k] + p.y[k] - p.z[k];
    }
    return p.F[0] * p.F[0] + p.F[1] * p.F[1] + p.F[2] * p.F[2];
  }

  void linearise(const double* mu, const Point& p, double* P, double* Q, int stride) const {
    std::fill(P, P + 3 * stride, 0.0);
    std::fill(Q, Q + 3 * stride, 0.0);
    const double m = mu[0];
    if (!(m > 0)) {
      const double z = std::max(p.z[0], 1e-300);
      P[0] = 1 - p.y[0] / z;
      Q[0] = 1 - p.x[0] / z;
      Q[stride + 1] = Q[2 * stride + 2] = 1;
      return;
    }
    // z on the boundary of L, which ε > 0 keeps away, is moved in by rounding of its size.
    Vec3 z = p.z;
    z[0] = std::max(z[0], std::hypot(z[1], z[2]) * (1 + 1e-15) + 1e-150);
    const Mat3 inverse = lorentz::inverse_arrow(z);
    const Mat3 A = Mat3::Identity() - inverse * lorentz::arrow(p.x);
    const Mat3 B = Mat3::Identity() - inverse * lorentz::arrow(p.y);
    for (int a = 0; a < 3; ++a) {
      Q[a * stride] = A(a, 0);
      P[a * stride] = B(a, 0);
      for (int b = 1; b < 3; ++b) {
        Q[a * stride + b] = A(a, b) / m;
        P[a * stride + b] = m * (B(a, b) + B(a, 0) * p.s_T[b - 1]);
      }
    }
  }

  // ε = |F|/10 per contact, never growing.
  bool restart(double merit) {
    const double wanted = 0.1 * std::sqrt(merit / contacts);
    if (wanted > 0.5 * epsilon) return false;
    epsilon = wanted;
    return true;
  }

  double contacts = 1;
  double epsilon = 1;
};

template <int Rows>
struct NewtonFB {
  static constexpr bool rolling = false;

  void run(ContactRun<Rows>& run) {
    FischerBurmeister law;
    law.contacts = static_cast<double>(run.space.size());
    law.epsilon = 0.1 / std::sqrt(law.contacts);  // |q| = 1
    newton.run(run, law, "newton_fb");
  }

  DampedNewton<Rows, FischerBurmeister> newton;
};

}  // namespace

std::unique_ptr<ExplicitSolver> make_explicit_newton_fb() { return std::make_unique<FramedSolver<NewtonFB>>(); }

}  // namespace vinculum::solvers
