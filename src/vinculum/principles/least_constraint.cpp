// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/principles/least_constraint.hpp"

#include "vinculum/principles/level_problem.hpp"

#include <fmt/core.h>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::principles {

using potentials::State;

namespace {

constexpr double accuracy = 1e-12;

void demand_admissible(const parts::Lagrangian& part, const Instant& at, const ActiveSets& sets) {
  for (std::size_t i = 0; i < sets.standing.size(); ++i) {
    const parts::RowLaw& law = part.laws()[i];
    const State state = sets.standing[i].state;
    if (state == State::penetration) {
      throw base::InputError(fmt::format("law \"{}\": found a gap of {:.9g} at t = {:.6g} s, expected q in its domain",
                                         law.name, at.x[law.first], at.t));
    }
    if (state == State::impact) {
      throw base::InputError(fmt::format(
          "law \"{}\": found a gap rate of {:.9g} at t = {:.6g} s, expected u in the tangent cone: an impact "
          "is needed first",
          law.name, at.gamma[law.first], at.t));
    }
  }
}

/// Directions of λ that W does not see, among rows that may move both ways from where they are.
MatrixXd find_undetermined(const LevelProblem& level, const VectorXd& Lambda, const Instant& at, Eigen::Index rows) {
  std::vector<int> free;
  Eigen::Index r = 0;
  for (const Block& block : level.problem.blocks) {
    Vec3 y = Vec3::Zero();
    y.head(block.rows) = Lambda.segment(r, block.rows);
    const double size = 1e-9 * std::max(1.0, y.norm());
    const bool inside = block.kind != BlockKind::box && (block.project(y * (1 + 1e-9)) - y * (1 + 1e-9)).norm() == 0;
    for (int i = 0; i < block.rows; ++i) {
      const bool open = block.kind == BlockKind::box ? y[i] > block.lower[i] + size && y[i] < block.upper[i] - size
                                                     : inside && y.norm() > size;
      if (open) free.push_back(static_cast<int>(r) + i);
    }
    r += block.rows;
  }
  if (free.empty()) return MatrixXd(rows, 0);
  // Usually the free rows are independent, which a Cholesky factor of their G tells at once.
  const auto count = static_cast<Eigen::Index>(free.size());
  MatrixXd G(count, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    for (Eigen::Index j = 0; j < count; ++j) {
      G(i, j) = level.problem.G(free[static_cast<std::size_t>(i)], free[static_cast<std::size_t>(j)]);
    }
  }
  const Eigen::LLT<MatrixXd> factor(G);
  if (factor.info() == Eigen::Success) {
    const auto pivots = factor.matrixLLT().diagonal();
    if (pivots.minCoeff() > 1e-6 * pivots.maxCoeff()) return MatrixXd(rows, 0);
  }
  MatrixXd W(at.W.rows(), count);
  for (std::size_t k = 0; k < free.size(); ++k) {
    W.col(static_cast<Eigen::Index>(k)) = at.W.col(level.rows[static_cast<std::size_t>(free[k])]);
  }
  const Eigen::JacobiSVD<MatrixXd> svd(W, Eigen::ComputeFullV);
  const auto& values = svd.singularValues();
  const double least = 1e-10 * (values.size() > 0 ? values[0] : 0);
  const Eigen::Index rank = (values.array() > least).count();
  MatrixXd directions = MatrixXd::Zero(rows, W.cols() - rank);
  for (Eigen::Index j = 0; j < directions.cols(); ++j) {
    for (std::size_t k = 0; k < free.size(); ++k) {
      directions(level.rows[static_cast<std::size_t>(free[k])], j) =
          svd.matrixV()(static_cast<Eigen::Index>(k), rank + j);
    }
  }
  return directions;
}

/// (4.13) at a.
double cost_of(const parts::Lagrangian& part, const Instant& at, const ActiveSets& sets, const VectorXd& a,
               const VectorXd& lambda) {
  double cost = 0.5 * a.dot(at.M * a) - (at.h + at.f).dot(a);
  const VectorXd xi = at.W.transpose() * a + at.w;
  for (std::size_t i = 0; i < part.laws().size(); ++i) {
    const parts::RowLaw& law = part.laws()[i];
    if (!sets.standing[i].reactions) return std::numeric_limits<double>::quiet_NaN();
    cost -= rows_of(law, lambda).dot(rows_of(law, xi));  // Ψ(ξ) = −λ·ξ where the law holds
  }
  return cost;
}

}  // namespace

