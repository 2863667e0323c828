// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Left accelerations.  Displacement laws: −λ ∈ ∂Ψ(γ̇⁻), Ψ(p) = Φ^(−γ⁻; p) (6.13)–(6.15): convex, as for the right ones.
// Velocity laws: −λ ∈ ∂Ψ(−γ̇⁻) (10.6)–(10.8): stationary points of a cost that is not convex, maybe several.
// Sets of one row are intervals [low, high] of −λ. Each row is at low, at high, or between them with γ̇ = 0: all 3^m
// cases are tried, each is a linear system.
#include "vinculum/principles/least_constraint.hpp"
#include "vinculum/principles/level_problem.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <random>

namespace vinculum::principles {

namespace {

constexpr Eigen::Index most_rows = 12;

enum class Place { low, high, between };

struct Row {
  double low, high;  // of −λ
  bool reversed;     // velocity law
};

/// Is `place` right for this γ̇ and −λ?
bool agrees(const Row& row, Place place, double gamma, double minus_lambda, double tol_gamma, double tol_lambda) {
  const double direction = row.reversed ? -gamma : gamma;
  if (place == Place::low) return direction <= tol_gamma;
  if (place == Place::high) return direction >= -tol_gamma;
  return minus_lambda >= row.low - tol_lambda && minus_lambda <= row.high + tol_lambda;
}

/// −λ of one case, or nothing when its linear system has no answer.
bool solve_case(const SmallProblem& problem, const std::vector<Row>& rows, const std::vector<Place>& places,
                VectorXd& minus_lambda) {
  const Eigen::Index m = problem.rows();
  std::vector<Eigen::Index> unknown;
  minus_lambda = VectorXd::Zero(m);
  for (Eigen::Index r = 0; r < m; ++r) {
    const auto i = static_cast<std::size_t>(r);
    if (places[i] == Place::between) {
      unknown.push_back(r);
    } else {
      minus_lambda[r] = places[i] == Place::low ? rows[i].low : rows[i].high;
      if (!std::isfinite(minus_lambda[r])) return false;
    }
  }
  if (unknown.empty()) return true;
  const auto k = static_cast<Eigen::Index>(unknown.size());
  const VectorXd xi = problem.c - problem.G * minus_lambda;
  MatrixXd A(k, k);
  VectorXd b(k);
  for (Eigen::Index i = 0; i < k; ++i) {
    b[i] = xi[unknown[static_cast<std::size_t>(i)]];
    for (Eigen::Index j = 0; j < k; ++j) {
      A(i, j) = problem.G(unknown[static_cast<std::size_t>(i)], unknown[static_cast<std::size_t>(j)]);
    }
  }
  const VectorXd y = A.completeOrthogonalDecomposition().solve(b);
  if ((A * y - b).norm() > 1e-9 * std::max(1.0, b.norm())) return false;
  for (Eigen::Index i = 0; i < k; ++i) minus_lambda[unknown[static_cast<std::size_t>(i)]] = y[i];
  return true;
}

constexpr int starts = 400;
constexpr int newton_steps = 60;

/// Sets that are not boxes: stationary points of y = P_S(y − s ρ γ̇), γ̇ = c − G y, s = 1 for reversed laws and −1 for
/// the others, by Newton from many starts. Finds what attracts some start; says nothing about the rest.
std::vector<VectorXd> search(const SmallProblem& problem, const std::vector<bool>& reversed) {
  const Eigen::Index m = problem.rows();
  const double size = std::max(1.0, problem.c.norm() / std::max(problem.G.norm(), 1e-300));
  std::vector<VectorXd> found;
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  MatrixXd J(m, m);
  VectorXd y(m), F(m);
  for (int s = 0; s < starts; ++s) {
    for (double& value : y) value = s == 0 ? 0 : 3 * size * normal(random);
    for (int k = 0; k < newton_steps; ++k) {
      const VectorXd xi = problem.c - problem.G * y;
      Eigen::Index row = 0;
      for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
        const Block& block = problem.blocks[b];
        const double rho = (reversed[b] ? -1 : 1) * block.rows / problem.G.diagonal().segment(row, block.rows).sum();
        Vec3 z = Vec3::Zero();  // Block projects Λ = −y
        z.head(block.rows) = -(y.segment(row, block.rows) + rho * xi.segment(row, block.rows));
        const Vec3 P = block.project(z);
        const Mat3 D = block.derivative(z);
        F.segment(row, block.rows) = y.segment(row, block.rows) + P.head(block.rows);
        MatrixXd slope = -rho * problem.G.middleRows(row, block.rows);
        for (int i = 0; i < block.rows; ++i) slope(i, row + i) += 1;
        J.middleRows(row, block.rows) = -D.topLeftCorner(block.rows, block.rows) * slope;
        for (int i = 0; i < block.rows; ++i) J(row + i, row + i) += 1;
        row += block.rows;
      }
      if (F.norm() <= 1e-13 * size) {
        const bool known = std::any_of(found.begin(), found.end(),
                                       [&](const VectorXd& other) { return (other - y).norm() <= 1e-8 * size; });
        if (!known) found.push_back(y);
        break;
      }
      y -= J.completeOrthogonalDecomposition().solve(F);
      if (!y.allFinite()) break;
    }
  }
  return found;
}

}  // namespace

