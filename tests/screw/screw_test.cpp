// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Twists and wrenches: two types, one pairing; exponential and logarithm; axis and pitch.
#include "vinculum/screw/screw.hpp"

#include "support/random_tree.hpp"

#include <gtest/gtest.h>
#include <Eigen/LU>

namespace vinculum::test {
namespace {

using namespace screw;

// Mixing must not compile.
template <class A, class B>
concept addable = requires(A a, B b) {
  a + b;
};
template <class A, class B>
concept subtractable = requires(A a, B b) {
  a - b;
};
template <class A, class B>
concept paired = requires(A a, B b) {
  power(a, b);
};
template <class A, class B>
concept bracketed = requires(A a, B b) {
  cross(a, b);
};
static_assert(addable<Twist, Twist> && addable<Wrench, Wrench> && !addable<Twist, Wrench> && !addable<Wrench, Twist>);
static_assert(!subtractable<Twist, Wrench> && !subtractable<Wrench, Twist>);
static_assert(paired<Wrench, Twist> && !paired<Twist, Wrench> && !paired<Twist, Twist> && !paired<Wrench, Wrench>);
static_assert(bracketed<Twist, Twist> && bracketed<Twist, Wrench> && !bracketed<Wrench, Wrench>);
static_assert(!std::is_convertible_v<Twist, Wrench> && !std::is_convertible_v<Wrench, Twist>);
static_assert(!std::is_constructible_v<Twist, Wrench> && !std::is_assignable_v<Twist&, Wrench>);

TEST(Screw, maps_are_their_matrices_and_power_does_not_depend_on_the_frame) {
  Random random(1);
  for (int k = 0; k < 100; ++k) {
    const Pose X = random.pose(3);
    const Twist V{random.vector(), random.vector()}, U{random.vector(), random.vector()};
    const Wrench F{random.vector(), random.vector()};
    EXPECT_LT((outward(X, V).vector() - twist_matrix(X) * V.vector()).norm(), 1e-14);
    EXPECT_LT((outward(X, F).vector() - wrench_matrix(X) * F.vector()).norm(), 1e-14);
    EXPECT_LT((inward(X, outward(X, V)) - V).vector().norm(), 1e-14);
    EXPECT_LT((inward(X, outward(X, F)) - F).vector().norm(), 1e-14);
    EXPECT_NEAR(power(outward(X, F), outward(X, V)), power(F, V), 1e-13);
    const Vec3 x = random.vector();
    EXPECT_NEAR(power(at_point(F, x), at_point(V, x)), power(F, V), 1e-14);
    EXPECT_LT((cross(V, U).vector() - twist_bracket(V) * U.vector()).norm(), 1e-14);
    EXPECT_LT((cross(V, F).vector() - wrench_bracket(V) * F.vector()).norm(), 1e-14);
    EXPECT_NEAR(power(F, cross(V, U)), -power(cross(V, F), U), 1e-14);  // duality of the brackets
  }
}

TEST(Screw, exponential_is_the_series_and_the_logarithm_its_inverse) {
  Random random(2);
  for (const double size : {0., 1e-12, 1e-6, 9e-4, 1.1e-3, 9e-3, 1.1e-2, 0.3, 1.5}) {
    for (int k = 0; k < 20; ++k) {
      const Twist V{random.vector(), random.vector(size)};
      // Power series of the 4 × 4 matrix [w^ v; 0 0]: 30 terms reach 1.5^30 √3^30/30! < 1e-19.
      Eigen::Matrix4d A = Eigen::Matrix4d::Zero(), term = Eigen::Matrix4d::Identity(), sum = term;
      A.topLeftCorner<3, 3>() = skew(V.w);
      A.topRightCorner<3, 1>() = V.v;
      for (int n = 1; n <= 30; ++n) {
        term = term * A / n;
        sum += term;
      }
      const Pose X = exponential(V);
      EXPECT_LT((X.R.toRotationMatrix() - sum.topLeftCorner<3, 3>()).norm(), 1e-14);
      EXPECT_LT((X.p - sum.topRightCorner<3, 1>()).norm(), 1e-14);
      EXPECT_LT((logarithm(X) - V).vector().norm(), 4e-14);
    }
  }
}

TEST(Screw, logarithm_reaches_half_turns) {
  const double pi = std::acos(-1);
  for (const double angle : {pi - 1e-3, pi - 1e-9, pi}) {
    const Twist V{{0.4, -0.2, 0.9}, angle * Vec3(0.6, 0, 0.8)};
    const Twist back = logarithm(exponential(V));
    // At π the axis may point either way; the pose must be the same.
    const Pose X = exponential(V), Y = exponential(back);
    EXPECT_LT((X.p - Y.p).norm() + (X.R.toRotationMatrix() - Y.R.toRotationMatrix()).norm(), 1e-14);
    EXPECT_LE(back.w.norm(), pi + 1e-15);
  }
}

TEST(Screw, axis_and_pitch_describe_the_screw_again) {
  Random random(3);
  for (int k = 0; k < 50; ++k) {
    const Twist V{random.vector(), random.vector()};
    const Axis axis = axis_of(V);
    const Vec3 w = axis.size * axis.direction;
    EXPECT_LT((V.w - w).norm(), 1e-15);
    EXPECT_LT((V.v - (axis.point.cross(w) + axis.pitch * w)).norm(), 1e-14);
    EXPECT_NEAR(axis.point.dot(axis.direction), 0, 1e-13 * (1 + axis.point.norm()));
  }
  const Axis couple = axis_of(Wrench{Vec3::Zero(), {0, 0, 3}});
  EXPECT_TRUE(std::isinf(couple.pitch));
  EXPECT_EQ(couple.direction, Vec3::UnitZ());
  EXPECT_EQ(axis_of(Twist{}).size, 0);
  // A slider, r·μ = 0 (E1): pitch zero.
  const Vec3 f(1, 2, 3), x(0.3, -1, 2);
  EXPECT_NEAR(axis_of(Wrench{f, x.cross(f)}).pitch, 0, 1e-16);
}

}  // namespace
}  // namespace vinculum::test
