// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/principles/level_problem.hpp"

#include <cmath>

namespace vinculum::principles {

Block make_block(const convex::SetPtr& minus_set) {
  Block block;
  block.rows = minus_set->dimension();
  if (block.rows == 1) {  // an interval [low, high] of −Λ
    block.kind = BlockKind::box;
    block.lower[0] = -minus_set->support(convex::vec(1));
    block.upper[0] = minus_set->support(convex::vec(-1));
    return block;
  }
  block.kind = BlockKind::set;
  block.minus_set = minus_set;
  return block;
}

namespace {

Block make_friction_block(const parts::RowLaw& law, const Instant& at, double tol) {
  Block block;
  block.kind = BlockKind::coulomb;
  block.rows = 1 + law.rows;
  block.mu = law.mu;
  const convex::Vec gamma = rows_of(law, at.gamma);
  if (gamma.norm() > tol) {
    block.kind = BlockKind::coulomb_slip;
    block.slip.segment(1, law.rows) = gamma.normalized();
  }
  return block;
}

}  // namespace

LevelProblem make_level_problem(const parts::Lagrangian& part, const Instant& at,
                                const std::vector<convex::SetPtr>& minus_sets, const VectorXd& free_force,
                                const VectorXd& offset, const Tolerances& tolerances) {
  LevelProblem level;
  level.given = VectorXd::Zero(part.rows());
  auto add_rows = [&](const parts::RowLaw& law) {
    for (int r = 0; r < law.rows; ++r) level.rows.push_back(law.first + r);
  };
  for (std::size_t i = 0; i < minus_sets.size(); ++i) {
    const parts::RowLaw& law = part.laws()[i];
    if (!minus_sets[i]) continue;
    if (minus_sets[i]->is_point()) {
      level.given.segment(law.first, law.rows) = convex::Vec::Zero(law.rows) - minus_sets[i]->least();  // 0, not −0
      continue;
    }
    add_rows(law);
    if (law.friction < 0) {
      level.problem.blocks.push_back(make_block(minus_sets[i]));
    } else {
      const parts::RowLaw& partner = part.laws()[static_cast<std::size_t>(law.friction)];
      level.problem.blocks.push_back(make_friction_block(partner, at, tolerances.rate));
      add_rows(partner);
    }
  }
  const auto m = static_cast<Eigen::Index>(level.rows.size());
  MatrixXd W(part.size(), m);
  level.problem.c.resize(m);
  for (Eigen::Index r = 0; r < m; ++r) W.col(r) = at.W.col(level.rows[static_cast<std::size_t>(r)]);
  const MatrixXd V = m > 0 ? MatrixXd(at.factor.solve(W)) : W;  // M⁻¹ W
  level.problem.G = W.transpose() * V;
  const VectorXd force = free_force + at.W * level.given;
  for (Eigen::Index r = 0; r < m; ++r) {
    level.problem.c[r] = V.col(r).dot(force) + offset[level.rows[static_cast<std::size_t>(r)]];
  }
  return level;
}

}  // namespace vinculum::principles
