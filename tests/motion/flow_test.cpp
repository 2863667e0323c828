// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Free flight and kicks against their equations.
#include "support/simulate.hpp"

#include <Eigen/Dense>

namespace vinculum::motion {
namespace {

using algebra::Mat3;
using test::epsilon;
using test::pi;
using test::Simulation;

// Rotation energy of spin l at orientation R.
double spin_energy(const Quat& R, const Vec3& l, const Mat3& I_inverse) {
  const Vec3 Pi = R.conjugate() * l;
  return 0.5 * Pi.dot(I_inverse * Pi);
}

Mat3 inverse_of(double A, double B, double C) { return Vec3(1 / A, 1 / B, 1 / C).asDiagonal(); }

// The oracle: Ṙ = R (I⁻¹ Rᵀ l)^ on quaternions by the classical Runge-Kutta method, order 4.
Quat integrate(Quat R, const Vec3& l, const Mat3& I_inverse, double time, int steps) {
  using Vec4 = Eigen::Vector4d;
  auto rate = [&](const Vec4& q) {
    const Quat Q(q);
    const Vec3 w = I_inverse * (Q.conjugate() * l);
    return Vec4((Q * Quat(0, 0.5 * w.x(), 0.5 * w.y(), 0.5 * w.z())).coeffs());
  };
  const double h = time / steps;
  Vec4 q = R.coeffs();
  for (int i = 0; i < steps; ++i) {
    const Vec4 k1 = rate(q), k2 = rate(q + h / 2 * k1), k3 = rate(q + h / 2 * k2), k4 = rate(q + h * k3);
    q = (q + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)).normalized();
  }
  return Quat(q);
}

double angle_between(const Quat& a, const Quat& b) { return 2 * (a.conjugate() * b).vec().norm(); }

TEST(FreeFlight, keeps_kinetic_energy_to_round_off_near_an_unstable_axis) {
  const Mat3 I_inverse = inverse_of(1, 2, 2.5);
  const Vec3 l(1e-3, 4, -2e-3);  // almost about the middle axis: it tumbles
  Quat R = Quat::Identity();
  const double E = spin_energy(R, l, I_inverse);
  double worst = 0, least = 1;
  constexpr int steps = 10000;
  for (int i = 0; i < steps; ++i) {
    R = rotate_free(R, l, I_inverse, false, 1e-2);
    worst = std::max(worst, std::abs(spin_energy(R, l, I_inverse) / E - 1));
    least = std::min(least, (R.conjugate() * l).normalized().y());
  }
  EXPECT_LT(least, -0.9);  // it did turn over
  // Each step rounds with a few ε; n ε would be reached only if all had the same sign.
  EXPECT_LT(worst, steps * epsilon);
}

TEST(FreeFlight, leaves_momentum_and_spin_untouched) {
  Simulation sim(
      "[scene]\ngravity = [0, 0, 0]\n[[body]]\nname = 'b'\nmass = 2\ninertia = [1, 2, 2.5]\nvelocity = [1, 2, 3]\n"
      "angular_velocity = [0.01, 2, -0.01]\n",
      {.dt = 1e-2});
  const Vec3 p = sim.state.p[0], l = sim.state.l[0];
  sim.run(10000);
  EXPECT_TRUE(test::same(sim.state.p[0], p));  // identically: nothing is added to them
  EXPECT_TRUE(test::same(sim.state.l[0], l));
  EXPECT_LT((sim.x() - Vec3(100, 200, 300)).norm(), 2e4 * epsilon * 374);  // 2e4 additions, each rounded at |x| <= 374
}

TEST(FreeFlight, turns_with_order_two) {
  const Mat3 I_inverse = inverse_of(1, 2, 2.5);
  const Vec3 l(0.7, 3, 1);
  const Quat start(Eigen::AngleAxisd(0.4, Vec3(1, -2, 0.5).normalized()));
  const double time = 2;
  // Runge-Kutta with h = 1e-3 at rates of 3 rad/s: error of the order (3e-3)⁴ = 1e-10, far below those measured.
  const Quat exact = integrate(start, l, I_inverse, time, 2000);
  double error[3];
  for (int level = 0; level < 3; ++level) {
    const int steps = 100 << level;
    Quat R = start;
    for (int i = 0; i < steps; ++i) R = rotate_free(R, l, I_inverse, false, time / steps);
    error[level] = angle_between(R, exact);
  }
  EXPECT_LT(error[0], 0.1);
  // The next term of the expansion is in dt⁴: at 0.06 rad per step it changes the ratio 4 by less than 2 %.
  EXPECT_NEAR(error[0] / error[1], 4, 0.08);
  EXPECT_NEAR(error[1] / error[2], 4, 0.04);
}

TEST(FreeFlight, turns_an_isotropic_body_about_its_fixed_axis_by_the_cayley_angle) {
  const double I = 0.3, t = 0.01;
  const Vec3 l(1, -2, 0.5), axis = l.normalized();
  Quat R(Eigen::AngleAxisd(1, Vec3(0.3, 0.4, 0.5).normalized()));
  const Quat R0 = R;
  constexpr int steps = 100;
  for (int i = 0; i < steps; ++i) R = rotate_free(R, l, Mat3::Identity() / I, true, t);
  // Cay(a) turns by 2 atan(|a|/2).
  const double angle = steps * 2 * std::atan(0.5 * t * l.norm() / I);
  const Quat expected = Quat(Eigen::AngleAxisd(angle, axis)) * R0;
  EXPECT_LT(angle_between(R, expected), 4 * steps * epsilon);  // a few roundings per step
  EXPECT_LT((R * (R0.conjugate() * axis) - axis).norm(), 4 * steps * epsilon);
}

TEST(FreeFlight, of_an_isotropic_body_is_the_same_by_either_route) {
  const Vec3 l(1, -2, 0.5);
  const Quat R(Eigen::AngleAxisd(1, Vec3(0.3, 0.4, 0.5).normalized()));
  const Mat3 I_inverse = Mat3::Identity() / 0.3;
  EXPECT_LT(angle_between(rotate_free(R, l, I_inverse, true, 0.1), rotate_free(R, l, I_inverse, false, 0.1)), 1e-15);
}

// Largest relative change of energy over 100 steps of about `turn` radians each.
double energy_error(double turn) {
  const Mat3 I_inverse = inverse_of(1, 2, 2.5);
  const Vec3 l = turn * Vec3(0.4, 2, -0.6);
  Quat R = Quat::Identity();
  const double E = spin_energy(R, l, I_inverse);
  double worst = 0;
  for (int i = 0; i < 100; ++i) {
    R = rotate_free(R, l, I_inverse, false, 1);
    worst = std::max(worst, std::abs(spin_energy(R, l, I_inverse) / E - 1));
  }
  return worst;
}

TEST(FreeFlight, keeps_energy_at_three_radians_per_step) {
  // Conditioning of the implicit equation: the Jacobian 1 − t/2(Π^ I⁻¹ − Ω^) grows like the turn per step.
  for (const double turn : {1.0, 2.0, 3.0}) EXPECT_LT(energy_error(turn), 100 * epsilon * (1 + turn)) << turn;
}

TEST(FreeFlight, free_flight_keeps_energy_at_many_radians_per_step) {
  for (const double turn : {10.0, 100.0, 1e4}) EXPECT_LT(energy_error(turn), 100 * epsilon * (1 + turn)) << turn;
}

TEST(FreeFlight, backwards_returns_to_the_start) {
  const Mat3 I_inverse = inverse_of(1, 2, 2.5);
  const Vec3 l(0.7, 3, 1);
  const Quat start(Eigen::AngleAxisd(0.4, Vec3(1, -2, 0.5).normalized()));
  const Quat there = rotate_free(start, l, I_inverse, false, 0.05);
  EXPECT_LT(angle_between(rotate_free(there, l, I_inverse, false, -0.05), start), 8 * epsilon);  // symmetric method
}

TEST(FreeFlight, of_many_bodies_is_that_of_each_and_may_be_in_place) {
  std::string text = "[[body]]\nname = 'b'\nmass = 2\ninertia = [1, 2, 2.5]\nvelocity = [1, 2, 3]\n";
  text += "angular_velocity = [0.1, 2, -3]\ncopies = { line = 600, step = [1, 0, 0] }\n";  // more than two chunks
  Simulation sim(text);
  for (std::size_t b = 0; b < 600; ++b) sim.state.l[b] *= 1 + 0.001 * static_cast<double>(b);
  system::Configuration out;
  drift(sim.system, 0.1, sim.state.q, sim.state.p, sim.state.l, out);
  for (std::size_t b = 0; b < 600; ++b) {
    const Quat R = rotate_free(sim.R(b), sim.state.l[b], sim.system.bodies.inertia_inverse[b], false, 0.1);
    ASSERT_TRUE(test::same(out.R[b], R));
    ASSERT_TRUE(test::same(out.x[b], Vec3(sim.x(b) + 0.1 / 2 * sim.state.p[b])));
  }
  drift(sim.system, 0.1, sim.state.q, sim.state.p, sim.state.l, sim.state.q);
  for (std::size_t b = 0; b < 600; ++b) ASSERT_TRUE(test::same(out.R[b], sim.R(b)) && test::same(out.x[b], sim.x(b)));
}

TEST(FreeFlight, does_not_turn_a_particle) {
  Simulation sim("[[body]]\nname = 'dust'\nparticle = true\nmass = 1e-3\nvelocity = [1, 0, 0]\n");
  sim.run(10);
  EXPECT_TRUE(test::same(sim.R(), Quat::Identity()));
  EXPECT_EQ(sim.w(), Vec3::Zero());
  EXPECT_NEAR(sim.kinetic(), 0.5e-3 * (1 + 0.0981 * 0.0981), 1e-18);
}

constexpr const char* pushed = R"(
[scene]
gravity = [0.5, 0, -9]
[[body]]
name = "b"
mass = 2
inertia = [1, 2, 2.5]
com = [0.1, 0, 0]
rotation = { axis = [0, 0, 1], degrees = 90 }
[[force]]
body = "b"
force = [1, 2, 3]
torque = [0.1, 0.2, 0.3]
point = [1.1, 0, 0]
axes = "AXES"
from = 1
to = 2
)";

