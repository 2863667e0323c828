// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The small solver against answers found without it: enumeration of boxes, a search along the edge of a disc, the exact
// local solution of a Coulomb block.
#include "vinculum/laws/law.hpp"
#include "vinculum/principles/small_problem.hpp"

#include <fmt/core.h>
#include "support/count_allocations.hpp"

#include <gtest/gtest.h>
#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>
#include <limits>
#include <random>

namespace vinculum::principles {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double pi = 3.14159265358979323846;

class Maker {
 public:
  explicit Maker(unsigned seed) : random_(seed) {}
  int whole(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  double number() { return std::normal_distribution<double>()(random_); }
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  VectorXd vector(int n) {
    VectorXd x(n);
    for (double& value : x) value = number();
    return x;
  }
  MatrixXd matrix(int n, int m) {
    MatrixXd A(n, m);
    for (int j = 0; j < m; ++j) A.col(j) = vector(n);
    return A;
  }
  MatrixXd definite(int n) {
    const MatrixXd A = matrix(n, n);
    return A * A.transpose() / n + 0.2 * MatrixXd::Identity(n, n);
  }

 private:
  std::mt19937 random_;
};

Block make_box_block(double lower, double upper) {
  Block block;
  block.lower[0] = lower;
  block.upper[0] = upper;
  return block;
}

/// Solved, ξ belongs to Λ, and the report says what judge says.
VectorXd solve(const SmallProblem& problem, VectorXd& xi, const std::string& what, double tol = 1e-10) {
  VectorXd Lambda = VectorXd::Zero(problem.rows());
  SmallSolver solver;
  const SmallReport report = solver.solve(problem, tol, Lambda, xi);
  EXPECT_TRUE(report.solved) << what << ": residual " << report.residual;
  EXPECT_LE(judge(problem, Lambda), tol) << what;
  EXPECT_NEAR(judge(problem, Lambda), report.residual, 1e-12) << what;
  EXPECT_LE((xi - problem.G * Lambda - problem.c).norm(), 1e-12 * (1 + xi.norm() + Lambda.norm())) << what;
  return Lambda;
}

/// ξ of a box problem: of all choices {lower end, upper end, between with ξ_i = 0} the one that is right. Unique even
/// where Λ is not.
VectorXd enumerate(const SmallProblem& problem) {
  const auto n = static_cast<int>(problem.rows());
  int combinations = 1;
  for (int i = 0; i < n; ++i) combinations *= 3;
  VectorXd best;
  double least = infinity;
  for (int code = 0; code < combinations; ++code) {
    VectorXd Lambda = VectorXd::Zero(n);
    std::vector<int> between;
    for (int i = 0, rest = code; i < n; ++i, rest /= 3) {
      if (rest % 3 == 2) between.push_back(i);
      if (rest % 3 == 0) Lambda[i] = problem.blocks[static_cast<std::size_t>(i)].lower[0];
      if (rest % 3 == 1) Lambda[i] = problem.blocks[static_cast<std::size_t>(i)].upper[0];
    }
    if (!Lambda.allFinite()) continue;
    if (!between.empty()) {
      const MatrixXd A = problem.G(between, between);
      const VectorXd now = -(problem.G * Lambda + problem.c);
      const VectorXd some = A.completeOrthogonalDecomposition().solve(VectorXd(now(between)));
      Lambda(between) = some;
    }
    const VectorXd xi = problem.G * Lambda + problem.c;
    double wrong = 0;
    for (int i = 0, rest = code; i < n; ++i, rest /= 3) {
      const Block& block = problem.blocks[static_cast<std::size_t>(i)];
      if (rest % 3 == 0) wrong = std::max(wrong, -xi[i]);
      if (rest % 3 == 1) wrong = std::max(wrong, xi[i]);
      if (rest % 3 == 2) {
        wrong = std::max({wrong, std::abs(xi[i]), block.lower[0] - Lambda[i], Lambda[i] - block.upper[0]});
      }
    }
    if (wrong < least) least = wrong, best = xi;
  }
  EXPECT_LE(least, 1e-9);
  return best;
}

TEST(SmallSolver, finds_the_answer_of_random_boxes_also_where_rows_are_redundant) {
  Maker make(1);
  for (int k = 0; k < 3000; ++k) {
    const int n = make.whole(1, 5), rank = make.whole(1, 6);
    const MatrixXd A = make.matrix(rank, n);
    SmallProblem problem;
    problem.G = A.transpose() * A;                      // singular for rank < n
    problem.c = 3 * A.transpose() * make.vector(rank);  // so that there is an answer
    for (int i = 0; i < n; ++i) {
      const double load = std::abs(make.number());
      switch (make.whole(0, 4)) {
        case 0:
          problem.blocks.push_back(make_box_block(0, infinity));
          break;
        case 1:
          problem.blocks.push_back(make_box_block(-infinity, infinity));
          break;
        case 2:
          problem.blocks.push_back(make_box_block(-load, load));
          break;
        case 3:
          problem.blocks.push_back(make_box_block(-infinity, load));
          break;
        default:
          problem.blocks.push_back(make_box_block(load, load));  // a given force
      }
    }
    VectorXd xi;
    solve(problem, xi, fmt::format("case {}: n = {}, rank {}", k, n, rank));
    const VectorXd expected = enumerate(problem);
    ASSERT_LE((xi - expected).norm(), 1e-8 * (1 + problem.c.norm())) << "case " << k;
  }
}

TEST(SmallSolver, the_same_row_twice_gives_the_same_motion_as_once) {
  SmallProblem once, twice;
  once.G = MatrixXd::Constant(1, 1, 2);
  once.c = VectorXd::Constant(1, -10);
  once.blocks = {make_box_block(0, infinity)};
  twice.G = MatrixXd::Constant(2, 2, 2);
  twice.c = VectorXd::Constant(2, -10);
  twice.blocks = {make_box_block(0, infinity), make_box_block(0, infinity)};
  VectorXd xi;
  EXPECT_NEAR(solve(once, xi, "once")[0], 5, 1e-14);
  EXPECT_NEAR(solve(twice, xi, "twice").sum(), 5, 1e-14);
}

/// Λ of one disc: inside −G⁻¹ c, or on the edge where the cost r ↦ ½ Λᵀ G Λ + cᵀ Λ is least, by its derivative.
VectorXd search_disc(const MatrixXd& G, const VectorXd& c, double radius) {
  const VectorXd inside = -G.partialPivLu().solve(c);
  if (inside.norm() <= radius) return inside;
  auto edge = [&](double angle) { return VectorXd(radius * Eigen::Vector2d(std::cos(angle), std::sin(angle))); };
  auto cost = [&](double angle) { return 0.5 * edge(angle).dot(G * edge(angle)) + c.dot(edge(angle)); };
  auto slope = [&](double angle) { return edge(angle + pi / 2).dot(G * edge(angle) + c); };
  constexpr int samples = 3600;
  int best = 0;
  for (int k = 1; k < samples; ++k) {
    if (cost(2 * pi * k / samples) < cost(2 * pi * best / samples)) best = k;
  }
  double low = 2 * pi * (best - 1) / samples, high = 2 * pi * (best + 1) / samples;
  for (int k = 0; k < 60; ++k) (slope(0.5 * (low + high)) < 0 ? low : high) = 0.5 * (low + high);
  return edge(0.5 * (low + high));
}

TEST(SmallSolver, finds_the_answer_of_a_disc) {
  Maker make(2);
  int inside = 0;
  for (int k = 0; k < 300; ++k) {
    SmallProblem problem;
    problem.G = make.definite(2);
    problem.c = make.vector(2);
    Block disc;
    disc.kind = BlockKind::disc;
    disc.rows = 2;
    disc.radius = std::abs(make.number());
    problem.blocks = {disc};
    const VectorXd expected = search_disc(problem.G, problem.c, disc.radius);
    inside += expected.norm() < disc.radius * (1 - 1e-9);
    VectorXd xi;
    const VectorXd Lambda = solve(problem, xi, fmt::format("disc {}", k));
    ASSERT_LE((Lambda - expected).norm(), 1e-8) << "disc " << k;
    // The same disc as a set of convex/.
    problem.blocks[0].kind = BlockKind::set;
    problem.blocks[0].minus_set = convex::make_ball(convex::vec(0, 0), disc.radius);
    const VectorXd as_set = solve(problem, xi, fmt::format("set {}", k), 1e-8);
    ASSERT_LE((as_set - expected).norm(), 1e-6) << "set " << k;
  }
  EXPECT_GT(inside, 30);
  EXPECT_LT(inside, 270);
}

Block coulomb_block(double mu, int rows) {
  Block block;
  block.kind = BlockKind::coulomb;
  block.rows = rows;
  block.mu = mu;
  return block;
}

TEST(SmallSolver, agrees_with_the_exact_local_solution_of_a_coulomb_block) {
  Maker make(3);
  const laws::ForceLaw& law = laws::law_of(laws::Kind::coulomb);
  int open = 0, sticks = 0, slides = 0;
  for (int k = 0; k < 1000; ++k) {
    const double mu = make.between(0, 0.6);
    SmallProblem problem;
    problem.G = make.definite(3);
    problem.c = make.vector(3);
    if (k % 2 == 0) problem.c.tail(2) *= 0.1;  // so that some stick
    problem.blocks = {coulomb_block(mu, 3)};
    VectorXd xi;
    const VectorXd Lambda = solve(problem, xi, fmt::format("block {}", k));
    const Mat3 A = problem.G;
    const Vec3 b = problem.c, exact = law.solve_local(A, b, mu, Vec3::Zero());
    ASSERT_LE((Lambda - exact).norm(), 1e-8 * (1 + exact.norm())) << "block " << k << ", mu " << mu;
    const double slack = mu * Lambda[0] - Lambda.tail(2).norm();
    (Lambda[0] == 0 ? open : slack > 1e-9 ? sticks : slides) += 1;
  }
  EXPECT_GT(std::min({open, sticks, slides}), 50) << open << ' ' << sticks << ' ' << slides;
}

TEST(SmallSolver, coupled_coulomb_blocks_are_each_the_local_solution_given_the_other) {
  Maker make(4);
  const laws::ForceLaw& law = laws::law_of(laws::Kind::coulomb);
  for (int k = 0; k < 300; ++k) {
    const double mu = make.between(0, 0.5);
    SmallProblem problem;
    problem.G = make.definite(6);
    problem.c = make.vector(6);
    problem.blocks = {coulomb_block(mu, 3), coulomb_block(mu, 3)};
    VectorXd xi;
    const VectorXd Lambda = solve(problem, xi, fmt::format("pair {}", k));
    for (const Eigen::Index i : {0, 3}) {
      const Eigen::Index j = 3 - i;
      const Mat3 A = problem.G.block(i, i, 3, 3);
      const Vec3 b = problem.c.segment(i, 3) + problem.G.block(i, j, 3, 3) * Lambda.segment(j, 3);
      const Vec3 exact = law.solve_local(A, b, mu, Vec3::Zero());
      ASSERT_LE((Lambda.segment(i, 3) - exact).norm(), 1e-8 * (1 + exact.norm())) << "pair " << k;
    }
  }
}

/// Friction on a line: open, sticks, slides forwards or backwards, whichever is right.
Eigen::Vector2d planar_coulomb(const MatrixXd& G, const VectorXd& c, double mu) {
  Eigen::Vector2d best = Eigen::Vector2d::Zero();
  double least = std::max(0.0, -c[0]);
  auto propose = [&](const Eigen::Vector2d& Lambda, double wrong) {
    if (wrong < least) least = wrong, best = Lambda;
  };
  const Eigen::Vector2d stick = -G.partialPivLu().solve(c);
  propose(stick, std::max({0.0, -stick[0], std::abs(stick[1]) - mu * stick[0]}));
  for (const double sign : {-1.0, 1.0}) {  // Λ_T = −sign μ Λ_N, sign ξ_T >= 0
    const double normal = -c[0] / (G(0, 0) - sign * mu * G(0, 1));
    const Eigen::Vector2d Lambda(normal, -sign * mu * normal);
    propose(Lambda, std::max({0.0, -normal, -sign * (G.row(1).dot(Lambda) + c[1])}));
  }
  EXPECT_LE(least, 1e-12);
  return best;
}

TEST(SmallSolver, friction_on_a_line_is_one_of_four_cases) {
  Maker make(5);
  for (int k = 0; k < 1000; ++k) {
    const double mu = make.between(0, 0.6);
    SmallProblem problem;
    problem.G = make.definite(2);
    problem.c = make.vector(2);
    problem.blocks = {coulomb_block(mu, 2)};
    VectorXd xi;
    const VectorXd Lambda = solve(problem, xi, fmt::format("line {}", k));
    ASSERT_LE((Lambda - planar_coulomb(problem.G, problem.c, mu)).norm(), 1e-8) << "line " << k << ", mu " << mu;
  }
}

/// Boxes, a disc and Coulomb blocks together, twelve rows.
SmallProblem mixed(Maker& make, bool coulomb) {
  SmallProblem problem;
  problem.G = make.definite(12);
  problem.c = make.vector(12);
  Block disc;
  disc.kind = BlockKind::disc;
  disc.rows = 2;
  disc.radius = 0.3;
  Block box;
  box.rows = 3;
  box.lower.setConstant(-0.2);
  box.upper.setConstant(0.5);
  problem.blocks = {make_box_block(0, infinity), disc, box, make_box_block(-infinity, infinity), disc, box};
  if (coulomb) problem.blocks[2] = problem.blocks[5] = coulomb_block(0.3, 3);
  return problem;
}

TEST(SmallSolver, judge_is_zero_at_answers_and_positive_off_them) {
  Maker make(6);
  for (int k = 0; k < 100; ++k) {
    const SmallProblem problem = mixed(make, k % 2 == 1);
    VectorXd xi;
    const VectorXd Lambda = solve(problem, xi, fmt::format("mixed {}", k));
    EXPECT_LE(judge(problem, Lambda), 1e-12) << k;
    for (Eigen::Index i = 0; i < 12; ++i) {
      for (const double shift : {-1e-3, 1e-3}) {
        VectorXd other = Lambda;
        other[i] += shift;
        EXPECT_GE(judge(problem, other), 1e-6) << k << ", row " << i;
      }
    }
  }
}

TEST(SmallSolver, a_problem_without_an_answer_is_reported_as_not_solved) {
  SmallProblem problem;  // two bonds that contradict each other
  problem.G = MatrixXd::Constant(2, 2, 1);
  problem.c = Eigen::Vector2d(-1, 1);
  problem.blocks = {make_box_block(-infinity, infinity), make_box_block(-infinity, infinity)};
  VectorXd Lambda = VectorXd::Zero(2), xi;
  EXPECT_FALSE(SmallSolver().solve(problem, 1e-8, Lambda, xi).solved);
  EXPECT_GT(judge(problem, Lambda), 1e-8);
}

TEST(SmallSolver, a_guess_that_is_the_answer_is_kept) {
  Maker make(7);
  const SmallProblem problem = mixed(make, false);
  VectorXd xi;
  const VectorXd answer = solve(problem, xi, "mixed");
  VectorXd again = answer;
  SmallSolver().solve(problem, 1e-10, again, xi);
  EXPECT_LE((again - answer).norm(), 1e-13);
}

TEST(SmallSolver, does_not_allocate_once_a_problem_of_that_size_was_solved) {
  Maker make(8);
  for (const bool coulomb : {false, true}) {
    SmallSolver solver;
    std::vector<SmallProblem> problems;
    for (int k = 0; k < 20; ++k) problems.push_back(mixed(make, coulomb));
    VectorXd Lambda = VectorXd::Zero(12), xi;
    solver.solve(problems[0], 1e-10, Lambda, xi);
    const long first = test::allocations();
    for (const SmallProblem& problem : problems) {
      Lambda.setZero();
      solver.solve(problem, 1e-10, Lambda, xi);
    }
    EXPECT_EQ(test::allocations() - first, 0) << (coulomb ? "coulomb" : "convex");
  }
  const long before = test::allocations();
  const VectorXd some = VectorXd::Zero(100);
  EXPECT_EQ(test::allocations() > before, test::counts_allocations) << "of Eigen: " << some.size();
}

}  // namespace
}  // namespace vinculum::principles
