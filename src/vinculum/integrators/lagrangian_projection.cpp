// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/lagrangian_projection.hpp"

#include "vinculum/principles/small_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::integrators {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using parts::RowLaw;

namespace {

constexpr int repetitions = 20;

/// Rows that must be closed or could be violated, with their blocks; the worst violation among all.
struct GapRows {
  std::vector<int> rows;
  std::vector<std::size_t> laws;  // of each row
  std::vector<principles::Block> blocks;
  double worst = 0;
};

GapRows find_rows(const parts::Lagrangian& part, const VectorXd& x, double closed) {
  GapRows found;
  for (std::size_t i = 0; i < part.laws().size(); ++i) {
    const RowLaw& law = part.laws()[i];
    if (!law.holds_gap()) continue;
    const bool bond = law.role == parts::Role::bond;
    for (int r = law.first; r < law.first + law.rows; ++r) {
      found.worst = std::max(found.worst, bond ? std::abs(x[r]) : -x[r]);
      if (!bond && x[r] > closed) continue;
      principles::Block block;
      block.upper[0] = std::numeric_limits<double>::infinity();
      if (bond) block.lower[0] = -block.upper[0];
      found.blocks.push_back(block);
      found.rows.push_back(r);
      found.laws.push_back(i);
    }
  }
  return found;
}

/// The Π of one repetition, law by law.
void remember(const parts::Lagrangian& part, const GapRows& found, const VectorXd& x, const VectorXd& Pi, int round,
              std::vector<ContactRecord>& records) {
  for (std::size_t k = 0; k < found.rows.size(); ++k) {
    const RowLaw& law = part.laws()[found.laws[k]];
    const double own = Pi[static_cast<Eigen::Index>(k)];
    if (own == 0) continue;
    const auto index = static_cast<std::int32_t>(found.laws[k]);
    const bool same = !records.empty() && records.back().round == round && records.back().shape_b == index;
    if (!same) {
      ContactRecord record;
      record.shape_a = -2;
      record.shape_b = index;
      record.mode = Mode::projected;
      record.gap = x[law.first];
      record.round = round;
      records.push_back(record);
    }
    records.back().Pi[found.rows[k] - law.first] = own;
  }
}

}  // namespace

GapViolation project_gaps(const parts::Lagrangian& part, const Eigen::LLT<MatrixXd>& M, double t, const VectorXd& u,
                          double closed, double small, VectorXd& q, std::vector<ContactRecord>& records) {
  GapViolation violation;
  parts::Point point = part.make_point();
  for (int k = 0; k < repetitions; ++k) {
    VectorXd x, xi;
    MatrixXd W;
    part.set(t, q, u, point);
    part.gaps(point, x);
    const GapRows found = find_rows(part, x, closed);
    violation.after = found.worst;
    if (k == 0) violation.before = found.worst;
    if (found.worst <= small) break;
    part.directions(point, W);
    const MatrixXd A = W(Eigen::all, found.rows), V = M.solve(A);
    principles::SmallProblem problem{A.transpose() * V, x(found.rows), found.blocks};
    VectorXd Pi = VectorXd::Zero(problem.rows());
    principles::SmallSolver().solve(problem, 1e-10, Pi, xi);
    q += V * Pi;
    remember(part, found, x, Pi, k + 1, records);
  }
  return violation;
}

}  // namespace vinculum::integrators
