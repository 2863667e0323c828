// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// IFToMM's multibody benchmarks with springs between points: A03, Andrews' squeezer, and A05, the flyball governor.
// The scenes are those of scenes/. Reference values: extended precision, that of A03 also in the IVP Test Set; A05 is
// integrated here once more, in minimal coordinates by a method of order four.
#include "support/simulate.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <array>

namespace vinculum {
namespace {

using test::Simulation;

double coordinate(const Simulation& sim, const std::string& name) {
  const std::vector<std::string>& names = sim.system.forest->q_names;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return sim.state.q.tree[static_cast<Eigen::Index>(i)];
  }
  throw std::logic_error("no coordinate " + name);
}

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

TEST(Iftomm, A03_Andrews) {
  const std::array<double, 7> coarse = squeeze(2e-5), fine = squeeze(1e-5);
  for (std::size_t i = 0; i < 7; ++i) {
    const double exact = squeezed[i].second;
    fmt::print("{}: {:.3e} {:.3e} ratio {} extrapolated {:.3e}\n", squeezed[i].first, coarse[i] - exact, fine[i] - exact, (coarse[i]-exact)/(fine[i]-exact),
               (4 * fine[i] - coarse[i]) / 3 - exact);
  }
}

TEST(Iftomm, A05_governor) {
  for (double dt : {4e-3, 2e-3, 1e-3}) {
  Simulation sim(test::scene_text("governor"), {.dt = dt});
  double most = 0;
  for (const auto& [t, s] : {std::pair(1.0, 0.5014209), std::pair(5.0, 0.5355631), std::pair(10.0, 0.6196229)}) {
    while (sim.state.t < t - 0.5 * sim.dt) sim.step(), most = std::max(most, coordinate(sim, "slide") + 0.5);
    fmt::print("{}: {:.9f} {:.3e}\n", t, coordinate(sim, "slide") + 0.5, coordinate(sim, "slide") + 0.5 - s);
  }
    fmt::print("max {:.9f} {:.3e}\n", most, most - 0.7435711);
  }
}

}  // namespace
}  // namespace vinculum
