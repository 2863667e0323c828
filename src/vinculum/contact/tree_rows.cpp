// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/contact/tree_rows.hpp"

#include <algorithm>

namespace vinculum::contact {
namespace {

/// 18 zeros. A loop would become one slow instruction for strings.
inline void clear(double* x) {
  typedef double Pair __attribute__((vector_size(16), aligned(8), may_alias));
  Pair* const p = reinterpret_cast<Pair*>(x);
  p[0] = p[1] = p[2] = p[3] = p[4] = p[5] = p[6] = p[7] = p[8] = Pair{0, 0};
}

}  // namespace

TreeRows::TreeRows(const motion::ForestMotion& trees) : trees_(trees) {
  const auto nodes = static_cast<std::size_t>(trees.forest().nodes);
  sums_.assign(18 * nodes, 0.0);
  touched_.assign(nodes, 0);
  nodes_.reserve(nodes);
  const int depth = trees.forest().tree.depth_max();
  J6_.resize(6, depth);
  chain_.resize(static_cast<std::size_t>(depth));
  four_.resize(4 * static_cast<std::size_t>(depth));
  const system::Forest& forest = trees.forest();
  for (int link = 0; link < forest.tree.links(); ++link) {
    place_of_.push_back(place_.size());
    for (const int i : forest.tree.chain(link)) {
      const int slot = forest.slot[static_cast<std::size_t>(i)];
      place_.push_back(18 * (slot / 6) + slot % 6);
    }
    nodes_begin_.push_back(link_nodes_.size());
    for (std::size_t i = place_of_.back(); i < place_.size(); ++i) {
      const auto begin = link_nodes_.begin() + static_cast<std::ptrdiff_t>(nodes_begin_.back());
      const int node = place_[i] / 18;
      if (std::find(begin, link_nodes_.end(), node) == link_nodes_.end()) link_nodes_.push_back(node);
    }
  }
  place_of_.push_back(place_.size());
  nodes_begin_.push_back(link_nodes_.size());
}

void TreeRows::touch(int node) {
  if (touched_[static_cast<std::size_t>(node)]) return;
  touched_[static_cast<std::size_t>(node)] = 1;
  nodes_.push_back(node);
}

/// Adds the row x, given on the chain of a link, to row k: x ← L⁻ᵀ x, by nodes.
void TreeRows::scatter(int link, int k, double* x) {
  const system::Forest& forest = trees_.forest();
  motion::whiten_chain(forest.tree, trees_.workspace(), link, x);
  const std::span<const int> chain = forest.tree.chain(link);
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const int slot = forest.slot[static_cast<std::size_t>(chain[i])], node = slot / 6;
    touch(node);
    sums_[static_cast<std::size_t>(18 * node + 6 * k + slot % 6)] += x[i];
  }
}

/// The same for the rows in four_; those beyond `rows` are zero there.
void TreeRows::scatter_four(int link) {
  const parts::Tree& tree = trees_.forest().tree;
  motion::whiten_chain_of_four(tree, trees_.workspace(), link, four_.data());
  const auto l = static_cast<std::size_t>(link);
  for (std::size_t k = nodes_begin_[l]; k < nodes_begin_[l + 1]; ++k) {
    char& touched = touched_[static_cast<std::size_t>(link_nodes_[k])];
    if (!touched) nodes_.push_back(link_nodes_[k]);
    touched = 1;
  }
  const double* four = four_.data();
  for (std::size_t i = place_of_[l]; i < place_of_[l + 1]; ++i, four += 4) {
    double* const sums = sums_.data() + place_[i];
    sums[0] += four[0];
    sums[6] += four[1];
    sums[12] += four[2];
  }
}

/// A row over the coordinates of the Lagrangian part.
void TreeRows::add_frame(const Eigen::VectorXd& row, double sign, int k) {
  const system::Forest& forest = trees_.forest();
  const auto first = static_cast<std::size_t>(forest.tree.nv());
  for (std::size_t i = first; i < forest.slot.size(); ++i) {
    const int node = forest.slot[i] / 6;
    touch(node);
    sums_[static_cast<std::size_t>(18 * node + 6 * k + forest.slot[i] % 6)] +=
        sign * row[static_cast<Eigen::Index>(i - first)];
  }
}

// Column i of the point's Jacobian, measured by F: with S at the origin of the root's node and the wrench
// (F, (x − origin) × F) there, entry (k, i) is their product.
void TreeRows::add_point(int body, const Vec3& x, const Mat3& F, double sign, int rows) {
  const system::Forest& forest = trees_.forest();
  const int link = forest.link_of_body[static_cast<std::size_t>(body)];
  if (link < 0) {
    for (int k = 0; k < rows; ++k) add_frame(trees_.part().row(body, x, F.col(k), Vec3::Zero()), sign, k);
    return;
  }
  motion::measure_chain(forest.tree, trees_.workspace(), link, x, sign * F, rows, four_.data());
  scatter_four(link);
}

void TreeRows::add_turn(int body, const Mat3& N, double sign, int rows) {
  const system::Forest& forest = trees_.forest();
  const int link = forest.link_of_body[static_cast<std::size_t>(body)];
  if (link < 0) {
    for (int k = 0; k < rows; ++k) add_frame(trees_.part().row(body, Vec3::Zero(), Vec3::Zero(), N.col(k)), sign, k);
    return;
  }
  const auto n = static_cast<Eigen::Index>(forest.tree.chain(link).size());
  motion::link_jacobian(forest.tree, trees_.workspace(), link, J6_.leftCols(n));
  for (int k = 0; k < rows; ++k) {
    for (Eigen::Index i = 0; i < n; ++i) {
      chain_[static_cast<std::size_t>(i)] = sign * N.col(k).dot(J6_.col(i).tail<3>());
    }
    scatter(link, k, chain_.data());
  }
}

void TreeRows::add_row(std::span<const system::Term> row, double sign, int k) {
  const parts::Tree& tree = trees_.forest().tree;
  for (const system::Term& term : row) {
    const int link = tree.link_of_node[static_cast<std::size_t>(tree.node_of[static_cast<std::size_t>(term.v)])];
    const std::span<const int> chain = tree.chain(link);
    for (std::size_t i = 0; i < chain.size(); ++i) chain_[i] = chain[i] == term.v ? sign * term.coefficient : 0.0;
    scatter(link, k, chain_.data());
  }
}

void TreeRows::emit(ContactProblem& problem) {
  if (!std::is_sorted(nodes_.begin(), nodes_.end())) std::sort(nodes_.begin(), nodes_.end());
  for (const int node : nodes_) {
    double* sums = sums_.data() + 18 * static_cast<std::size_t>(node);
    problem.node.push_back(trees_.forest().free_bodies + node);
    problem.J.push_back(Eigen::Map<const JBlock>(sums));
    clear(sums);
    touched_[static_cast<std::size_t>(node)] = 0;
  }
  nodes_.clear();
}

}  // namespace vinculum::contact
