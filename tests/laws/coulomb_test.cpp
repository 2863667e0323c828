// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/laws/coulomb.hpp"

#include <gtest/gtest.h>
#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <random>

using namespace vinculum::laws;
using vinculum::algebra::Mat3;
using vinculum::algebra::Vec3;

namespace {

const ForceLaw& coulomb() { return law_of(Kind::coulomb); }

// All answers of one block by enumeration: open, stick, and slip found by scanning the slip angle. With t the slip
// direction, r = r_N (1, −μ t) and ξ_N = 0 give r_N; what is left is that ξ_T has no part across t.
std::vector<Vec3> enumerate(const Mat3& A, const Vec3& b, double mu) {
  std::vector<Vec3> answers;
  if (b[0] >= 0) answers.push_back(Vec3::Zero());
  const Vec3 stick = A.fullPivLu().solve(-b);
  if (stick[0] >= 0 && stick.tail<2>().norm() <= mu * stick[0]) answers.push_back(stick);
  auto impulse = [&](double angle) {
    const Vec3 direction(1, -mu * std::cos(angle), -mu * std::sin(angle));
    return Vec3(-b[0] / A.row(0).dot(direction) * direction);
  };
  auto across = [&](double angle) {
    const Vec3 xi = A * impulse(angle) + b;
    return -std::sin(angle) * xi[1] + std::cos(angle) * xi[2];
  };
  constexpr int cells = 2000;
  for (int k = 0; k < cells; ++k) {
    double low = 2 * std::numbers::pi * k / cells, high = 2 * std::numbers::pi * (k + 1) / cells;
    if (across(low) * across(high) > 0) continue;
    const bool rising = across(high) > across(low);
    for (int step = 0; step < 60; ++step) {
      const double middle = .5 * (low + high);
      ((across(middle) > 0) == rising ? high : low) = middle;
    }
    const Vec3 r = impulse(low), xi = A * r + b;
    const double along = std::cos(low) * xi[1] + std::sin(low) * xi[2];
    if (r[0] >= 0 && along >= 0 && std::abs(xi[0]) < 1e-6) answers.push_back(r);
  }
  return answers;
}

}  // namespace

TEST(Coulomb, agrees_with_enumeration_of_open_stick_and_slip) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> pm(-1, 1);
  int open = 0, stick = 0, slip = 0;
  for (int k = 0; k < 3000; ++k) {
    Mat3 B;
    for (int i = 0; i < 9; ++i) B(i) = pm(random);
    Mat3 A = B * B.transpose() + .05 * Mat3::Identity();
    if (k % 2) {
      const Mat3 K = vinculum::algebra::skew(Vec3(pm(random), pm(random), pm(random)));
      A += .2 * K;
    }
    const Vec3 b(pm(random) - .5, pm(random), pm(random));
    const double mu = std::pow(10, 1.5 * pm(random) - .5);
    const Vec3 r = coulomb().solve_local(A, b, mu, Vec3::Zero());
    double nearest = 1e9;
    for (const Vec3& answer : enumerate(A, b, mu)) nearest = std::min(nearest, (r - answer).norm());
    // Condition up to 1e3, and bisection of an angle to 1e-16
    ASSERT_LT(nearest, 1e-9 * (1 + r.norm())) << A << "\n" << b.transpose() << "\n" << mu;
    (r.isZero() ? open : r.tail<2>().norm() < .999999 * mu * r[0] ? stick : slip)++;
  }
  EXPECT_GT(open, 300);
  EXPECT_GT(stick, 300);
  EXPECT_GT(slip, 300);
}

TEST(Coulomb, a_block_on_a_slope_sticks_below_the_friction_angle_and_slips_above) {
  const Mat3 A = Mat3::Identity() / 2.0;  // mass 2
  for (double angle : {.1, .4, .5}) {
    const double mu = std::tan(.45);
    const Vec3 b(-std::cos(angle), std::sin(angle), 0);
    const Vec3 r = coulomb().solve_local(A, b, mu, Vec3::Zero());
    const Vec3 xi = A * r + b;
    EXPECT_NEAR(r[0], 2 * std::cos(angle), 1e-15);
    EXPECT_NEAR(xi[1], angle < .45 ? 0 : std::sin(angle) - mu * std::cos(angle), 1e-15);
  }
}

