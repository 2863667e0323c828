// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Factors and directions: K, Z and the small system of what slips (dense_newton.hpp).
#include "vinculum/algebra/clones.hpp"
#include "vinculum/solvers/dense_work.hpp"

#include <algorithm>

namespace vinculum::solvers {
namespace {

using algebra::Many;
using algebra::One;
using algebra::padded;
namespace lanes = algebra::lanes;

template <class K>
using Work = DenseWork<K>;

/// The first row of a contact that slips is its normal, which holds; of other laws no row is taken to.
template <class K>
int first_slipping(const Work<K>& work, int block) {
  return work.blocks[static_cast<std::size_t>(block)].form == Work<K>::Form::coulomb ? 1 : 0;
}

template <class K, class T = typename K::T>
[[gnu::always_inline]] inline unsigned factor_kept_of(Work<K>& work) {
  const int n = static_cast<int>(work.kept.size()), width = padded(n);
  for (int a = 0; a < n; ++a) {
    const T* G = work.G.data() + work.kept[a] * work.stride;
    T* to = work.matrix.data() + a * width;
    if (n == work.m) {
      for (int b = a; b < width; ++b) to[b] = G[b];
    } else {
      for (int b = a; b < n; ++b) to[b] = G[work.kept[b]];
      for (int b = n; b < width; ++b) to[b] = T{};
    }
    to[a] += work.alpha;
  }
  return algebra::factor_cholesky(work.matrix.data(), n, work.corners.data());
}

template <class K, class T = typename K::T>
[[gnu::always_inline]] inline void solve_columns_of(Work<K>& work) {
  const int n = static_cast<int>(work.kept.size()), rest = static_cast<int>(work.rest_rows.size()), width = padded(n);
  for (int k = 0; k < padded(rest) * width; ++k) work.Z[k] = T{};
  for (int j = 0; j < rest; ++j) work.Z[(j / 4) * 4 * width + 4 * work.place[work.rest_rows[j]] + j % 4] = T{} + 1.0;
  for (int j = 0; j < rest; j += 4) {
    algebra::solve_cholesky_four(work.matrix.data(), n, work.corners.data(), work.place[work.rest_rows[j]],
                                 work.Z.data() + j * width);
  }
}

/// w_N from the small system, given the other w in w and y = K⁻¹ w in part; then dx = y + Z w_N there.
template <class K, class T = typename K::T>
[[gnu::always_inline]] inline unsigned find_rest(Work<K>& work, const T* g) {
  const int n = static_cast<int>(work.kept.size()), rest = static_cast<int>(work.rest_rows.size());
  const int side = padded(rest), width = padded(n);
  const double rho = work.rho;
  for (int k = 0; k < side * side; ++k) work.A[k] = T{};
  int a = 0;
  for (const int i : work.slipping) {
    const auto& block = work.blocks[static_cast<std::size_t>(i)];
    const int own = a, first = first_slipping(work, i);  // own: first of the block's rows in N
    for (int k = first; k < block.rows; ++k, ++a) {
      T value = -work.F[block.row + k];
      T* const row = work.A.data() + a * side;
      for (int b = 0; b < block.rows; ++b) {
        const int at = work.place[block.row + b];
        const T D = work.D[9 * i + 3 * k + b], open = (k == b ? 1.0 : 0.0) - D;
        value -= open * work.part[at] + rho * D * (work.w[at] + g[block.row + b]);
        for (int j = 0; j < rest; j += 4) {
          typename K::V Z, to;
          lanes::load(static_cast<const T*>(work.Z.data()) + j * width + 4 * at, Z);
          lanes::load(static_cast<const T*>(row) + j, to);
          lanes::add_product(open, Z, to);
          lanes::store(to, row + j);
        }
      }
      for (int b = first, j = own; b < block.rows; ++b, ++j) row[j] += rho * work.D[9 * i + 3 * k + b];
      for (int j = rest; j < side; ++j) row[j] = T{};
      work.rhs[a] = value;
    }
  }
  const unsigned good = algebra::factor_lu(work.A.data(), rest, work.rhs.data(), work.rest_inverse.data());
  if (good == 0) return 0;
  algebra::solve_lu(work.A.data(), rest, work.rest_inverse.data(), work.rhs.data(), work.rest.data());
  for (int j = 0; j < rest; j += 4) {
    const T* const Z = work.Z.data() + j * width;
    const T z[4] = {work.rest[j], work.rest[j + 1], work.rest[j + 2], work.rest[j + 3]};
    for (int k = 0; k < n; ++k) {
      work.part[k] += (Z[4 * k] * z[0] + Z[4 * k + 1] * z[1]) + (Z[4 * k + 2] * z[2] + Z[4 * k + 3] * z[3]);
    }
  }
  return good;
}

/// part = K⁻¹ w.
template <class K, class T = typename K::T>
[[gnu::always_inline]] inline void solve_kept(Work<K>& work) {
  const int n = static_cast<int>(work.kept.size());
  for (int k = 0; k < n; ++k) work.part[k] = work.w[k];
  for (int k = n; k < padded(n); ++k) work.part[k] = T{};
  algebra::solve_cholesky(work.matrix.data(), n, work.corners.data(), work.part.data());
}

/// What no impulse moves, α K⁻¹ w, is left out of w where it is below `quiet`. Four corners of a box do not lie in one
/// plane to the last digit, and to follow that digit, by 1/α, would give each solve other impulses than the one before.
/// part is K⁻¹ w then.
template <class K, class T = typename K::T>
[[gnu::always_inline]] inline void leave_quiet(Work<K>& work, unsigned in, double quiet, T& left) {
  const int n = static_cast<int>(work.kept.size());
  solve_kept<K>(work);
  T square = {}, size;
  for (int k = 0; k < n; ++k) square += work.part[k] * work.part[k];
  lanes::root(square, size);
  const T all = work.alpha * size;
  const auto small = lanes::no(lanes::below(T{} + quiet, all));
  if ((lanes::bits(small) & in) == 0) return;
  for (int k = 0; k < n; ++k) {
    const T less = work.w[k] - work.alpha * work.part[k];
    lanes::choose(small, less, work.w[k], work.w[k]);
  }
  lanes::choose(small, work.rho * all, left, left);
  solve_kept<K>(work);
}

template <class K, class T = typename K::T>
[[gnu::always_inline]] inline unsigned find_direction_of(Work<K>& work, unsigned in, double quiet, T& left) {
  left = T{};
  const int n = static_cast<int>(work.kept.size());
  typename K::Marks marks;
  T moves = {};  // by what lets go: g = G dx of those rows, in du
  lanes::mark(in, marks);
  if (n < work.m) {
    for (int k = 0; k < work.m; ++k) {
      work.open[k] = work.place[k] < 0 ? -work.F[k] : T{};
      moves += work.open[k] * work.open[k];
    }
  }
  if (lanes::bits(lanes::no(lanes::equal(moves, T{}))) & in) {
    algebra::multiply(work.G.data(), work.stride, work.stride, work.open.data(), work.du.data());
  } else {
    for (int k = 0; k < work.m; ++k) work.du[k] = T{};
  }
  const double rho = work.rho;
  for (int k = 0; k < n; ++k) work.w[k] = -work.F[work.kept[k]] / rho - work.du[work.kept[k]];
  for (const int row : work.rest_rows) work.w[work.place[row]] = T{};
  if (quiet > 0) {
    leave_quiet<K>(work, in, quiet, left);
  } else {
    solve_kept<K>(work);
  }
  const unsigned good = work.rest_rows.empty() ? in : in & find_rest<K>(work, static_cast<const T*>(work.du.data()));
  if (good == 0) return 0;
  for (int k = 0; k < work.m; ++k) {
    if (work.place[k] < 0) lanes::put(marks, static_cast<const T&>(work.open[k]), work.dx[k]);
  }
  for (int k = 0; k < n; ++k) lanes::put(marks, static_cast<const T&>(work.part[k]), work.dx[work.kept[k]]);
  algebra::multiply(work.G.data(), work.stride, work.stride, work.dx.data(), work.du.data());
  return good;
}

}  // namespace

// One by one, and eight side by side.

template <>
VINCULUM_CLONES unsigned factor_kept<One>(DenseWork<One>& work) {
  return factor_kept_of<One>(work);
}
template <>
VINCULUM_WIDE_CLONES unsigned factor_kept<Many>(DenseWork<Many>& work) {
  return factor_kept_of<Many>(work);
}
template <>
VINCULUM_CLONES void solve_columns<One>(DenseWork<One>& work) {
  solve_columns_of<One>(work);
}
template <>
VINCULUM_WIDE_CLONES void solve_columns<Many>(DenseWork<Many>& work) {
  solve_columns_of<Many>(work);
}
template <>
VINCULUM_CLONES unsigned find_direction<One>(DenseWork<One>& work, unsigned in, double quiet, One::T& left) {
  return find_direction_of<One>(work, in, quiet, left);
}
template <>
VINCULUM_WIDE_CLONES unsigned find_direction<Many>(DenseWork<Many>& work, unsigned in, double quiet, Many::T& left) {
  return find_direction_of<Many>(work, in, quiet, left);
}

}  // namespace vinculum::solvers
