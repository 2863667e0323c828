// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The first look at a problem: right where contacts do not feel each other, silent where it cannot answer.
#include "vinculum/solvers/explicit_glance.hpp"

#include <gtest/gtest.h>
#include <array>
#include <cmath>
#include <random>

using namespace vinculum;
using contact::ExplicitProblem;

namespace {

// Contacts that touch nothing but the ground, one block each.
ExplicitProblem alone(int d, int contacts, std::mt19937& random) {
  std::normal_distribution<double> normal;
  ExplicitProblem p;
  p.dimension = d;
  p.row = {0};
  for (int i = 0; i < contacts; ++i) {
    p.row.push_back(i + 1);
    p.column.push_back(i);
    std::array<double, 9> B;
    for (double& x : B) x = normal(random);
    for (int a = 0; a < d; ++a) {
      for (int b = 0; b < d; ++b) {
        double sum = a == b ? .1 : 0;
        for (int k = 0; k < d; ++k) sum += B[a * 3 + k] * B[b * 3 + k];
        p.value.push_back(sum);
      }
    }
    for (int a = 0; a < d; ++a) p.q.push_back(normal(random));
    p.mu.push_back(std::abs(normal(random)));
  }
  return p;
}

}  // namespace

TEST(Glance, solves_contacts_that_do_not_feel_each_other_and_knows_it) {
  std::mt19937 random(7);
  for (const int d : {2, 3}) {
    for (int k = 0; k < 50; ++k) {
      const ExplicitProblem p = alone(d, 20, random);
      std::vector<double> r(p.q.size(), 0.0), u;
      const solvers::Glance first = solvers::glance(p, 2, 1e-9, r);
      EXPECT_TRUE(first.still);
      EXPECT_EQ(first.sweeps, 2);
      // Blocks have condition 10⁴ at worst; the slip search of a block ends at 1e-13 or so.
      EXPECT_LT(contact::measure(p, r, u).judged, 1e-11) << d << " " << k;
    }
  }
}

TEST(Glance, leaves_zero_where_a_block_has_no_answer) {
  ExplicitProblem p;
  p.dimension = 2;
  p.row = {0, 1, 2};
  p.column = {0, 1};
  p.value = {1, 0, 0, 1, 0, 0, 0, 0};  // the second contact cannot move
  p.q = {-1, 0, -1, 0};
  p.mu = {.5, .5};
  std::vector<double> r(4, 0.0);
  EXPECT_FALSE(solvers::glance(p, 2, 1e-9, r).still);
  EXPECT_EQ(r, std::vector<double>(4, 0.0));
}