TEST(Coulomb, a_planar_contact_may_leave_its_second_tangent_empty) {
  Mat3 A = Mat3::Zero();
  A.topLeftCorner<2, 2>() << 2, .5, .5, 1;
  const Vec3 stick = coulomb().solve_local(A, Vec3(-1, .1, 0), 1, Vec3::Zero());
  EXPECT_LT((A * stick + Vec3(-1, .1, 0)).norm(), 1e-14);
  const Vec3 b(-1, 3, 0);
  const Vec3 slip = coulomb().solve_local(A, b, .3, Vec3::Zero());
  EXPECT_NEAR(slip[1], -.3 * slip[0], 1e-15);
  EXPECT_NEAR((A * slip + b)[0], 0, 1e-15);
  EXPECT_EQ(slip[2], 0);
}

TEST(Coulomb, what_a_singular_block_cannot_undo_is_not_held_by_its_rounding) {
  // G d = 0 with d inside the cone, as between links with two freedoms: Λ = x + s d sticks for all s where b = −A x.
  // Where b has a part along d (a restitution that friction forbids), nothing sticks, and impulses stay those of the
  // rest.
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> pm(-1, 1);
  for (int k = 0; k < 200; ++k) {
    const Vec3 d = Vec3(1, .4 * pm(random), .4 * pm(random)).normalized();
    const Vec3 p = d.cross(Vec3(pm(random), pm(random), pm(random))).normalized(), q = d.cross(p);
    const Mat3 A = 2 * p * p.transpose() + .5 * q * q.transpose();
    const Vec3 x(1, .3 * pm(random), .3 * pm(random)), b = -A * x;
    const Vec3 stick = coulomb().solve_local(A, b, .8, Vec3::Zero());
    EXPECT_TRUE(b[0] >= 0 || (A * stick + b).norm() < 1e-12);
    const Vec3 other = coulomb().solve_local(A, b - .5 * d, .8, Vec3::Zero());
    EXPECT_LT(other.norm(), 10 / A(0, 0));  // not 1e15, by rounding
  }
}

TEST(Coulomb, the_prepared_block_gives_the_same_with_any_slip_guess) {
  Mat3 A;
  A << 2, .3, -.2, .3, 1, .1, -.2, .1, .7;
  const CoulombBlock block = make_coulomb_block(A);
  const Vec3 b(-1, 2, -1);
  for (double guess : {0., 1e-12, .1, 1., 1e12}) {
    double slip = guess;
    const Vec3 r = solve_coulomb_block(block, b, .4, slip);
    const Vec3 xi = A * r + b;
    EXPECT_NEAR(slip, xi.tail<2>().norm() / r.tail<2>().norm(), 1e-13);
    EXPECT_LT(coulomb().natural_map(xi, r, .4).norm(), 1e-14);
  }
}

TEST(Coulomb, the_cone_projection_splits_into_cone_and_polar) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> pm(-1, 1);
  for (int k = 0; k < 10000; ++k) {
    const double mu = std::pow(10, pm(random));
    const Vec3 x(pm(random), pm(random), pm(random));
    const Vec3 p = project_cone(x, mu), q = x - p;  // Moreau: p ∈ K, q ∈ K°, p ⊥ q
    ASSERT_LE(p.tail<2>().norm(), mu * p[0] + 1e-15);
    ASSERT_LE(mu * q.tail<2>().norm(), -q[0] + 1e-14);
    ASSERT_NEAR(p.dot(q), 0, 1e-15);
  }
}

TEST(Coulomb, the_closed_answer_of_a_round_block_is_that_of_the_search) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(.1, 3);
  for (int k = 0; k < 1000; ++k) {
    const double a = uniform(random);
    const CoulombBlock round = make_coulomb_block(Vec3(uniform(random), a, a).asDiagonal());
    ASSERT_TRUE(round.round);
    const Vec3 b(normal(random), normal(random), normal(random));
    double slip = 0;
    const Vec3 searched = solve_coulomb_block(round, b, .4, slip);
    // Both are exact; rounding of the search's λ shows in the direction alone.
    EXPECT_LT((solve_round_block(round, b, .4) - searched).norm(), 1e-14 * (1 + searched.norm())) << k;
  }
  Mat3 tilted = Mat3::Identity();
  tilted(1, 2) = tilted(2, 1) = 1e-12;
  EXPECT_FALSE(make_coulomb_block(tilted).round);
}

TEST(Coulomb, a_slip_refined_by_one_step_a_call_settles_at_the_answer) {
  Mat3 A;
  A << 2, .3, -.2, .3, 1.5, .4, -.2, .4, .7;
  const Vec3 b(-1, 2, .5);
  double settled = 0, slip = 1;
  const Vec3 answer = solve_coulomb_block(make_coulomb_block(A), b, .3, settled);
  Vec3 last = Vec3::Zero();
  for (int call = 0; call < 12; ++call) last = solve_coulomb_block(make_coulomb_block(A), b, .3, slip, 1);
  EXPECT_LT((last - answer).norm(), 1e-14);
}
