// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// IFToMM's multibody benchmarks A01, A02 and A04: a pendulum, rows of four-bars through their singular positions, and
// Bricard's overconstrained linkage. Reference values: extended precision, as in EXUDYN's and OpenSim's collections.
// The scheme is of order two; the tolerances are its error at these steps.
#include "support/simulate.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

namespace vinculum {
namespace {

using algebra::Vec3;
using test::Simulation;

std::string body(const std::string& name, const Vec3& x, const Vec3& inertia) {
  return fmt::format("[[body]]\nname = \"{}\"\nposition = {}\nmass = 1\ninertia = {}\n", name, test::vec(x),
                     test::vec(inertia));
}

std::string hinge(const std::string& parent, const std::string& child, const Vec3& point, const Vec3& axis, double v,
                  const std::string& more = "") {
  return fmt::format(
      "[[joint]]\nname = \"{0}-{1}\"\ntype = \"revolute\"\nparent = \"{0}\"\nchild = \"{1}\"\npoint = {2}\naxis = "
      "{3}\n{4}{5}",
      parent, child, test::vec(point), test::vec(axis), more.empty() ? fmt::format("v = {}\n", v) : "", more);
}

Vec3 point_of(const Simulation& sim, const std::string& name, const Vec3& at) {
  const std::size_t b = sim.body(name);
  return sim.state.q.x[b] + sim.state.q.R[b] * at;
}

TEST(Iftomm, A01_pendulum) {
  // A point of 1 kg at one metre, started level: in the plane x, z here.
  Simulation sim("[run]\ndt = 1e-3\n" + body("bob", {-1, 0, 0}, Vec3::Constant(1e-9)) +
                 hinge("world", "bob", {1, 0, 0}, {0, 1, 0}, 0));
  sim.run_until(10);
  EXPECT_NEAR(sim.x().x(), -0.275087463, 3e-5);
  EXPECT_NEAR(sim.x().z(), -0.961419205, 1e-5);
}

TEST(Iftomm, A02_two_four_bars_through_their_singular_position) {
  const int N = 2;
  const Vec3 y(0, 1, 0);
  std::string scene = "[run]\ndt = 1e-3\n";
  for (int i = 0; i <= N; ++i) scene += body(fmt::format("u{}", i), {1.0 * i, 0, 0.5}, {1.0 / 12, 1.0 / 12, 1e-9});
  for (int i = 0; i < N; ++i) scene += body(fmt::format("t{}", i), {i + 0.5, 0, 1}, {1e-9, 1.0 / 12, 1.0 / 12});
  scene += hinge("world", "u0", {0, 0, -0.5}, y, 1);
  for (int i = 0; i < N; ++i) {
    scene += hinge(fmt::format("u{}", i), fmt::format("t{}", i), {-0.5, 0, 0}, y, -1);
    scene += hinge(fmt::format("t{}", i), fmt::format("u{}", i + 1), {0, 0, 0.5}, y, 1);
    // A ball in a planar loop: one row of three is redundant.
    scene += fmt::format(
        "[[connect]]\nname = \"c{0}\"\na = \"world\"\nb = \"u{1}\"\npoint_a = [{1}, 0, 0]\n"
        "point_b = [0, 0, -0.5]\n",
        i, i + 1);
  }
  Simulation sim(scene);
  sim.run_until(10);
  const Vec3 B0 = point_of(sim, "u0", {0, 0, 0.5});
  EXPECT_NEAR(B0.x(), 0.328458112, 2e-6);
  EXPECT_NEAR(B0.z(), 0.944518538, 1e-6);
}

TEST(Iftomm, A04_Bricard_an_overconstrained_linkage_that_moves) {
  const Vec3 P[] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
  const Vec3 axis[] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
  std::string scene = "[scene]\ngravity = [0, -9.81, 0]\n[run]\ndt = 1e-3\n", joints;
  for (int i = 0; i < 5; ++i) {
    const Vec3 along = (P[i + 1] - P[i]).cwiseAbs(), centre = 0.5 * (P[i] + P[i + 1]);
    // A bar of 1 m × 0.1 m × 0.1 m.
    const Vec3 inertia = Vec3::Constant(1.01 / 12) - (1.01 / 12 - 0.02 / 12) * along;
    scene += body(fmt::format("r{}", i), centre, inertia);
    joints += hinge(i == 0 ? "world" : fmt::format("r{}", i - 1), fmt::format("r{}", i), P[i] - centre, axis[i], 0);
  }
  joints += hinge("world", "r4", 0.5 * (P[5] - P[4]), axis[5], 0, "loop = true\n");
  Simulation sim(scene + joints);
  sim.run_until(5);
  EXPECT_LT((point_of(sim, "r1", {0, -0.5, 0}) - Vec3(0.99993274, -1.00000000, -6.72554e-5)).norm(), 1e-7);
  sim.run_until(10);
  EXPECT_LT((point_of(sim, "r1", {0, -0.5, 0}) - Vec3(0.99973099, -0.99999996, -2.689765e-4)).norm(), 3e-7);
}

}  // namespace
}  // namespace vinculum
