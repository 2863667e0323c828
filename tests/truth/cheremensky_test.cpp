// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Closed forms of theory/cheremensky.md, section 4, tests 4 and 7, continuous and discrete.
//
// Symmetric top (A, A, C), Π = Rᵀ l, k = Π₃ (1/C − 1/A). The midpoint rule Π₁ − Π = t Π̄ × I⁻¹Π̄ keeps Π₃ and turns
// Π_⊥ = Π_1 + i Π_2 by the Cayley factor of −k:
//   z₁ − z = −i k t (z + z₁)/2      =>  angle per step  −2 atan(κ),  κ = k t/2                                  (1)
// For the axis e₃ in space: R₁ = R Cay(2 a), a = t Ω̄/2, Ω̄ = Π̄/A + k e₃, and R e₃ keeps its angle θ to l. Its
// precession ψ about l per step follows from e₃·Cay e₃ = cos²θ + sin²θ cos ψ = 1 − 2|a_⊥|²/(1 + |a|²) and
// |Π̄_⊥|² = |Π_⊥|²/(1 + κ²); with s = t|l|/(2A) and c = s cos θ, (1 + κ²)(1 + |a|²) = s² + (1 + κ² + c κ)², so that
//   tan(ψ/2) = s / (1 + κ (κ + c)),   κ + c = t w₃/2                                                            (2)
// As t -> 0 the rates are −k = (C − A) w₃/A and |l|/A.
#include "support/simulate.hpp"

#include <Eigen/Dense>