Accelerations solve_accelerations(const parts::Lagrangian& part, const Instant& at, const Tolerances& tolerances) {
  Accelerations result;
  result.sets = find_active_sets(part, at, tolerances);
  demand_admissible(part, at, result.sets);
  std::vector<convex::SetPtr> sets;
  for (const potentials::Standing& standing : result.sets.standing) sets.push_back(standing.reactions);
  const LevelProblem level = make_level_problem(part, at, sets, at.h + at.f, at.w, tolerances);
  VectorXd Lambda = VectorXd::Zero(level.problem.rows()), xi;
  result.report = SmallSolver().solve(level.problem, accuracy, Lambda, xi);
  result.convex = level.problem.convex();
  result.lambda = level.given;
  for (Eigen::Index r = 0; r < Lambda.size(); ++r) result.lambda[level.rows[static_cast<std::size_t>(r)]] = Lambda[r];
  result.f = at.W * result.lambda;
  result.a = at.solve(at.h + at.f + result.f);
  result.undetermined = find_undetermined(level, Lambda, at, part.rows());
  result.certificate = certify(part, at, result.sets, result.a, result.lambda);
  result.cost = cost_of(part, at, result.sets, result.a, result.lambda);
  return result;
}

Accelerations least_constraint(const parts::Lagrangian& part, const Instant& at, const Tolerances& tolerances) {
  for (const parts::RowLaw& law : part.laws()) {
    if (law.law->is_integrable()) continue;
    throw base::InputError(
        fmt::format("law \"{}\": found a load that is itself an unknown reaction, expected laws with a potential: "
                    "there is no least "
                    "constraint",
                    law.name));
  }
  return solve_accelerations(part, at, tolerances);
}

Accelerations least_constraint(const parts::Lagrangian& part, double t, const VectorXd& q, const VectorXd& u) {
  const Instant at = make_instant(part, t, q, u);
  return least_constraint(part, at, tolerances_of(at));
}

Certificate certify(const parts::Lagrangian& part, const Instant& at, const ActiveSets& sets, const VectorXd& a,
                    const VectorXd& lambda) {
  Certificate c;
  c.balance = (at.M * a - at.h - at.f - at.W * lambda).norm();
  const VectorXd xi = at.W.transpose() * a + at.w;
  for (std::size_t i = 0; i < part.laws().size(); ++i) {
    const parts::RowLaw& law = part.laws()[i];
    const convex::SetPtr& S = sets.standing[i].reactions;
    if (!S) continue;
    const convex::Vec y = -rows_of(law, lambda), gamma = rows_of(law, xi);
    c.feasibility = std::max(c.feasibility, S->distance(y));
    // Moreau: z = y + γ̇ splits into P(z) ∈ S and z − P(z) ∈ N_S(P(z)), a point of the domain of Ψ.
    const convex::Vec z = y + gamma, nearest = S->project(z), inside = z - nearest;
    c.domain = std::max(c.domain, (gamma - inside).norm());
    c.gap += inside.dot(nearest) - inside.dot(y);
  }
  return c;
}

ImpactBalance impact_balance(const Instant& at, const VectorXd& u_plus, const VectorXd& supplied) {
  ImpactBalance balance;
  balance.impulse = at.M * (u_plus - at.u);
  balance.residual = (balance.impulse - supplied).norm();
  return balance;
}

}  // namespace vinculum::principles
