// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/contact/bond_space.hpp"

#include <algorithm>
#include <numeric>

namespace vinculum::contact {

namespace {
constexpr double kRank =
    1e-4;  // far above dt² of any useful step, far below the pivots of a linkage that is no border case
}

void BondSpace::gather(const ContactProblem& problem) {
  nodes_.assign(problem.node.begin() + problem.row[first_], problem.node.end());
  std::sort(nodes_.begin(), nodes_.end());
  nodes_.erase(std::unique(nodes_.begin(), nodes_.end()), nodes_.end());
  const int count = std::accumulate(rows_.begin(), rows_.end(), 0);
  J_.setZero(count, 6 * static_cast<Eigen::Index>(nodes_.size()));
  c_.resize(count);
  Eigen::Index at = 0;
  for (std::size_t k = 0; k < rows_.size(); at += rows_[k++]) {
    const std::size_t i = first_ + k;
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
      const auto place = std::lower_bound(nodes_.begin(), nodes_.end(), problem.node[e]) - nodes_.begin();
      J_.block(at, 6 * place, rows_[k], 6) = problem.J[e].topRows(rows_[k]);
    }
    c_.segment(at, rows_[k]) = problem.c[i].head(rows_[k]);
  }
}

/// Every bond on all nodes.
void BondSpace::rewrite(ContactProblem& problem) const {
  const auto begin = static_cast<std::size_t>(problem.row[first_]);
  problem.node.resize(begin);
  problem.J.resize(begin);
  problem.row.resize(first_ + 1);
  Eigen::Index at = 0;
  for (std::size_t k = 0; k < rows_.size(); at += rows_[k++]) {
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      JBlock block = JBlock::Zero();
      block.topRows(rows_[k]) = J_.block(at, 6 * static_cast<Eigen::Index>(n), rows_[k], 6);
      problem.node.push_back(nodes_[n]);
      problem.J.push_back(block);
    }
    problem.row.push_back(static_cast<int>(problem.node.size()));
    problem.c[first_ + k].head(rows_[k]) = c_.segment(at, rows_[k]);
  }
}

void BondSpace::reduce(std::size_t first, std::span<const int> rows, ContactProblem& problem) {
  redundant_ = 0;
  first_ = first;
  rows_.assign(rows.begin(), rows.end());
  if (rows_.empty()) return;
  gather(problem);
  qr_.setThreshold(kRank);
  qr_.compute(J_);
  const Eigen::Index rank = qr_.rank(), count = J_.rows();
  if (rank == count) return;
  redundant_ = static_cast<int>(count - rank);
  Q_ = qr_.householderQ() * Eigen::MatrixXd::Identity(count, rank);
  J_ = Q_ * (Q_.transpose() * J_).eval();
  c_ = Q_ * (Q_.transpose() * c_).eval();
  rewrite(problem);
}

Eigen::MatrixXd BondSpace::null_projector() const {
  return Eigen::MatrixXd::Identity(Q_.rows(), Q_.rows()) - Q_ * Q_.transpose();
}

void BondSpace::project(std::span<Vec3> Lambda) const {
  if (redundant_ == 0) return;
  Eigen::VectorXd x(Q_.rows());
  Eigen::Index at = 0;
  for (std::size_t k = 0; k < rows_.size(); at += rows_[k++]) x.segment(at, rows_[k]) = Lambda[k].head(rows_[k]);
  x = Q_ * (Q_.transpose() * x).eval();
  at = 0;
  for (std::size_t k = 0; k < rows_.size(); at += rows_[k++]) Lambda[k].head(rows_[k]) = x.segment(at, rows_[k]);
}

}  // namespace vinculum::contact