namespace vinculum::test {
namespace {

using motion::rotate_free;

// Angle from u to v about the axis n, all in one frame.
double angle_about(const Vec3& n, const Vec3& u, const Vec3& v) {
  const Vec3 a = u - u.dot(n) * n, b = v - v.dot(n) * n;
  return std::atan2(n.dot(a.cross(b)), a.dot(b));
}

struct Top {
  double A = 2, C = 1, w_3 = 3;
  Mat3 I_inverse = Vec3(0.5, 0.5, 1).asDiagonal();
  Vec3 l{2 * 0.8, 2 * 0.6, 1 * 3};  // w_⊥ = (0.8, 0.6), of size 1
  double k() const { return C * w_3 * (1 / C - 1 / A); }
};

TEST(SymmetricTop, precesses_in_the_body_at_the_discrete_rate) {
  const Top top;
  for (const double t : {1e-3, 1e-2, 0.1, 1.0}) {
    Quat R = Quat::Identity();
    const int steps = 200;
    double angle = 0, worst_spin = 0, worst_size = 0;
    for (int i = 0; i < steps; ++i) {
      const Vec3 before = R.conjugate() * top.l;
      R = rotate_free(R, top.l, top.I_inverse, false, t);
      const Vec3 after = R.conjugate() * top.l;
      angle += angle_about(Vec3::UnitZ(), before, after);
      worst_spin = std::max(worst_spin, std::abs(after.z() / 3 - 1));
      worst_size = std::max(worst_size, std::abs(after.head<2>().norm() / 2 - 1));
    }
    const double rate = angle / (steps * t);
    EXPECT_NEAR(rate, -2 / t * std::atan(0.5 * t * top.k()), 1e-12) << t;  // (1); ε per step over t = 1e-3
    EXPECT_LT(std::abs(rate - -1.5), 1.5 * std::pow(1.5 * t / 2, 2) / 3 + 1e-12) << t;  // atan x >= x − x³/3
    EXPECT_LT(worst_spin, steps * epsilon);  // w₃ and |w_⊥| constant, a rounding per step
    EXPECT_LT(worst_size, steps * epsilon);
  }
}

TEST(SymmetricTop, precesses_in_space_at_the_discrete_rate) {
  const Top top;
  const Vec3 axis = top.l.normalized();
  double previous = 0;
  for (const double t : {0.1, 0.05, 0.025, 1e-3}) {
    Quat R = Quat::Identity();
    const int steps = 200;
    double angle = 0;
    for (int i = 0; i < steps; ++i) {
      const Vec3 before = R * Vec3::UnitZ();
      R = rotate_free(R, top.l, top.I_inverse, false, t);
      angle += angle_about(axis, before, R * Vec3::UnitZ());
    }
    const double rate = angle / (steps * t);
    const double s = 0.5 * t * top.l.norm() / top.A, kappa = 0.5 * t * top.k();
    EXPECT_NEAR(rate, 2 / t * std::atan(s / (1 + kappa * 0.5 * t * top.w_3)), 1e-12) << t;  // (2)
    const double error = std::abs(rate - top.l.norm() / top.A);
    // Halving t quarters the distance to the continuous rate; 3 % of room for the t⁴ term at t = 0.1.
    if (previous > 0 && t > 2e-3) {
      EXPECT_NEAR(previous / error, 4, 0.12) << t;
    }
    previous = error;
  }
}

TEST(AsymmetricBody, leaves_its_middle_axis_at_the_discrete_growth_rate) {
  const Mat3 I_inverse = Vec3(1, 1.0 / 2, 1.0 / 3).asDiagonal();
  const double W = 1.3, lambda = W / std::sqrt(3.0);  // W √((2 − 1)(3 − 2)/(1·3)) = 0.57735 W
  EXPECT_NEAR(lambda / W, 0.57735, 5e-6);
  // Linearised: Π₁' = −W/3 Π₃, Π₃' = −W Π₁; the growing direction is Π₁ = −Π₃/√3.
  const double size = 1e-5, t = 0.02;
  const int steps = 150;
  const Vec3 l(-size / std::sqrt(3.0), 2 * W, size);
  Quat R = Quat::Identity();
  for (int i = 0; i < steps; ++i) R = rotate_free(R, l, I_inverse, false, t);
  const double grown = (R.conjugate() * l).z() / size;
  // The midpoint rule turns e^{λt} into (1 + λt/2)/(1 − λt/2).
  const double predicted = std::pow((1 + lambda * t / 2) / (1 - lambda * t / 2), steps);
  // Nonlinear terms: (1e-5 · 9.5)² = 1e-8 of it; rounding: 150 ε/1e-5 = 3e-9.
  EXPECT_NEAR(grown / predicted, 1, 2e-8);
  EXPECT_NEAR(std::log(grown) / (steps * t), lambda, lambda * std::pow(lambda * t, 2) / 12 + 1e-7);
}

TEST(Rotation, of_120_degrees_about_the_diagonal_has_the_fedorov_vector_of_ones) {
  const model::Model model = model::parse_scene(
      "[[body]]\nname = 'b'\nmass = 1\ninertia = [1, 1, 1]\nrotation = { axis = [1, 1, 1], degrees = 120 }\n", "t");
  const Quat C = model.bodies[0].X_WB.R;
  EXPECT_LT((C.vec() / C.w() - Vec3(1, 1, 1)).norm(), 8 * epsilon);  // f = n tan(60°) = (1, 1, 1)
  Mat3 cycle;                                                        // it carries x to y, y to z, z to x
  cycle << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  EXPECT_LT((C.toRotationMatrix() - cycle).norm(), 8 * epsilon);
}

TEST(Rotation, cayley_of_twice_the_fedorov_vector_is_its_rotation) {
  // A free turn of an isotropic body is R₁ = R Cay(t w), f = t w/2:
  //   C = ((1 − |f|²) 1 + 2 f fᵀ + 2 f^)/(1 + |f|²)                                             (26)-(27)
  for (const Vec3& f : {Vec3(1, 1, 1), Vec3(0.2, -3, 0.7), Vec3(1e-6, 0, 2e-6), Vec3(40, 50, -60)}) {
    const Mat3 C = rotate_free(Quat::Identity(), 2 * f, Mat3::Identity(), true, 1).toRotationMatrix();
    const double s = f.squaredNorm();
    const Mat3 expected = ((1 - s) * Mat3::Identity() + 2 * f * f.transpose() + 2 * algebra::skew(f)) / (1 + s);
    EXPECT_LT((C - expected).norm(), 16 * epsilon);  // entries of size one, a few roundings each
    const Mat3 back = (C - Mat3::Identity()) * (C + Mat3::Identity()).inverse();  // f^ = (C − 1)(C + 1)⁻¹
    EXPECT_LT((back - algebra::skew(f)).norm(), 64 * epsilon * (1 + s) * (1 + s))
        << f.transpose();  // near 180° 1 + C is singular
  }
}

TEST(Rotation, with_constant_angular_velocity_tends_to_the_exponential_with_order_two) {
  const Vec3 w(0.4, -1.1, 0.6);
  const double time = 3;
  const Quat exact(Eigen::AngleAxisd(time * w.norm(), w.normalized()));
  double error[3];
  for (int level = 0; level < 3; ++level) {
    const int steps = 100 << level;
    Quat R = Quat::Identity();
    for (int i = 0; i < steps; ++i) R = rotate_free(R, w, Mat3::Identity(), true, time / steps);
    error[level] = 2 * (R.conjugate() * exact).vec().norm();
    // 2 n atan(x), x = |w| time/(2 n): short of n·2x by n·2x³/3, the next term is 3x²/5 of it.
    const double x = 0.5 * time / steps * w.norm(), predicted = 2 * steps * std::pow(x, 3) / 3;
    EXPECT_NEAR(error[level] / predicted, 1, x * x);
  }
  EXPECT_NEAR(error[0] / error[2], 16, 0.02);
}

}  // namespace
}  // namespace vinculum::test
