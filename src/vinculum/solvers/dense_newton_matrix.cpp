// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What the Newton method of dense_newton.hpp works on: blocks, scales, G and c' of a problem or of a part of it.
#include "vinculum/algebra/dense_kernels.hpp"
#include "vinculum/solvers/dense_newton.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::solvers {

using algebra::padded;
using contact::ContactProblem;
using contact::Vec3;

namespace {

constexpr int kMostRows = 72, kMostColumns = 96;

/// A bond of one row: the others are zero and take no impulse.
bool has_one_row(const ContactProblem& problem, int block) {
  for (int e = problem.row[block]; e < problem.row[block + 1]; ++e) {
    const double* const J = problem.J[e].data();
    for (int k = 6; k < 18; ++k) {
      if (J[k] != 0) return false;
    }
  }
  return true;
}

}  // namespace

bool DenseNewton::fits(const ContactProblem& problem) {
  if (problem.size() > kMostRows || 6 * problem.nodes > kMostColumns) return false;
  int rows = 0;
  for (const laws::Kind kind : problem.law) rows += laws::law_of(kind).rows();
  return rows <= kMostRows;
}

bool DenseNewton::fits(const ContactProblem& problem, const Part& part) {
  if (part.blocks.size() > kMostRows || 6 * part.nodes > kMostColumns) return false;
  int rows = 0;
  for (const int i : part.blocks) rows += laws::law_of(problem.law[i]).rows();
  return rows <= kMostRows;
}

/// Blocks, scales and G.
void DenseNewton::write_out(const ContactProblem& problem, const Part& part) {
  const std::size_t n = part.blocks.size();
  blocks_.resize(n);
  d_.resize(n);
  m_ = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const laws::Kind kind = problem.law[part.blocks[i]];
    blocks_[i].number = part.blocks[i];
    blocks_[i].law = &laws::law_of(kind);
    blocks_[i].form = kind == laws::Kind::coulomb      ? Form::coulomb
                      : kind == laws::Kind::unilateral ? Form::one_sided
                      : kind == laws::Kind::bilateral  ? Form::bond
                                                       : Form::other;
    blocks_[i].row = m_;
    blocks_[i].rows = blocks_[i].law->rows();
    if (blocks_[i].form == Form::bond && has_one_row(problem, blocks_[i].number)) blocks_[i].rows = 1;
    m_ += blocks_[i].rows;
  }
  stride_ = padded(m_);
  const std::size_t room = static_cast<std::size_t>(6 * stride_) * part.nodes;
  if (columns_.size() < room) columns_.resize(room, 0.0);
  listed_.resize(6 * n * part.nodes);
  int* listed = listed_.data();
  double d_min = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Block& block = blocks_[i];
    const int begin = problem.row[block.number], end = problem.row[block.number + 1];
    double squares[6] = {0, 0, 0, 0, 0, 0};  // six sums, none of which waits for the others
    for (int e = begin; e < end; ++e) {
      const double* J = problem.J[e].data();
      for (int row = 0; row < block.rows; ++row, J += 6) {
        for (int k = 0; k < 6; ++k) squares[k] += J[k] * J[k];
      }
    }
    const double trace = ((squares[0] + squares[1]) + (squares[2] + squares[3])) + (squares[4] + squares[5]);
    const double d = trace > 0 ? std::sqrt(block.law->rows() / trace) : 0.0;
    if (d > 0) d_min = d_min > 0 ? std::min(d_min, d) : d;
    d_[i] = d;
    for (int e = begin; e < end; ++e) {
      const double* J = problem.J[e].data();
      int at = 6 * part.local[problem.node[e]] * stride_;
      for (int k = 0; k < 6; ++k, at += stride_) {
        const double j0 = J[k], j1 = J[6 + k], j2 = J[12 + k];  // rows that the law has not are zero
        if (j0 == 0 && j1 == 0 && j2 == 0) continue;
        *listed++ = at;
        double* const to = columns_.data() + at + block.row;
        to[0] = d * j0;
        if (block.rows > 1) to[1] = d * j1;
        if (block.rows > 2) to[2] = d * j2;
      }
    }
    blocks_[i].columns = static_cast<int>(listed - listed_.data());
  }
  for (double& d : d_) d = d > 0 ? d : d_min > 0 ? d_min : 1.0;
  multiply_out();
  for (auto* v : {&c_, &x_, &u_, &y_, &F_, &dx_, &du_, &trial_x_, &trial_u_, &w_, &part_}) {
    v->resize(static_cast<std::size_t>(stride_));
    for (int k = m_; k < stride_; ++k) (*v)[k] = 0;
  }
  D_.resize(n);
  state_.assign(n, unknown);
  next_state_.assign(n, unknown);
  place_.resize(static_cast<std::size_t>(m_));
  factored_ = false;
}

/// G = J' J'ᵀ from the columns of J', of each row only where it is not zero; the columns are left as zeros.
void DenseNewton::multiply_out() {
  G_.resize(static_cast<std::size_t>(stride_ * stride_));
  double* const G = G_.data();
  int from = 0;
  for (const Block& block : blocks_) {
    algebra::gram_rows(columns_.data(), stride_, listed_.data() + from, block.columns - from, block.row, block.rows, G);
    from = block.columns;
  }
  from = 0;
  for (const Block& block : blocks_) {
    for (; from < block.columns; ++from) {
      double* const own = columns_.data() + listed_[from] + block.row;
      own[0] = 0;
      if (block.rows > 1) own[1] = 0;
      if (block.rows > 2) own[2] = 0;
    }
  }
  for (int i = 0; i < m_; ++i) {
    const double* const row = G + i * stride_;
    double* to = G + i;
    for (int j = 0; j < i; ++j, to += stride_) *to = row[j];
    for (int j = m_; j < stride_; ++j) G[i * stride_ + j] = 0;
  }
  std::fill(G_.begin() + m_ * stride_, G_.end(), 0.0);
}

/// c', and the warm start.
void DenseNewton::read_free_part(const ContactProblem& problem, const std::vector<Vec3>& Lambda) {
  double sum = 0;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    sum += d_[i] * d_[i] * problem.c[blocks_[i].number].squaredNorm();
  }
  sigma_ = sum > 0 ? std::sqrt(sum) : 1.0;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    Block& block = blocks_[i];
    const Vec3& c = problem.c[block.number];
    block.scale = sigma_ * d_[i];
    block.mu = block.law->is_cone() ? problem.mu[block.number] : problem.mu[block.number] / block.scale;
    const Vec3 start = block.law->project(Lambda[block.number] / block.scale, block.mu);
    for (int k = 0; k < block.rows; ++k) {
      c_[block.row + k] = c[k] * (d_[i] / sigma_);
      x_[block.row + k] = start[k];
    }
  }
}

}  // namespace vinculum::solvers
