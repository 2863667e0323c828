// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/contact/consistent.hpp"

#include <Eigen/QR>
#include <algorithm>

namespace vinculum::contact {

namespace {
constexpr double rank_tolerance = 1e-9;  // of the largest pivot
}

int make_consistent(const ContactProblem& problem, std::span<const int> blocks, std::span<const int> rows,
                    std::span<Vec3> b) {
  std::vector<int> nodes;
  Eigen::Index count = 0;
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const auto i = static_cast<std::size_t>(blocks[k]);
    nodes.insert(nodes.end(), problem.node.begin() + problem.row[i], problem.node.begin() + problem.row[i + 1]);
    count += rows[k];
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(count, 6 * static_cast<Eigen::Index>(nodes.size()));
  Eigen::VectorXd side(count);
  Eigen::Index first = 0;
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const auto i = static_cast<std::size_t>(blocks[k]);
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
      const auto place = std::lower_bound(nodes.begin(), nodes.end(), problem.node[e]) - nodes.begin();
      J.block(first, 6 * place, rows[k], 6) = problem.J[e].topRows(rows[k]);
    }
    side.segment(first, rows[k]) = b[k].head(rows[k]);
    first += rows[k];
  }
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(rank_tolerance);
  qr.compute(J);
  const Eigen::Index rank = qr.rank();
  if (rank == count) return 0;
  Eigen::VectorXd turned = qr.householderQ().adjoint() * side;
  turned.tail(count - rank).setZero();
  side = qr.householderQ() * turned;
  first = 0;
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    b[k].head(rows[k]) = side.segment(first, rows[k]);
    first += rows[k];
  }
  return static_cast<int>(count - rank);
}

}  // namespace vinculum::contact
