// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// IFToMM's multibody benchmarks with springs between points: A03, Andrews' squeezer, and A05, the flyball governor.
// The scenes are those of scenes/. Reference values: extended precision; that of A03 agrees with the IVP Test Set's to
// 1e-9. A05 is integrated here once more, in minimal coordinates by a method of order four.
#include "support/simulate.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <array>

namespace vinculum {
namespace {

using test::Simulation;

double coordinate(const Simulation& sim, const std::string& name) {
  const std::vector<std::string>& names = sim.system.forest->q_names;
  const auto at = std::find(names.begin(), names.end(), name) - names.begin();
  return sim.state.q.tree[static_cast<Eigen::Index>(at)];
}

// Andrews' squeezer at t = 0.03 s.
constexpr std::array<std::pair<const char*, double>, 7> squeezed{{{"beta", 15.8107711952},
                                                                  {"Theta", -15.7563710584},
                                                                  {"gamma", 0.0408222401},
                                                                  {"Phi", -0.5347301163},
                                                                  {"delta", 0.5244099659},
                                                                  {"Omega", 0.5347301163},
                                                                  {"epsilon", 1.0480807410}}};

/// The seven coordinates at 0.03 s and beta at 0.05 s.
Eigen::Matrix<double, 8, 1> squeeze(double dt) {
  Simulation sim(test::scene_text("andrews"), {.dt = dt, .tol = 1e-12});
  Eigen::Matrix<double, 8, 1> q;
  sim.run_until(0.03);
  for (int i = 0; i < 7; ++i) q[i] = coordinate(sim, squeezed[static_cast<std::size_t>(i)].first);
  sim.run_until(0.05);
  q[7] = coordinate(sim, "beta");
  return q;
}

TEST(Iftomm, A03_Andrews_squeezer) {
  const auto coarse = squeeze(2e-5), half = squeeze(1e-5), fine = squeeze(5e-6);
  // The error is a dt² + b dt³ + ...: two extrapolations leave the fourth order.
  const auto once = half + (half - coarse) / 3, again = fine + (fine - half) / 3;
  const Eigen::Matrix<double, 8, 1> limit = again + (again - once) / 7;
  for (int i = 0; i < 7; ++i) {
    const auto& [name, exact] = squeezed[static_cast<std::size_t>(i)];
    SCOPED_TRACE(name);
    EXPECT_NEAR(test::order(half[i] - exact, fine[i] - exact), 2, 0.1);
    EXPECT_LT(std::abs(fine[i] - exact), 5e-5);  // order two: a turn of 16 rad in 6000 steps
    EXPECT_NEAR(limit[i], exact, 1e-8);
  }
  // F, the far end of K1, at 0.05 s.
  EXPECT_NEAR(0.007 * std::cos(limit[7]), -0.00520850472, 1e-9);
  EXPECT_NEAR(0.007 * std::sin(limit[7]), 0.00467669526, 1e-9);
}

/// The governor in its two freedoms: α of both rods below level and the height s of the slider; φ̇ = p/J(α) with the
/// angular momentum p about the shaft. T = J φ̇²/2 + I α̇² + m ṡ²/2, both rods and springs alike.
struct Governor {
  using Vec4 = Eigen::Vector4d;
  static constexpr double rod = 0.3, tip = 5, slider = 3, arm = 0.05, g = 9.81, k = 8e5, c = 4e4, rest = 0.5;
  static constexpr double along = rod * 2e-4 / 12, across = rod * (1 + 1e-4) / 12;
  static constexpr double shaft = rod * 2e-4 / 12 + slider * 0.02 / 12;
  static double J(double x) {
    const double C = std::cos(x), S = std::sin(x);
    return shaft + 2 * (rod * std::pow(arm + 0.5 * C, 2) + across * C * C + along * S * S + tip * std::pow(arm + C, 2));
  }
  static double dJ(double x) {
    const double C = std::cos(x), S = std::sin(x);
    return -2 * S * (rod * (arm + 0.5 * C) + 2 * (across - along) * C + 2 * tip * (arm + C));
  }
  static Vec4 rate(const Vec4& y) {
    const double C = std::cos(y[0]), S = std::sin(y[0]), w = 2 * test::pi * J(test::pi / 6) / J(y[0]);
    const double x = 0.5 * C, z = 1 - 0.5 * S - y[1], l = std::hypot(x, z);  // from the slider to the rod's middle
    const double x_a = -0.5 * S, z_a = -0.5 * C;                             // their derivatives by α
    const double l_a = (x * x_a + z * z_a) / l, l_s = -z / l;
    const double f = -k * (l - rest) - c * (l_a * y[2] + l_s * y[3]);
    const double I = 0.25 * rod + across + tip;
    return {y[2], y[3], (f * l_a + 0.25 * w * w * dJ(y[0]) + (0.5 * rod + tip) * g * C) / I, 2 * f * l_s / slider - g};
  }
  static Vec4 step(const Vec4& y, double h) {  // Runge–Kutta of order four
    const Vec4 a = rate(y), b = rate(y + 0.5 * h * a), d = rate(y + 0.5 * h * b), e = rate(y + h * d);
    return y + h / 6 * (a + 2 * b + 2 * d + e);
  }
};

TEST(Iftomm, A05_flyball_governor) {
  Simulation sim(test::scene_text("governor"));
  Governor::Vec4 y(test::pi / 6, 0.5, 0, 0);
  double highest = 0;
  for (const auto& [t, s] : {std::pair(1.0, 0.5014209), std::pair(5.0, 0.5355631), std::pair(10.0, 0.6196229)}) {
    for (; sim.state.t < t - 0.5 * sim.dt; sim.step()) {
      highest = std::max(highest, 0.5 + coordinate(sim, "slide"));
      for (int i = 0; i < 100; ++i) y = Governor::step(y, 1e-5);
    }
    EXPECT_NEAR(y[1], s, 1e-7);  // digits of the reference
    EXPECT_NEAR(0.5 + coordinate(sim, "slide"), s, 3e-7 * t + 1e-7);
    EXPECT_NEAR(0.5 + coordinate(sim, "slide"), y[1], 3e-7 * t);  // order two, errors grow with time
    EXPECT_NEAR(coordinate(sim, "left hinge"), coordinate(sim, "right hinge"), 1e-9);
  }
  EXPECT_NEAR(highest, 0.7435711, 1e-6);
}

}  // namespace
}  // namespace vinculum