TEST(Kick, is_the_step_times_gravity_and_the_forces_that_act_then) {
  for (const bool body_axes : {false, true}) {
    std::string text = pushed;
    text.replace(text.find("AXES"), 4, body_axes ? "body" : "world");
    const Simulation sim(text);
    const Mat3 R = sim.R().toRotationMatrix();
    const Vec3 f = body_axes ? Vec3(R * Vec3(1, 2, 3)) : Vec3(1, 2, 3);
    const Vec3 torque = body_axes ? Vec3(R * Vec3(0.1, 0.2, 0.3)) : Vec3(0.1, 0.2, 0.3);
    const Vec3 moment = torque + (R * Vec3(1, 0, 0)).cross(f);  // from the centre of mass at 0.1 to the point at 1.1
    const double dt = 0.01;
    for (const double t : {0.99, 1.0, 1.5, 1.99, 2.0, 7.0}) {
      const bool acts = t >= 1 && t < 2;
      std::vector<Vec3> p{Vec3(1, 1, 1)}, l{Vec3(2, 2, 2)};
      kick(sim.system, t, dt, sim.state.q, p, l);
      const Vec3 dp = dt * 2 * Vec3(0.5, 0, -9) + (acts ? Vec3(dt * f) : Vec3(Vec3::Zero()));
      const Vec3 dl = acts ? Vec3(dt * moment) : Vec3(Vec3::Zero());
      EXPECT_LT((p[0] - Vec3(1, 1, 1) - dp).norm(), 4 * epsilon) << t;  // rounding at size 1
      EXPECT_LT((l[0] - Vec3(2, 2, 2) - dl).norm(), 4 * epsilon) << t;
    }
  }
}

