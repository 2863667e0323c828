// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The limit of a spherical joint: the angle θ of its rotation stays below `upper`, whatever the axis.
#include "support/simulate.hpp"

namespace vinculum::integrators {
namespace {

using algebra::Quat;
using algebra::Vec3;
using test::Simulation;

/// A ball of inertia 0.4 on a joint at its centre, no gravity.
std::string spinner(const std::string& keys) {
  return "[scene]\ngravity = [0, 0, 0]\n[run]\ndt = 1e-3\ntol = 1e-10\n[[body]]\nname = \"b\"\nmass = 1\ninertia = "
         "[0.4, 0.4, 0.4]\n[[joint]]\nname = \"j\"\ntype = \"spherical\"\nchild = \"b\"\n" +
         keys;
}

Quat turn_of(const Simulation& sim) {
  const Eigen::VectorXd& q = sim.state.q.tree;
  return {q[0], q[1], q[2], q[3]};
}

double angle(const Quat& R) { return 2 * std::atan2(R.vec().norm(), std::abs(R.w())); }

TEST(BallLimit, a_spin_about_any_axis_is_thrown_back_at_the_limit_by_the_restitution) {
  // θ = w t up to t* = upper/w, then upper − e w (t − t*).
  const Vec3 w = 2 * Vec3(1, -2, 0.7).normalized();
  for (const double e : {0.0, 0.5, 1.0}) {
    Simulation sim(spinner(fmt::format("upper = 0.9\ne_N = {}\nv = {}\n", e, test::vec(w))));
    double most = 0;
    sim.run(700, [&] { most = std::max(most, angle(turn_of(sim))); });
    EXPECT_LT((sim.state.tree_v + e * w).norm(), 1e-9);
    // An impact acts at the middle of its step: up to half a step early or late.
    EXPECT_NEAR(angle(turn_of(sim)), 0.9 - e * 2 * (0.7 - 0.45), 2 * 1e-3);
    EXPECT_LT(most, 0.9 + 1e-9);
    EXPECT_LT(turn_of(sim).vec().cross(w).norm(), 1e-9);
  }
}

TEST(BallLimit, slides_along_the_limit_on_a_circle_of_axes) {
  // Unit quaternions are a sphere S³ on which the isotropic ball moves like a point: at θ = θ₀ on a small sphere of
  // radius sin(θ₀/2), along a great circle of it. With w normal to the axis e: e turns by Ω = |w|/(2 sin(θ₀/2)), and
  // the joint holds with the moment I |w|²/2 cot(θ₀/2).
  const double theta = 1.2, s = std::sin(0.5 * theta), c = std::cos(0.5 * theta);
  const Vec3 e = Vec3::UnitZ(), w(1.5, 0, 0);
  const double Omega = w.norm() / (2 * s);
  const Vec3 t = (c * w + s * e.cross(w)) / (2 * s * Omega);
  Simulation sim(
      spinner(fmt::format("upper = 1.2\nq = [{}, 0, 0, {}]\nv = {}\n", test::num(c), test::num(s), test::vec(w))));
  for (int k = 1; k <= 20; ++k) {
    sim.run(100);
    const double phase = Omega * 0.1 * k;
    const Quat R = turn_of(sim);
    const Vec3 axis = (R.w() < 0 ? -1 : 1) * R.vec().normalized();
    EXPECT_NEAR(angle(R), theta, 1e-9);
    EXPECT_LT((axis - std::cos(phase) * e - std::sin(phase) * t).norm(), 2e-6 * k);  // order two: (dt Ω)² per radian
    ASSERT_EQ(sim.record.contacts.size(), 1);
    EXPECT_NEAR(sim.record.contacts[0].Lambda.x() / 1e-3, 0.5 * 0.4 * 2.25 * c / s, 1e-5);
  }
}

TEST(BallLimit, a_pendulum_in_a_plane_meets_it_as_it_would_meet_the_limit_of_a_hinge) {
  auto pendulum = [](const std::string& joint) {
    return "[run]\ndt = 1e-3\n[[body]]\nname = \"rod\"\nmass = 1\ninertia = [0.1, 0.1, 0.02]\ncom = [0, 0, -0.5]\n"
           "[[joint]]\nname = \"j\"\nchild = \"rod\"\ne_N = 0.7\n" +
           joint;
  };
  Simulation ball(pendulum("type = \"spherical\"\nupper = 0.6\nv = [0, 3, 0]\n"));
  Simulation hinge(pendulum("type = \"revolute\"\naxis = [0, 1, 0]\nlower = -0.6\nupper = 0.6\nv = 3\n"));
  for (int i = 0; i < 2000; ++i) {
    ball.step(), hinge.step();
    ASSERT_LT((ball.x() - hinge.x()).norm(), 1e-9) << i;
  }
}

}  // namespace
}  // namespace vinculum::integrators
