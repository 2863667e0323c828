// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Least constraint of a system of six coordinates with three contacts, frictionless and with coupled or given friction:
// the solve from the blocks alone, and the whole way from (t, q, u). Medians of 31 samples of 1000 solves, µs;
// residuals beside.
#include "vinculum/principles/least_constraint.hpp"
#include "vinculum/principles/level_problem.hpp"

#include "vinculum/model/model.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <chrono>
#include <functional>

using namespace vinculum;
using Eigen::VectorXd;

namespace {

/// Three masses in the plane over a curved floor, coupled by springs and pushed down and sideways.
std::string scene(const std::string& law) {
  std::string text =
      "[lagrangian]\ncoordinates = [\"x1\", \"y1\", \"x2\", \"y2\", \"x3\", \"y3\"]\n"
      "T = \"(x1'^2 + y1'^2 + 2*x2'^2 + 2*y2'^2 + x3'^2 + y3'^2)/2 + 0.3*x1'*x2' + 0.2*y2'*y3'\"\n"
      "U = \"10*(y1 + 2*y2 + y3) + 3*(x1 - x2)^2 + 3*(x2 - x3)^2\"\nforces = [1, 0, -2, 0, 0.5, 0]\n"
      "q = [0, 0, 0.1, 0.001, 0.2, 0.004]\n";
  for (int i = 1; i <= 3; ++i) {
    text += fmt::format("[[law]]\nname = \"floor{0}\"\ntype = \"unilateral\"\ngap = \"y{0} - 0.1*x{0}^2\"\n", i);
    if (law == "given")
      text += fmt::format("[[law]]\nname = \"rub{0}\"\ntype = \"dry_friction\"\nrate = \"x{0}'\"\nload = 0.4\n", i);
    if (law == "coulomb") {
      text += fmt::format(
          "[[law]]\nname = \"rub{0}\"\ntype = \"coulomb\"\nrate = \"x{0}'\"\nnormal = \"floor{0}\"\nmu = 0.2\n", i);
    }
  }
  return text;
}

double median_us(const std::function<void()>& action) {
  std::vector<double> samples;
  for (int s = 0; s < 31; ++s) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 1000; ++i) action();
    samples.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count() /
                      1000);
  }
  std::nth_element(samples.begin(), samples.begin() + 15, samples.end());
  return samples[15];
}

}  // namespace

int main() {
  fmt::print("{:36}{:>12}{:>14}{:>10}{:>12}\n", "6 coordinates, 3 contacts", "solve us", "from state us", "Newton",
             "residual");
  for (const std::string law : {"frictionless", "given", "coulomb"}) {
    const model::Model model = model::parse_scene(scene(law), "bench.toml");
    const parts::Lagrangian part(*model.lagrangian, model.laws);
    const VectorXd q = Eigen::Map<const VectorXd>(model.lagrangian->q.data(), 6), u = VectorXd::Zero(6);
    const auto at = principles::make_instant(part, 0, q, u);
    const auto tolerances = principles::tolerances_of(at);
    const auto sets = principles::find_active_sets(part, at, tolerances);
    std::vector<convex::SetPtr> reactions;
    for (const auto& standing : sets.standing) reactions.push_back(standing.reactions);
    const auto level = principles::make_level_problem(part, at, reactions, at.h + at.f, at.w, tolerances);
    principles::SmallSolver solver;
    VectorXd Lambda, xi;
    principles::SmallReport report;
    const double solve = median_us([&] {
      Lambda.setZero(level.problem.rows());
      report = solver.solve(level.problem, 1e-10, Lambda, xi);
    });
    const double whole =
        median_us([&] { principles::solve_accelerations(part, principles::make_instant(part, 0, q, u), tolerances); });
    fmt::print("{:36}{:>12.3g}{:>14.3g}{:>10}{:>12.1e}\n", law, solve, whole, report.newton_steps,
               principles::judge(level.problem, Lambda));
  }
}