PastAccelerations past_accelerations(const parts::Lagrangian& part, const Instant& at, const Tolerances& tolerances) {
  PastAccelerations past;
  std::vector<convex::SetPtr> sets;
  std::vector<bool> reversed;
  for (const parts::RowLaw& law : part.laws()) {
    const potentials::PastLaw own = law.law->past_law(rows_of(law, at.x), rows_of(law, at.gamma), tolerances);
    sets.push_back(own.reservoir);
    reversed.push_back(own.acceleration_reversed);
    past.unique = past.unique && own.is_convex();
  }
  const LevelProblem level = make_level_problem(part, at, sets, at.h + at.f, at.w, tolerances);
  const SmallProblem& problem = level.problem;
  std::vector<Row> rows;
  std::vector<bool> block_reversed;
  for (const Block& block : problem.blocks) {
    const auto first = static_cast<Eigen::Index>(rows.size());
    for (std::size_t i = 0; i < part.laws().size(); ++i) {
      if (part.laws()[i].first == level.rows[static_cast<std::size_t>(first)]) {
        if (block.kind != BlockKind::box) past.complete = false;
        block_reversed.push_back(reversed[i]);
        for (int k = 0; k < block.rows; ++k) rows.push_back({-block.upper[k], -block.lower[k], reversed[i]});
        break;
      }
    }
  }
  const Eigen::Index m = problem.rows();
  auto acceleration = [&](const VectorXd& minus_lambda) {
    VectorXd lambda = level.given;
    for (Eigen::Index r = 0; r < m; ++r) lambda[level.rows[static_cast<std::size_t>(r)]] = -minus_lambda[r];
    return at.solve(at.h + at.f + at.W * lambda);
  };
  if (!past.complete || m > most_rows) {
    past.complete = false;
    for (const VectorXd& y : search(problem, block_reversed)) past.a.push_back(acceleration(y));
    return past;
  }
  std::vector<Place> places(static_cast<std::size_t>(m), Place::low);
  for (;;) {
    VectorXd minus_lambda;
    if (solve_case(problem, rows, places, minus_lambda)) {
      const VectorXd xi = problem.c - problem.G * minus_lambda;
      const double tol_lambda = 1e-9 * std::max(1.0, minus_lambda.lpNorm<Eigen::Infinity>());
      bool good = true;
      for (Eigen::Index r = 0; r < m && good; ++r) {
        const auto i = static_cast<std::size_t>(r);
        good = agrees(rows[i], places[i], xi[r], minus_lambda[r], tolerances.acceleration, tol_lambda);
      }
      const VectorXd a = acceleration(minus_lambda);
      const bool known = std::any_of(past.a.begin(), past.a.end(), [&](const VectorXd& other) {
        return (other - a).norm() <= 1e-9 * std::max(1.0, a.norm());
      });
      if (good && !known) past.a.push_back(a);
    }
    std::size_t i = 0;
    while (i < places.size() && places[i] == Place::between) places[i++] = Place::low;
    if (i == places.size()) break;
    places[i] = static_cast<Place>(static_cast<int>(places[i]) + 1);
  }
  return past;
}

}  // namespace vinculum::principles
