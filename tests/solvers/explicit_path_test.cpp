// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Path following where the path is known in closed form, and where it is long.
#include "vinculum/solvers/explicit_path.hpp"
#include "solvers/corpus.hpp"
#include "vinculum/contact/friction_problem.hpp"

#include <gtest/gtest.h>
#include <Eigen/Dense>

using namespace vinculum;
using Path = solvers::ContactPath<3>;

namespace {

// One contact in the plane, W = [1 w; w 1], w = 0.9, q = (0.8, 1), μ = 3 > 1/w: with slip to the right r_T = −μ r_N,
// and the normal answers with 1 + α − μ w, negative below α = 1.7 (Painlevé). From the centre (1, 0):
//   stick  (W + α) r = (α − 0.8, −1),  |r_T| ≤ 3 r_N  <=>  3α² − 1.3α + 0.02 ≥ 0:  from large α down to α₁ = 0.417
//   slip   r_N = (α − 0.8)/(α − 1.7) > 0 for α < 0.8:  from α₁ back up to 0.8, where r_N = 0
//   open   u_N = 0.8 − α ≥ 0:  from 0.8 down to 0
// The answer at the end of this path is r = 0, which the open part has from its beginning on: one turn is walked.
contact::ExplicitProblem one_contact() {
  contact::FrictionProblem p;
  p.dimension = 2;
  p.W = (Eigen::Matrix2d() << 1, .9, .9, 1).finished().sparseView();
  p.q = Eigen::Vector2d(.8, 1);
  p.mu.setConstant(1, 3.0);
  return contact::condense(p, "");
}

struct Walk {
  solvers::ContactSpace<3> space;
  solvers::ContactMatrix<3> matrix;
  Path path;
  std::vector<double> r;
  Path::Outcome outcome;

  Walk(const contact::ExplicitProblem& problem, const std::vector<double>& centre, int steps) {
    space.build(problem);
    matrix.prepare(space);
    space.scale(centre, r);
    outcome = path.run(space, matrix, {.newton_steps = steps}, r);
  }
};

}  // namespace

TEST(ExplicitPath, turns_where_the_closed_form_does) {
  const Walk walk(one_contact(), {1, 0}, 1000);
  EXPECT_TRUE(walk.outcome.reached);
  EXPECT_EQ(walk.outcome.folds, 1);
  EXPECT_NEAR(walk.r[0], 0, 1e-8);  // the error aimed at
  EXPECT_NEAR(walk.r[1], 0, 1e-8);
}

// From a centre c near the other answer, stick, W r = −q, the path (W + α) r = α c − q stays inside the cone for all α.
TEST(ExplicitPath, arrives_at_the_other_answer_without_a_turn_from_near_it) {
  const Eigen::Matrix2d W = (Eigen::Matrix2d() << 1, .9, .9, 1).finished();
  const Eigen::Vector2d q(.8, 1), stick = W.inverse() * -q, centre = 1.2 * stick;
  for (double alpha = 100; alpha > 1e-12; alpha *= .9) {
    const Eigen::Vector2d r = (W + alpha * Eigen::Matrix2d::Identity()).inverse() * (alpha * centre - q);
    ASSERT_LE(std::abs(r[1]), 3 * r[0]);
  }
  const Walk walk(one_contact(), {centre[0], centre[1]}, 1000);
  EXPECT_TRUE(walk.outcome.reached);
  EXPECT_EQ(walk.outcome.folds, 0);
  const double unit = q.norm();  // σ of the unit-free variables; d = 1
  // the error aimed at, times |W⁻¹| = 10
  EXPECT_NEAR(walk.r[0] * unit, stick[0], 3e-8 * (1 + stick.norm()));
  EXPECT_NEAR(walk.r[1] * unit, stick[1], 3e-8 * (1 + stick.norm()));
}

TEST(ExplicitPath, solves_a_wedged_packing_from_zero_around_its_turns) {
  const contact::ContactProblem bodies = corpus::packing(4, .3, 1.03, 1);
  const contact::ExplicitProblem problem = contact::condense(contact::make_local(bodies), "");
  const Walk walk(problem, std::vector<double>(problem.q.size(), 0.0), 5000);
  std::vector<double> r, u;
  walk.space.unscale(walk.r, r);
  const contact::Errors errors = contact::measure(problem, r, u);
  EXPECT_TRUE(walk.outcome.reached);
  EXPECT_GT(walk.outcome.folds, 0);
  EXPECT_LE(errors.judged, 1e-8);
  EXPECT_LE(errors.scaled, 1e-8);
}
