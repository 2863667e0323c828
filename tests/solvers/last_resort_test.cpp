// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/last_resort.hpp"

#include "solvers/corpus.hpp"
#include "vinculum/solvers/portfolio.hpp"

#include <gtest/gtest.h>

namespace vinculum::solvers {
namespace {

using algebra::Vec3;

// Boxes with masses over three decades, thrown together so closely that most share several points, μ = 1.2.
contact::ContactProblem thrown_together() {
  corpus::Scene scene;
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> pm(-1, 1);
  const auto vector = [&] {
    const double x = pm(random), y = pm(random), z = pm(random);
    return Vec3(x, y, z);
  };
  for (int k = 0; k < 32; ++k) {
    const Vec3 p = 2 * vector();
    const double mass = std::pow(1000, 0.5 * (1 + pm(random)));
    scene.box(p, mass, Vec3(1, 1, 1), Vec3(0, 0, corpus::kDrop) + 0.3 * corpus::kDrop * vector());
  }
  for (int k = 0; k < 32; ++k) {
    const Vec3 x = scene.bodies[k].p;
    for (int o = -1; o < k; ++o) {
      const Vec3 other = o < 0 ? Vec3(x - corpus::up) : scene.bodies[o].p, way = x - other;
      if (o < 0 ? x.z() > -0.5 : way.norm() > 1.6) continue;
      const Vec3 n = way.normalized();
      for (int points = 1 + static_cast<int>(1.5 * (1 + pm(random))); points > 0; --points) {
        const Vec3 place = 0.5 * (x + other) + 0.4 * vector().cross(n);
        scene.contact(corpus::Kind::coulomb, o, k, place, (n + 0.1 * vector()).normalized(), 1.2);
      }
    }
  }
  return scene.problem;
}

TEST(LastResort, solves_what_the_portfolio_leaves) {
  const contact::ContactProblem problem = thrown_together();
  Solution solution;
  solution.Lambda.assign(problem.size(), Vec3::Zero());
  Portfolio portfolio;
  portfolio.solve(problem, {}, solution);
  ASSERT_NE(solution.report.status, Status::solved) << "the portfolio has become better: look for another problem";
  LastResort last_resort;
  last_resort.improve(problem, {}, solution);
  EXPECT_EQ(solution.report.status, Status::solved);
  std::vector<double> z;
  std::vector<Vec3> xi;
  const contact::Errors errors = contact::measure(problem, solution.Lambda, z, xi);
  EXPECT_LE(errors.scaled, 1e-8);
  EXPECT_EQ(errors.scaled, solution.report.errors.scaled);
}

TEST(LastResort, leaves_alone_what_is_solved_and_what_it_does_not_know) {
  contact::ContactProblem problem = corpus::box_on_ground(Vec3(0, 0, -1), 0.5);
  Solution solution;
  solution.Lambda.assign(problem.size(), Vec3::Constant(7));
  LastResort last_resort;
  last_resort.improve(problem, {}, solution);
  EXPECT_EQ(solution.Lambda[0], Vec3::Constant(7)) << "solved";
  solution.report.status = Status::stalled;
  problem.law[0] = laws::Kind::dry;
  last_resort.improve(problem, {}, solution);
  EXPECT_EQ(solution.Lambda[0], Vec3::Constant(7)) << "contact space has no friction with a given load";
}

}  // namespace
}  // namespace vinculum::solvers
