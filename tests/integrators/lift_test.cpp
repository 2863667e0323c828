// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A row of balls in closed form: for equal masses 1 the lift of ball k is δ_k = Π_{k−1} − Π_k, and Π solves
//   0 <= g + G Π ⊥ Π >= 0,   G = tridiagonal (−1, 2, −1),
// here by trying all sets of contacts that push.
#include "vinculum/integrators/lift.hpp"
#include "support/simulate.hpp"
#include "vinculum/collide/search.hpp"

#include <Eigen/LU>

namespace vinculum::integrators {
namespace {

using test::Simulation;

Eigen::VectorXd enumerate(const Eigen::VectorXd& gaps) {
  const int n = static_cast<int>(gaps.size());
  for (int set = 0; set < 1 << n; ++set) {
    Eigen::MatrixXd A = Eigen::MatrixXd::Identity(n, n);
    Eigen::VectorXd b = Eigen::VectorXd::Zero(n);
    for (int i = 0; i < n; ++i) {
      if (!(set >> i & 1)) continue;
      A(i, i) = 2;
      if (i > 0) A(i, i - 1) = -1;
      if (i + 1 < n) A(i, i + 1) = -1;
      b[i] = -gaps[i];
    }
    const Eigen::VectorXd Pi = A.partialPivLu().solve(b);
    bool good = Pi.minCoeff() >= 0;
    for (int i = 0; i < n; ++i) {
      const double end = gaps[i] + 2 * Pi[i] - (i > 0 ? Pi[i - 1] : 0) - (i + 1 < n ? Pi[i + 1] : 0);
      good = good && end >= -1e-12;
    }
    if (good) return Pi;
  }
  return Eigen::VectorXd::Constant(n, NAN);
}

/// Balls of radius 0.1 along x with these gaps; Π by contact, and how many contacts were looked at.
struct Row {
  explicit Row(const std::vector<double>& gaps, double tol, const Allowance& allowed = {}) {
    std::string text = "[scene]\ngravity = [0, 0, 0]\n[[contact]]\nmu = 0.5\n";
    double x = 0;
    for (std::size_t k = 0; k <= gaps.size(); ++k) {
      text += "[[body]]\nname = 'b" + std::to_string(k) + "'\nmass = 1\nposition = [" + test::num(x) +
              ", 0, 0]\nshape = { type = 'sphere', radius = 0.1 }\n";
      if (k < gaps.size()) x += .2 + gaps[k];
    }
    const Simulation sim(text);
    const std::vector<double> margin(gaps.size() + 1, .5);
    collide::ContactSet found, now;
    collide::Search(sim.system).find(sim.state.q, margin, found);
    ContactsAnew anew(sim.system, 1e-8);
    anew.begin(sim.state.q, found, margin, false);
    anew.find(sim.state.q, now);
    std::vector<contact::Mat3> turn;
    contact::make_turns(sim.system, sim.state.q, turn);
    Lift lift(sim.system);
    solved = lift.solve(anew, sim.state.q, turn, allowed, tol);
    Pi = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(gaps.size()));
    for (std::size_t i = 0; i < lift.contacts.size(); ++i) {
      const collide::Contact& contact = lift.contacts[i];
      if (contact.body_b == contact.body_a + 1) Pi[contact.body_a] = lift.Pi[i];
    }
    looked_at = lift.contacts.size();
  }
  bool solved = false;
  Eigen::VectorXd Pi;
  std::size_t looked_at = 0;
};

void expect_exact(const std::vector<double>& gaps) {
  const Row row(gaps, 1e-6);
  EXPECT_TRUE(row.solved);
  const Eigen::VectorXd exact = enumerate(Eigen::Map<const Eigen::VectorXd>(gaps.data(), std::ssize(gaps)));
  EXPECT_LT((row.Pi - exact).norm(), 2e-5 * exact.norm());  // tol times the condition of G, at most 33 for 8 rows
}

TEST(Lift, of_one_pair_shares_the_overlap) { expect_exact({-.01}); }

TEST(Lift, of_a_row_is_the_least_one) {
  expect_exact({-.01, -.005});
  expect_exact({-.01, -.005, -.02, .01, -.003});
  expect_exact({-.01, .002, -.02, .001, .0005, -.03, .004, -.001});
}

TEST(Lift, takes_in_what_it_is_lifted_against) {
  const std::vector<double> gaps{-.01, .001, .001, .001};
  expect_exact(gaps);
  EXPECT_GT(Row(gaps, 1e-6).Pi[1], 0);
}

/// τ = 1e-10 m: a tenth of 1e-8 times the size of a ball. What overlaps by more than τ is lifted to zero, others push
/// back only beyond 3/4 τ: the same closed form for gaps that count from there.
TEST(Lift, lets_others_overlap_within_their_tolerance) {
  const double tau = 1e-10;
  for (const std::vector<double>& in_tau : {std::vector<double>{-.5, -3, -.5}, {-.7, -3, -.7, .1, -1.5, -.6}}) {
    std::vector<double> gaps(in_tau.size());
    Eigen::VectorXd from(std::ssize(in_tau));
    for (std::size_t i = 0; i < gaps.size(); ++i) {
      gaps[i] = tau * in_tau[i];
      from[static_cast<Eigen::Index>(i)] = in_tau[i] < -1 ? in_tau[i] : in_tau[i] + .75;
    }
    const Row row(gaps, 1e-6, allowance(1));
    EXPECT_TRUE(row.solved);
    const Eigen::VectorXd exact = enumerate(from);
    EXPECT_LT((row.Pi / tau - exact).norm(), 2e-5 * exact.norm() + 1e-5);  // places are rounded to 1e-16 m
  }
}

TEST(Lift, that_mends_another_leaves_what_that_left) {
  EXPECT_EQ(allowance(1).deep, 0);
  for (int k = 1; k < 12; ++k) {
    EXPECT_EQ(allowance(k + 1).deep, allowance(k).other);
    EXPECT_GT(allowance(k + 1).other, allowance(k).other);
    EXPECT_LT(allowance(k + 1).other, 1);
  }
}

TEST(Lift, does_not_look_at_what_it_does_not_reach) {
  const Row row({-.01, .3, -.01, .3, .3, .3}, 1e-6);
  EXPECT_TRUE(row.solved);
  EXPECT_EQ(row.looked_at, 2u);
}

/// Equal gaps −d push with Π_k = d (k + 1) (n − k) / 2. Sweeps over-relaxed by 1.2 would take 200.
TEST(Lift, relaxes_more_where_it_is_slow) {
  const int n = 15;
  const Row row(std::vector<double>(n, -.01), 1e-6);
  EXPECT_TRUE(row.solved);
  for (int k = 0; k < n; ++k) EXPECT_NEAR(row.Pi[k], .005 * (k + 1) * (n - k), 1e-5);
}

TEST(Lift, of_a_long_row_says_that_it_is_not_solved) {
  EXPECT_FALSE(Row(std::vector<double>(200, -.01), 1e-6).solved);  // 200² sweeps, about
}

}  // namespace
}  // namespace vinculum::integrators
