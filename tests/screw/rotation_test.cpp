// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Charts of rotations: round trips, rates by differences, change of base at singularities, bad input.
#include "vinculum/screw/rotation.hpp"

#include "support/random_tree.hpp"
#include "vinculum/base/error.hpp"

#include <gtest/gtest.h>
#include <Eigen/LU>
#include <limits>

namespace vinculum::test {
namespace {

using namespace screw;
const double pi = std::acos(-1);

std::string message_of(const auto& action) {
  try {
    action();
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Rotation, charts_go_there_and_back) {
  Random random(1);
  for (int k = 0; k < 200; ++k) {
    const Vec3 angles(random.uniform(-pi, pi), random.uniform(-1.5, 1.5), random.uniform(-pi, pi));
    EXPECT_LT((cardan_from_rotation(rotation_from_cardan(angles)) - angles).norm(), 1e-13);  // 1/cos 1.5 = 14 times ε
    const Vec3 f = random.vector(2);
    EXPECT_LT((fedorov_from_rotation(rotation_from_fedorov(f)) - f).norm(), 1e-13);
    const Vec3 a = random.direction() * random.uniform(0, 3.1);
    EXPECT_LT((turn_of_quaternion(quaternion_of_turn(a)) - a).norm(), 1e-14);
  }
}

// w^ = CᵀĊ by central differences of C along the coordinates.
Vec3 body_rate(const auto& rotation, const Vec3& x, const Vec3& rate) {
  const double t = 1e-5;
  const Mat3 plus = rotation(Vec3(x + t * rate)), minus = rotation(Vec3(x - t * rate));
  const Mat3 W = rotation(x).transpose() * (plus - minus) / (2 * t);
  return 0.5 * Vec3(W(2, 1) - W(1, 2), W(0, 2) - W(2, 0), W(1, 0) - W(0, 1));
}

TEST(Rotation, rate_matrices_give_the_body_angular_velocity) {
  Random random(2);
  for (int k = 0; k < 100; ++k) {
    const Vec3 x = random.vector(1.2), rate = random.vector();
    EXPECT_LT((cardan_rates(x) * rate - body_rate(rotation_from_cardan, x, rate)).norm(), 1e-9);
    EXPECT_NEAR(cardan_rates(x).determinant(), std::cos(x[1]), 1e-14);
    EXPECT_LT((fedorov_rates(x) * rate - body_rate(rotation_from_fedorov, x, rate)).norm(), 1e-9);
    EXPECT_LT((fedorov_rates(x) * fedorov_rates_inverse(x) - Mat3::Identity()).norm(), 1e-14);
    // E10: (1 + f^) would give the space rate.
    const Mat3 space = 2 * (Mat3::Identity() + skew(x)) / (1 + x.squaredNorm());
    EXPECT_LT((space * rate - rotation_from_fedorov(x) * (fedorov_rates(x) * rate)).norm(), 1e-14);
  }
}

// One step of RK4 for ẋ = rate(w).
void step(Attitude& attitude, const Vec3& w, double dt) {
  const Eigen::Vector4d x = attitude.coordinates();
  Attitude trial = attitude;
  const auto rate_at = [&](const Eigen::Vector4d& y) {
    trial.set_coordinates(y);
    return trial.rate(w);
  };
  const Eigen::Vector4d k1 = rate_at(x), k2 = rate_at(x + 0.5 * dt * k1), k3 = rate_at(x + 0.5 * dt * k2),
                        k4 = rate_at(x + dt * k3);
  attitude.set_coordinates(x + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4));
}

TEST(Rotation, all_charts_under_constant_angular_velocity_pass_their_singularities_and_give_the_exponential) {
  const Vec3 w(0.3, 1.7,
               -0.4);  // carries Cardan's second angle through 90°, Fedorov's turn through 180°, again and again
  const double time = 9;
  for (const Chart chart : {Chart::cardan, Chart::fedorov, Chart::quaternion}) {
    Attitude attitude(chart, Quat::Identity());
    const int steps = 9000;
    int switches = 0;
    for (int k = 0; k < steps; ++k) {
      step(attitude, w, time / steps);
      switches += attitude.switch_if_needed();
    }
    const Quat exact = quaternion_of_turn(time * w);
    // RK4 with dt = 1e-3: time · dt⁴ times fifth derivatives of order (|w|/cos)^5 ~ 100.
    EXPECT_LT((attitude.rotation().toRotationMatrix() - exact.toRotationMatrix()).norm(), 1e-9);
    EXPECT_EQ(switches > 0, chart != Chart::quaternion);
  }
}

TEST(Rotation, bad_input_has_one_diagnosis_each) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Mat3 stretched = Mat3::Identity();
  stretched(0, 0) = 1.1;
  EXPECT_NE(message_of([&] { rotation_from_matrix(stretched); }).find("expected an orthogonal matrix"),
            std::string::npos);
  const Mat3 mirror = Vec3(1, 1, -1).asDiagonal();
  EXPECT_NE(message_of([&] { rotation_from_matrix(mirror); }).find("determinant -1"), std::string::npos);
  EXPECT_NE(message_of([&] { rotation_from_matrix(Mat3::Constant(nan)); }).find("not finite"), std::string::npos);
  const Mat3 half = Vec3(1, -1, -1).asDiagonal();
  EXPECT_NE(message_of([&] { fedorov_from_rotation(half); }).find("180 degrees"), std::string::npos);
  Mat3 lock;  // θ = 90° exactly
  lock << 0, 0, 1, 0, 1, 0, -1, 0, 0;
  EXPECT_NE(message_of([&] { cardan_from_rotation(lock); }).find("cos(theta)"), std::string::npos);
  EXPECT_EQ(message_of([&] { rotation_from_matrix(lock); }), "accepted");
}

}  // namespace
}  // namespace vinculum::test
