// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Row by row (Doolittle): for row i, for k < i in the row ascending
//   L_ik = A_ik D_k⁻¹,   A_ij ← A_ij − L_ik U_kj  for j ∈ U_k,        then D_i⁻¹.
// The row being worked on stays in cache; U_k is read in one stretch. Rows without L and U take no part.
#include "vinculum/algebra/block_lu.hpp"

#include "vinculum/base/error.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::algebra {
namespace {

bool same(std::span<const int> a, const std::vector<int>& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

bool is_zero(const double* A, std::size_t n) {
  return std::all_of(A, A + n, [](double x) { return x == 0; });
}

}  // namespace

template <int N>
bool BasicBlockLU<N>::analyse(int n, std::span<const int> start, std::span<const int> adjacent, double most_flops) {
  const bool done = std::isfinite(flops_) || most_flops <= most_flops_;
  if (done && n == n_ && same(start, key_start_) && same(adjacent, key_adjacent_)) return false;
  n_ = n;
  most_flops_ = most_flops;
  key_start_.assign(start.begin(), start.end());
  key_adjacent_.assign(adjacent.begin(), adjacent.end());
  ordering_.order(n, start, adjacent, order_);
  position_.resize(static_cast<std::size_t>(n));
  for (int k = 0; k < n; ++k) position_[order_[k]] = k;
  if (find_fill(start, adjacent, most_flops)) {
    lay_out_rows();
  } else {
    flops_ = std::numeric_limits<double>::infinity();
  }
  return true;
}

// struct(k) = { later neighbours of k } ∪ ⋃_{children c} struct(c) \ {k}, children by the elimination tree.
template <int N>
bool BasicBlockLU<N>::find_fill(std::span<const int> start, std::span<const int> adjacent, double most_flops) {
  const std::size_t n = static_cast<std::size_t>(n_);
  child_.assign(n, -1);
  sibling_.assign(n, -1);
  mark_.assign(n, -1);
  upper_start_.assign(n + 1, 0);
  upper_.clear();
  row_.assign(n + 1, 0);
  flops_ = 0;
  for (int k = 0; k < n_; ++k) {
    mark_[k] = k;
    auto take = [&](int j) {
      if (j <= k || mark_[j] == k) return;
      mark_[j] = k;
      upper_.push_back(j);
      ++row_[j + 1];  // counts L
    };
    for (int e = start[order_[k]]; e < start[order_[k] + 1]; ++e) take(position_[adjacent[e]]);
    for (int c = child_[k]; c >= 0; c = sibling_[c]) {
      for (int e = upper_start_[c]; e < upper_start_[c + 1]; ++e) take(upper_[e]);
    }
    upper_start_[k + 1] = static_cast<int>(upper_.size());
    std::sort(upper_.begin() + upper_start_[k], upper_.end());
    const int count = upper_start_[k + 1] - upper_start_[k];
    if (count > 0) {
      const int parent = upper_[upper_start_[k]];
      sibling_[k] = child_[parent];
      child_[parent] = k;
    }
    flops_ += 2.0 * N * N * N * (1 + count + static_cast<double>(count) * count);
    if (flops_ > most_flops) return false;
  }
  return true;
}

template <int N>
void BasicBlockLU<N>::lay_out_rows() {
  const std::size_t n = static_cast<std::size_t>(n_);
  // Rows [L | D | U]. Filling L by ascending k keeps its columns ascending.
  for (int i = 0; i < n_; ++i) row_[i + 1] += row_[i] + 1 + upper_start_[i + 1] - upper_start_[i];
  column_.resize(static_cast<std::size_t>(row_[n_]));
  diagonal_.assign(row_.begin(), row_.end() - 1);
  for (int k = 0; k < n_; ++k) {
    int at = diagonal_[k];  // all of L in row k has been written by now
    column_[at++] = k;
    for (int e = upper_start_[k]; e < upper_start_[k + 1]; ++e) {
      const int j = upper_[e];
      column_[at++] = j;
      column_[diagonal_[j]++] = k;
    }
  }
  value_.resize(kernels::size * static_cast<std::size_t>(row_[n_]));
  slot_.assign(n, -1);
  alone_.assign(n, 0);
  x_.assign(stride * n, 0.0);
}

template <int N>
void BasicBlockLU<N>::clear_values() {
  std::fill(value_.begin(), value_.end(), 0.0);
}

template <int N>
int BasicBlockLU<N>::find(int i, int j) const {
  const int a = position_[i], b = position_[j];
  const auto begin = column_.begin() + row_[a], end = column_.begin() + row_[a + 1];
  const auto at = std::lower_bound(begin, end, b);
  VINCULUM_ASSERT(at != end && *at == b);
  return static_cast<int>(at - column_.begin());
}

template <int N>
bool BasicBlockLU<N>::factor_row(int i) {
  const int begin = row_[i], end = row_[i + 1];
  for (int e = begin; e < end; ++e) slot_[column_[e]] = e;
  double L[kernels::size];
  bool coupled = false;
  for (int e = begin; e < diagonal_[i]; ++e) {
    double* A = block(e);
    if (is_zero(A, kernels::size)) continue;
    coupled = true;
    const int k = column_[e];
    kernels::multiply(A, block(diagonal_[k]), L);
    std::copy(L, L + kernels::size, A);
    if (alone_[k]) continue;
    const int first = diagonal_[k] + 1, count = row_[k + 1] - first;
    slots_.resize(static_cast<std::size_t>(count));
    for (int q = 0; q < count; ++q) slots_[q] = slot_[column_[first + q]];
    kernels::subtract_products(L, block(first), slots_.data(), count, value_.data());
  }
  const std::size_t upper = kernels::size * static_cast<std::size_t>(end - diagonal_[i] - 1);
  alone_[i] = !coupled && is_zero(block(diagonal_[i] + 1), upper);
  return kernels::invert(block(diagonal_[i]));
}

template <int N>
bool BasicBlockLU<N>::factor() {
  for (int i = 0; i < n_; ++i) {
    if (!factor_row(i)) return false;
  }
  return true;
}

template <int N>
void BasicBlockLU<N>::solve(std::vector<double>& x) {
  for (int i = 0; i < n_; ++i) {
    double* y = x_.data() + stride * i;
    std::copy_n(x.data() + stride * order_[i], N, y);
    if (alone_[i]) continue;
    kernels::subtract_times_vectors(block(row_[i]), column_.data() + row_[i], diagonal_[i] - row_[i], x_.data(), y);
  }
  for (int i = n_ - 1; i >= 0; --i) {
    double* y = x_.data() + stride * i;
    const int first = diagonal_[i] + 1;
    if (!alone_[i])
      kernels::subtract_times_vectors(block(first), column_.data() + first, row_[i + 1] - first, x_.data(), y);
    double* to = x.data() + stride * order_[i];
    kernels::times_vector(block(diagonal_[i]), y, to);
    std::copy_n(to, N, y);
  }
}

template class BasicBlockLU<3>;
template class BasicBlockLU<5>;
template class BasicBlockLU<6>;

}  // namespace vinculum::algebra
