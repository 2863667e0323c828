// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/colouring.hpp"

#include "solvers/corpus.hpp"
#include "vinculum/contact/friction_problem.hpp"
#include "vinculum/solvers/solver.hpp"

#include <gtest/gtest.h>
#include <set>

using namespace vinculum;

TEST(Colouring, puts_every_block_in_one_class_without_common_nodes) {
  for (const corpus::Case& c : corpus::cases()) {
    solvers::Colouring colouring;
    colouring.colour_by_nodes(c.problem);
    std::set<int> all;
    for (int k = 0; k < colouring.classes(); ++k) {
      std::set<int> nodes;
      for (int i : colouring.members(k)) {
        all.insert(i);
        for (int e = c.problem.row[i]; e < c.problem.row[i + 1]; ++e) {
          EXPECT_TRUE(nodes.insert(c.problem.node[e]).second) << c.name;
        }
      }
    }
    EXPECT_EQ(all.size(), c.problem.size());
  }
}

TEST(Colouring, takes_more_than_64_classes_where_one_body_has_many_contacts) {
  corpus::Scene scene;
  scene.box(corpus::Vec3::Zero(), 1, corpus::Vec3(1, 1, 1), corpus::Vec3::Zero());
  for (int i = 0; i < 150; ++i) scene.contact(corpus::Kind::coulomb, -1, 0, corpus::Vec3(i, 0, 0), corpus::up, .5);
  solvers::Colouring colouring;
  colouring.colour_by_nodes(scene.problem);
  EXPECT_EQ(colouring.classes(), 150);
}

TEST(Colouring, separates_rows_coupled_either_way) {
  // Row 0 reads 1, nobody reads back; row 2 is alone.
  const std::vector<int> row = {0, 2, 3, 4}, column = {0, 1, 1, 2};
  solvers::Colouring colouring;
  colouring.colour_by_entries(row, column);
  ASSERT_EQ(colouring.classes(), 2);
  EXPECT_EQ(std::vector<int>(colouring.members(0).begin(), colouring.members(0).end()), (std::vector<int>{0, 2}));
  EXPECT_EQ(std::vector<int>(colouring.members(1).begin(), colouring.members(1).end()), (std::vector<int>{1}));
}

TEST(Colouring, gives_the_same_bits_on_one_two_and_four_threads) {
  const contact::ContactProblem pyramid = corpus::pyramid(20, .5, .1);  // classes of more than one chunk
  const contact::ExplicitProblem written = contact::condense(contact::make_local(corpus::pyramid(12, .5, .1)), "");
  const solvers::SolverType& type = *solvers::find_solver_type("nsgs_coloured");
  std::vector<corpus::Vec3> Lambda;
  std::vector<double> r;
  for (const int threads : {1, 2, 4}) {
    const base::ThreadLimit limit(threads);
    solvers::Solution a;
    a.Lambda.assign(pyramid.size(), corpus::Vec3::Zero());
    type.make()->solve(pyramid, {.max_iterations = 200}, a);
    solvers::ExplicitSolution b;
    b.r.assign(written.q.size(), 0.0);
    type.make_explicit()->solve(written, {.max_iterations = 200}, b);
    if (threads == 1) {
      Lambda = a.Lambda;
      r = b.r;
    }
    EXPECT_EQ(a.Lambda, Lambda) << threads;
    EXPECT_EQ(b.r, r) << threads;
  }
}
