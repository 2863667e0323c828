// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Islands side by side: each has the answer, to the bit, that it has alone, whatever its neighbours do.
#include "vinculum/solvers/alike.hpp"

#include "solvers/alike_corpus.hpp"
#include "vinculum/solvers/dense_newton.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <bit>
#include <cstring>

namespace vinculum::solvers {
namespace {

using contact::ContactProblem;
using contact::Vec3;
using corpus::boxes;
using corpus::Kind;
using corpus::put_together;

Solution cold(const ContactProblem& problem) {
  Solution solution;
  solution.Lambda.assign(problem.size(), Vec3::Zero());
  return solution;
}

struct Parts {
  Islands islands;
  std::vector<DensePart> parts;
  explicit Parts(const ContactProblem& problem) {
    islands.find(problem);
    for (std::size_t k = 0; k < islands.count(); ++k) {
      parts.push_back({islands.blocks(k), islands.local(), islands.nodes(k)});
    }
  }
};

bool same_bits(const Vec3& a, const Vec3& b) { return std::memcmp(a.data(), b.data(), 3 * sizeof(double)) == 0; }

TEST(Alike, islands_are_alike_by_structure_alone) {
  std::vector<ContactProblem> parts = boxes(4);
  parts.insert(parts.begin() + 2, corpus::stack(2, 0.5, [](int) { return 1.0; }));
  for (int k = 0; k < 7; ++k) parts.push_back(boxes(12)[static_cast<std::size_t>(k)]);
  for (int k = 0; k < 2; ++k) parts.push_back(corpus::box_on_ground(Vec3(0, 0, corpus::kDrop), 0.5));  // too few
  const ContactProblem whole = put_together(parts);
  Islands islands;
  EXPECT_TRUE(islands.find(whole));
  Alike alike;
  std::vector<Vec3> start(whole.size(), Vec3::Zero());
  alike.find(whole, start, islands, true, [](std::size_t) { return 0; });
  ASSERT_EQ(alike.count(), 2u);  // eleven boxes: eight and three
  const std::vector<int> first(alike.batch(0).begin(), alike.batch(0).end());
  EXPECT_EQ(first, (std::vector<int>{0, 1, 3, 4, 5, 6, 7, 8}));
  const std::vector<int> second(alike.batch(1).begin(), alike.batch(1).end());
  EXPECT_EQ(second, (std::vector<int>{9, 10, 11}));
  // Kinds that the caller tells apart stay apart.
  alike.find(whole, start, islands, true, [](std::size_t k) { return k == 0 ? 1 : k == 1 ? -1 : 0; });
  EXPECT_EQ(alike.batch(0).front(), 3);
  alike.find(whole, start, islands, true, [](std::size_t) { return 0; });
  // Other numbers change nothing, other laws do.
  ContactProblem other = whole;
  other.J[0] *= 2;
  EXPECT_FALSE(islands.find(other));
  alike.find(other, start, islands, false, [](std::size_t) { return 0; });
  EXPECT_EQ(alike.count(), 2u);
  // One that starts otherwise is likely to go another way.
  start[0].x() = 1;
  alike.find(other, start, islands, false, [](std::size_t) { return 0; });
  ASSERT_EQ(alike.count(), 1u);  // ten boxes: eight, and two that are too few
  EXPECT_EQ(alike.batch(0).front(), 1);
  start[0].x() = 0;
  other.law[0] = Kind::unilateral;
  alike.find(other, start, islands, false, [](std::size_t) { return 0; });
  EXPECT_EQ(alike.batch(0).front(), 1);
}

TEST(Alike, bonds_of_one_row_are_not_like_those_of_three) {
  std::vector<ContactProblem> parts;
  for (int k = 0; k < 8; ++k) {
    corpus::Scene scene;
    const int b = scene.box(Vec3(0, 0, .5), 1, Vec3(1, 1, 1), Vec3(0.1, 0, corpus::kDrop));
    scene.contact(Kind::bilateral, -1, b, Vec3::Zero(), corpus::up, 0, k % 2 == 0 ? 1 : 3);
    scene.contact(Kind::bilateral, -1, b, Vec3(0.5, 0, 0), corpus::up, 0, 1);
    parts.push_back(scene.problem);
  }
  const ContactProblem whole = put_together(parts);
  Islands islands;
  islands.find(whole);
  Alike alike;
  std::vector<Vec3> start(whole.size(), Vec3::Zero());
  alike.find(whole, start, islands, true, [](std::size_t) { return 0; });
  ASSERT_EQ(alike.count(), 2u);
  EXPECT_EQ(alike.batch(0).size(), 4u);
  EXPECT_EQ((alike.batch(0)[0] + alike.batch(0)[1]) % 2, 0);
}

TEST(DenseNewtons, every_island_has_the_bits_that_it_has_alone) {
  for (const int count : {1, 3, 8}) {
    std::vector<ContactProblem> own = boxes(count);
    ContactProblem whole = put_together(own);
    const Parts parts(whole);
    ASSERT_EQ(parts.parts.size(), static_cast<std::size_t>(count));
    DenseNewtons together;
    std::vector<DenseNewton> alone(own.size());
    Solution solution = cold(whole), one = solution;
    std::vector<Report> reports(own.size());
    int fewest = 99, most = 0, apart = 0;
    unsigned asked = (1u << count) - 1;
    for (int round = 0; round < 6; ++round) {  // the matrix is kept, c and the warm start change
      const Settings settings{.same_matrix = round > 0, .passing = round % 2 == 1, .polish = round % 2 == 0};
      const unsigned solved = together.solve(whole, parts.parts, asked, settings, solution, reports);
      EXPECT_EQ(solved & ~asked, 0u);
      EXPECT_EQ(solved & together.apart(), 0u);
      apart += std::popcount(together.apart());
      for (std::size_t k = 0; k < own.size(); ++k) {
        SCOPED_TRACE(::testing::Message() << "island " << k << " of " << count << ", round " << round);
        const bool good = alone[k].solve(whole, parts.parts[k], settings, one);
        if (!(asked & ~together.apart() & 1u << k)) {  // left as it was, to be solved alone
          for (const int i : parts.parts[k].blocks) solution.Lambda[i] = one.Lambda[i];
          continue;
        }
        ASSERT_EQ(good, (solved >> k & 1) == 1);
        if (!good) continue;
        for (const int i : parts.parts[k].blocks) EXPECT_TRUE(same_bits(solution.Lambda[i], one.Lambda[i])) << i;
        EXPECT_EQ(reports[k].iterations, one.report.iterations);
        EXPECT_EQ(reports[k].factorisations, one.report.factorisations);
        EXPECT_EQ(reports[k].method, one.report.method);
        EXPECT_EQ(reports[k].errors.scaled, one.report.errors.scaled);
        fewest = std::min(fewest, reports[k].iterations);
        most = std::max(most, reports[k].iterations);
      }
      asked &= ~together.apart();
      for (std::size_t i = 0; i < whole.c.size(); ++i) {
        if (whole.law[i] == Kind::coulomb) whole.c[i] += 1e-3 * Vec3(i % 3 == 0 ? 1 : -0.2, 0.1, i % 5 == 0 ? -1 : 0.3);
      }
    }
    if (count < 8) continue;
    EXPECT_LT(fewest, most);  // lanes end at different steps
    EXPECT_GT(apart, 0);
    EXPECT_LT(apart, 7);
  }
}

TEST(DenseNewtons, what_one_cannot_solve_leaves_the_others_as_they_are) {
  std::vector<ContactProblem> own;
  for (int k = 0; k < 5; ++k) {
    corpus::Scene scene;
    scene.sphere(Vec3::Zero(), 1, 0.5, Vec3(0, 0.1 * k, -1));
    scene.contact(Kind::bilateral, -1, 0, Vec3::Zero(), corpus::up, 0, 1);
    scene.contact(Kind::bilateral, -1, 0, Vec3::Zero(), corpus::up, 0, 1);
    if (k == 2) scene.problem.c[1].x() = 2;  // the two contradict each other
    own.push_back(scene.problem);
  }
  const ContactProblem whole = put_together(own);
  const Parts parts(whole);
  Solution solution = cold(whole), one = solution;
  solution.Lambda[4].x() = one.Lambda[4].x() = 0.125;
  std::vector<Report> reports(own.size());
  DenseNewtons together;
  EXPECT_EQ(together.solve(whole, parts.parts, 0b11111, {}, solution, reports), 0b11011u);
  EXPECT_EQ(solution.Lambda[4].x(), 0.125);
  for (std::size_t k = 0; k < own.size(); ++k) {
    DenseNewton alone;
    EXPECT_EQ(alone.solve(whole, parts.parts[k], {}, one), k != 2);
    for (const int i : parts.parts[k].blocks) EXPECT_TRUE(same_bits(solution.Lambda[i], one.Lambda[i])) << i;
  }
}

TEST(Alike, the_default_method_gives_each_island_the_bits_that_it_has_alone) {
  std::vector<ContactProblem> own = boxes(19);
  own.insert(own.begin() + 5, corpus::stack(3, 0.5, [](int) { return 1.0; }));  // one that is like no other
  corpus::Scene lone;
  lone.sphere(Vec3(0, 0, 1), 2, 1, Vec3(0.1, 0, corpus::kDrop));
  lone.contact(Kind::coulomb, -1, 0, Vec3::Zero(), corpus::up, 0.3);
  own.insert(own.begin() + 11, lone.problem);
  const ContactProblem whole = put_together(own);
  const auto solver = solver_types().front().make();
  Solution solution = cold(whole);
  solver->solve(whole, {}, solution);
  EXPECT_EQ(solution.report.status, Status::solved);
  EXPECT_LT(solution.report.errors.scaled, 1e-12);
  // Other neighbours: the same islands, backwards.
  std::vector<ContactProblem> turned(own.rbegin(), own.rend());
  const ContactProblem back = put_together(turned);
  Solution other = cold(back);
  solver_types().front().make()->solve(back, {}, other);
  std::size_t at = 0, end = other.Lambda.size();
  for (const ContactProblem& part : own) {
    end -= part.size();
    for (std::size_t i = 0; i < part.size(); ++i) {
      EXPECT_TRUE(same_bits(solution.Lambda[at + i], other.Lambda[end + i])) << at + i;
    }
    at += part.size();
  }
}

}  // namespace
}  // namespace vinculum::solvers