TEST(Velocity, is_the_inverse_mass_matrix_times_momentum) {
  const Simulation sim(
      "[[body]]\nname = 'b'\nmass = 2\ninertia = [1, 2, 2.5, 0.1, -0.2, 0.3]\nvelocity = [1, 2, 3]\n"
      "angular_velocity = [0.3, 2, -0.5]\nrotation = { axis = [1, 2, 3], degrees = 50 }\n");
  EXPECT_LT((sim.w() - Vec3(0.3, 2, -0.5)).norm(), 8 * epsilon);  // condition number of I is about 3
  EXPECT_LT((sim.v() - Vec3(1, 2, 3)).norm(), 8 * epsilon);
  const Mat3 R = sim.R().toRotationMatrix();
  Mat3 I;
  I << 1, 0.1, -0.2, 0.1, 2, 0.3, -0.2, 0.3, 2.5;
  const Vec3 w(0.3, 2, -0.5);
  EXPECT_NEAR(sim.kinetic(), 0.5 * 2 * 14 + 0.5 * w.dot(R * I * R.transpose() * w), 1e-14);
}

TEST(Energy, of_gravity_is_its_work_from_the_origin) {
  const Simulation sim(
      "[scene]\ngravity = [1, 2, -3]\n[[body]]\nname = 'b'\nmass = 2\ninertia = [1, 1, 1]\nposition = [4, 5, 6]\n");
  EXPECT_NEAR(motion::energy(sim.system, sim.state).potential, -2 * (4 + 10 - 18), 1e-14);
}

}  // namespace
}  // namespace vinculum::motion
