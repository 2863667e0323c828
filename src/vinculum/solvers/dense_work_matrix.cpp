// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// From rows of J to scales and G.
#include "vinculum/algebra/clones.hpp"
#include "vinculum/solvers/dense_work.hpp"

#include <algorithm>

namespace vinculum::solvers {
namespace {

using algebra::Eight;
using algebra::Many;
using algebra::One;
namespace lanes = algebra::lanes;

template <class K>
using Work = DenseWork<K>;

// One problem is read where it stands; eight are put side by side first, as many rows as the law has.
[[gnu::always_inline]] inline const double* gather(const double* const* J, std::size_t, int, One::Memory&) {
  return *J;
}
[[gnu::always_inline]] inline const Eight* gather(const double* const* J, std::size_t nodes, int rows,
                                                  Many::Memory& out) {
  const double* from[8];
  for (std::size_t e = 0; e < nodes; ++e) {
    for (int t = 0; t < 8; ++t) from[t] = J[t] + 18 * e;
    lanes::gather(from, 6 * rows, out.data() + 18 * e);
  }
  return out.data();
}

template <class K, class T = typename K::T>
[[gnu::always_inline]] inline void write_rows_of(Work<K>& work, std::size_t i, const double* const* lane_J,
                                                 std::span<const int> at, int*& listed) {
  constexpr unsigned every = (1u << K::lanes) - 1;
  const auto& block = work.blocks[i];
  const T* const rows = gather(lane_J, at.size(), block.rows, work.J);
  T squares[6] = {};  // six sums, none of which waits for the others
  for (std::size_t e = 0; e < at.size(); ++e) {
    const T* J = rows + 18 * e;
    for (int row = 0; row < block.rows; ++row, J += 6) {
      for (int k = 0; k < 6; ++k) squares[k] += J[k] * J[k];
    }
  }
  const T trace = ((squares[0] + squares[1]) + (squares[2] + squares[3])) + (squares[4] + squares[5]);
  T d;
  lanes::root(static_cast<double>(block.law->rows()) / trace, d);
  lanes::choose(lanes::below(T{}, trace), d, T{}, d);
  work.d[i] = d;
  for (std::size_t e = 0; e < at.size(); ++e) {
    const T* J = rows + 18 * e;
    int column = 6 * at[e] * work.stride;
    for (int k = 0; k < 6; ++k, column += work.stride) {
      const T j0 = J[k], j1 = block.rows > 1 ? J[6 + k] : T{}, j2 = block.rows > 2 ? J[12 + k] : T{};
      const auto none = lanes::both(lanes::equal(j0, T{}), lanes::both(lanes::equal(j1, T{}), lanes::equal(j2, T{})));
      if (lanes::bits(none) == every) continue;
      *listed++ = column;
      T* const to = work.columns.data() + column + block.row;
      to[0] = d * j0;
      if (block.rows > 1) to[1] = d * j1;
      if (block.rows > 2) to[2] = d * j2;
    }
  }
}

template <class K, class T = typename K::T>
[[gnu::always_inline]] inline void complete_scales_of(Work<K>& work) {
  T least = {};
  for (std::size_t i = 0; i < work.blocks.size(); ++i) {
    const T d = work.d[i];
    const auto smaller = lanes::either(lanes::below(d, least), lanes::equal(least, T{}));
    lanes::choose(lanes::both(lanes::below(T{}, d), smaller), d, least, least);
  }
  lanes::choose(lanes::below(T{}, least), least, T{} + 1.0, least);
  for (std::size_t i = 0; i < work.blocks.size(); ++i) {
    const T d = work.d[i];
    lanes::choose(lanes::below(T{}, d), d, least, work.d[i]);
  }
}

template <class K, class T = typename K::T>
[[gnu::always_inline]] inline void multiply_out_of(Work<K>& work) {
  const int m = work.m, stride = work.stride;
  T* const G = work.G.data();
  int from = 0;
  for (const auto& block : work.blocks) {
    algebra::gram_rows(work.columns.data(), stride, work.listed.data() + from, block.columns - from, block.row,
                       block.rows, G);
    from = block.columns;
  }
  from = 0;
  for (const auto& block : work.blocks) {
    for (; from < block.columns; ++from) {
      T* const own = work.columns.data() + work.listed[static_cast<std::size_t>(from)] + block.row;
      own[0] = T{};
      if (block.rows > 1) own[1] = T{};
      if (block.rows > 2) own[2] = T{};
    }
  }
  for (int i = 0; i < m; ++i) {
    const T* const row = G + i * stride;
    T* to = G + i;
    for (int j = 0; j < i; ++j, to += stride) *to = row[j];
    for (int j = m; j < stride; ++j) G[i * stride + j] = T{};
  }
  for (int k = m * stride; k < stride * stride; ++k) G[k] = T{};
}

}  // namespace

// One by one, and eight side by side.

template <>
VINCULUM_CLONES void write_rows<One>(DenseWork<One>& work, std::size_t block, const double* const* J,
                                     std::span<const int> at, int*& listed) {
  write_rows_of<One>(work, block, J, at, listed);
}
template <>
VINCULUM_WIDE_CLONES void write_rows<Many>(DenseWork<Many>& work, std::size_t block, const double* const* J,
                                           std::span<const int> at, int*& listed) {
  write_rows_of<Many>(work, block, J, at, listed);
}
template <>
VINCULUM_CLONES void complete_scales<One>(DenseWork<One>& work) {
  complete_scales_of<One>(work);
}
template <>
VINCULUM_WIDE_CLONES void complete_scales<Many>(DenseWork<Many>& work) {
  complete_scales_of<Many>(work);
}
template <>
VINCULUM_CLONES void multiply_out<One>(DenseWork<One>& work) {
  multiply_out_of<One>(work);
}
template <>
VINCULUM_WIDE_CLONES void multiply_out<Many>(DenseWork<Many>& work) {
  multiply_out_of<Many>(work);
}

}  // namespace vinculum::solvers
