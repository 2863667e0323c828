// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What every registered joint promises, on random geometry and coordinates:
//   subspace     S v = body twist of X_J along integrate(q, v t), by central differences of the pose
//   rate terms   d/dt (S v) = c_J for constant v, by central differences of the subspace
//   N            q̇ = N v is the derivative of integrate
//   round trip   difference(q, integrate(q, u)) = u, integrate(q, difference(q, q1)) has the pose of q1
//   power        τ = SᵀF has τᵀv = power(F, S v)
//   neutral      X_J(neutral) = 1, in which the joint's point does not move
//   check        good coordinates pass; NaN, wrong numbers and long quaternions do not
#include "vinculum/base/error.hpp"
#include "vinculum/joints/joint.hpp"

#include "support/random_tree.hpp"

#include <gtest/gtest.h>
#include <limits>

namespace vinculum::test {
namespace {

using namespace joints;
using screw::Vec6;

std::span<const double> view(const auto& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

struct Draw {
  Joint joint;
  Coordinates q;
  Velocity v;
};

template <class Body>
void for_each_joint(Body&& body) {
  ASSERT_FALSE(joint_types().empty());
  for (std::size_t k = 0; k < joint_types().size(); ++k) {
    SCOPED_TRACE(joint_types()[k].name);
    Random random(static_cast<unsigned>(k) + 1);
    for (int repeat = 0; repeat < 50; ++repeat) {
      Draw draw;
      draw.joint = random_joint(random, static_cast<Kind>(k));
      const Eigen::VectorXd u = random.values(draw.joint.nv(), 1.3);
      draw.q = draw.joint.integrate(view(draw.joint.neutral()), view(u));
      draw.v = random.values(draw.joint.nv());
      body(draw, random);
    }
  }
}

TEST(Joints, registry_order_is_that_of_the_enumeration) {
  for (std::size_t k = 0; k < joint_types().size(); ++k) {
    EXPECT_EQ(&type_of(static_cast<Kind>(k)), &joint_types()[k]);
    EXPECT_EQ(find_joint_type(joint_types()[k].name), &joint_types()[k]);
    EXPECT_FALSE(joint_types()[k].text.empty());
  }
  EXPECT_EQ(find_joint_type("mimic"), nullptr);
}

TEST(Joints, subspace_is_the_derivative_of_the_pose) {
  for_each_joint([](const Draw& d, Random&) {
    const double t = 1e-5;  // truncation t² = 1e-10, rounding ε/t = 2e-11
    const Velocity step = t * d.v, back = -step;
    const Pose plus = d.joint.pose(view(d.joint.integrate(view(d.q), view(step))));
    const Pose minus = d.joint.pose(view(d.joint.integrate(view(d.q), view(back))));
    const Vec6 twist = screw::logarithm(minus.inverse() * plus).vector() / (2 * t);
    // The logarithm is taken at the start of the interval, S in its middle: both see the same screw to second order.
    const Vec6 expected = d.joint.subspace(view(d.q)) * d.v;
    const Pose half = minus.inverse() * d.joint.pose(view(d.q));
    const Vec6 there = screw::inward(half, screw::Twist::from_vector(twist)).vector();
    EXPECT_LT((there - expected).norm(), 1e-9 * (1 + expected.norm()));
  });
}

TEST(Joints, rate_term_is_the_derivative_of_the_subspace) {
  for_each_joint([](const Draw& d, Random&) {
    const double t = 1e-5;
    const Velocity step = t * d.v, back = -step;
    const Vec6 plus = d.joint.subspace(view(d.joint.integrate(view(d.q), view(step)))) * d.v;
    const Vec6 minus = d.joint.subspace(view(d.joint.integrate(view(d.q), view(back)))) * d.v;
    const Vec6 c = d.joint.rate_term(view(d.q), view(d.v)).vector();
    EXPECT_LT(((plus - minus) / (2 * t) - c).norm(), 1e-9 * (1 + c.norm()));
  });
}

TEST(Joints, rates_of_coordinates_are_those_of_integrate) {
  for_each_joint([](const Draw& d, Random&) {
    const double t = 1e-5;
    const Velocity step = t * d.v, back = -step;
    const Coordinates plus = d.joint.integrate(view(d.q), view(step)), minus = d.joint.integrate(view(d.q), view(back));
    const Coordinates rate = d.joint.rate_map(view(d.q)) * d.v;
    EXPECT_LT(((plus - minus) / (2 * t) - rate).norm(), 1e-9 * (1 + rate.norm()));
  });
}

TEST(Joints, difference_undoes_integrate) {
  for_each_joint([](const Draw& d, Random& random) {
    for (const double size : {1e-9, 1e-3, 0.5, 1.7}) {  // turns up to √3 · 1.7 < π
      const Velocity u = random.values(d.joint.nv(), size);
      const Coordinates q1 = d.joint.integrate(view(d.q), view(u));
      EXPECT_LE((d.joint.difference(view(d.q), view(q1)) - u).norm(), 1e-13 * (1 + size));
      const Velocity back = d.joint.difference(view(q1), view(d.q));
      const Pose X = d.joint.pose(view(d.joint.integrate(view(q1), view(back)))), expected = d.joint.pose(view(d.q));
      EXPECT_LT((X.p - expected.p).norm(), 1e-13 * (1 + size));
      EXPECT_LT((X.R.toRotationMatrix() - expected.R.toRotationMatrix()).norm(), 1e-13 * (1 + size));
    }
  });
}

TEST(Joints, power_on_the_coordinates_is_that_of_the_wrench) {
  for_each_joint([](const Draw& d, Random& random) {
    const screw::Wrench F{random.vector(), random.vector()};
    const auto S = d.joint.subspace(view(d.q));
    const Velocity tau = S.transpose() * F.vector();
    EXPECT_NEAR(tau.dot(d.v), screw::power(F, screw::Twist::from_vector(S * d.v)), 1e-13);
  });
}

TEST(Joints, neutral_is_the_identity) {
  for_each_joint([](const Draw& d, Random&) {
    const Pose X = d.joint.pose(view(d.joint.neutral()));
    EXPECT_EQ(X.p, Vec3::Zero());
    EXPECT_EQ(X.R.vec(), Vec3::Zero());
    EXPECT_EQ(d.joint.fault(view(d.joint.neutral())), std::nullopt);
  });
}

TEST(Joints, subspace_has_full_rank) {
  for_each_joint([](const Draw& d, Random&) {
    const auto S = d.joint.subspace(view(d.q));
    if (S.cols() == 0) return;
    const Eigen::MatrixXd gram = S.transpose() * S;
    EXPECT_GT(gram.determinant(), 1e-6);
  });
}

TEST(Joints, coordinates_that_are_none_are_named) {
  for_each_joint([](const Draw& d, Random&) {
    EXPECT_EQ(d.joint.fault(view(d.q)), std::nullopt);
    Eigen::VectorXd longer(d.q.size() + 1);
    longer << d.q, 0;
    EXPECT_TRUE(d.joint.fault(view(longer)).has_value());
    for (int i = 0; i < d.q.size(); ++i) {
      Coordinates bad = d.q;
      bad[i] = std::numeric_limits<double>::quiet_NaN();
      const auto fault = d.joint.fault(view(bad));
      ASSERT_TRUE(fault.has_value());
      EXPECT_NE(fault->find("nan"), std::string::npos) << *fault;
    }
  });
  const Joint ball(Kind::spherical, {});
  const std::vector<double> twice{2, 0, 0, 0};
  EXPECT_NE(ball.fault(twice)->find("length 2"), std::string::npos);
  const Joint cardan(Kind::six_dof, {});
  const std::vector<double> singular{0, 0, 0, 0.3, std::acos(-1) / 2, 0.1};
  EXPECT_NE(cardan.fault(singular)->find("singular"), std::string::npos);
}

TEST(Joints, geometry_that_makes_no_joint_is_refused) {
  const auto message = [](Kind kind, const Geometry& geometry) -> std::string {
    try {
      Joint(kind, geometry);
    } catch (const base::InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  Geometry geometry;
  geometry.axis = Vec3::Zero();
  EXPECT_EQ(message(Kind::revolute, geometry),
            "revolute.axis: found (0, 0, 0), expected a direction of nonzero finite length");
  geometry = {};
  geometry.axis_2 = geometry.axis;
  EXPECT_NE(message(Kind::universal, geometry).find("parallel"), std::string::npos);
  EXPECT_NE(message(Kind::planar, geometry).find("parallel"), std::string::npos);
  geometry = {};
  geometry.pitch = std::numeric_limits<double>::infinity();
  EXPECT_NE(message(Kind::screw, geometry).find("screw.pitch: found inf"), std::string::npos);
  geometry = {};
  geometry.point.x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(message(Kind::spherical, geometry).find("spherical.point"), std::string::npos);
  EXPECT_EQ(message(Kind::prismatic, geometry), "accepted");  // a point that is not used must not matter
}

TEST(Joints, a_continuous_joint_goes_the_shorter_way_round) {
  const Joint joint(Kind::continuous, {});
  const double pi = std::acos(-1), q0 = 3, q1 = -3;
  EXPECT_NEAR(joint.difference({&q0, 1}, {&q1, 1})[0], 2 * pi - 6, 1e-15);
  EXPECT_EQ(Joint(Kind::revolute, {}).difference({&q0, 1}, {&q1, 1})[0], -6);
}

TEST(Joints, a_screw_advances_by_its_pitch) {
  Geometry geometry;
  geometry.axis = {0, 0, 2};  // made unit
  geometry.point = {1, 0, 0};
  geometry.pitch = 0.1;
  const double q = std::acos(-1);  // half a turn about (1, 0): the origin goes to (2, 0, π/10)
  const Pose X = Joint(Kind::screw, geometry).pose({&q, 1});
  EXPECT_LT((X.p - Vec3(2, 0, 0.1 * q)).norm(), 1e-15);
}

}  // namespace
}  // namespace vinculum::test
