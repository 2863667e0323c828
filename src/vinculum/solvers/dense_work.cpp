// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Points, laws and steps.
#include "vinculum/solvers/dense_work.hpp"

#include "vinculum/algebra/clones.hpp"

#include <algorithm>

namespace vinculum::solvers {
namespace {

using algebra::Many;
using algebra::One;
using contact::Vec3;
using laws::Mat3;
namespace lanes = algebra::lanes;

template <class K>
using Work = DenseWork<K>;

template <class K, class T = typename K::T>
[[gnu::always_inline]] inline void find_u_of(Work<K>& work) {
  algebra::multiply(work.G.data(), work.stride, work.stride, work.x.data(), work.u.data());
  for (int k = 0; k < work.m; ++k) work.u[k] += work.c[k];
}

/// −F = P(y) − x at one block, with friction.
template <class K, class T = typename K::T>
[[gnu::always_inline]] inline void evaluate_coulomb(Work<K>& work, std::size_t i, const T* x, const T* u,
                                                    const typename K::Marks& marks, T& sum) {
  const int row = work.blocks[i].row;
  const double rho = work.rho;
  const T one = T{} + 1.0, none = {};
  const T y0 = x[row] - rho * u[row], y1 = x[row + 1] - rho * u[row + 1], y2 = x[row + 2] - rho * u[row + 2];
  const T edge = work.mu[i] * y0, square = y1 * y1 + y2 * y2;
  const auto closed = lanes::below(none, y0), sticks = lanes::at_most(square, edge * edge);
  const auto slips = lanes::both(closed, lanes::no(sticks));
  T factor, pressed, kept, state;
  lanes::choose(closed, one, none, factor);
  if (lanes::bits(slips)) {
    T length;
    lanes::root(square, length);
    lanes::choose(slips, edge / length, factor, factor);
  }
  lanes::choose(closed, y0, none, pressed);
  const T f0 = x[row] - pressed, f1 = x[row + 1] - factor * y1, f2 = x[row + 2] - factor * y2;
  lanes::choose(sticks, T{} + Work<K>::holds, T{} + Work<K>::between, kept);
  lanes::choose(closed, kept, T{} + Work<K>::lets_go, state);
  lanes::put(marks, state, work.next_state[i]);
  lanes::put(marks, y0, work.y[row]), lanes::put(marks, y1, work.y[row + 1]), lanes::put(marks, y2, work.y[row + 2]);
  lanes::put(marks, f0, work.F[row]), lanes::put(marks, f1, work.F[row + 1]), lanes::put(marks, f2, work.F[row + 2]);
  sum += f0 * f0 + f1 * f1 + f2 * f2;
}

/// By the law itself, lane by lane.
template <class K, class T = typename K::T>
[[gnu::always_inline]] inline void evaluate_other(Work<K>& work, std::size_t i, const T* x, const T* u, unsigned in,
                                                  T& sum) {
  const auto& block = work.blocks[i];
  for (int t = 0; t < K::lanes; ++t) {
    if (!(in >> t & 1)) continue;
    Vec3 at = Vec3::Zero();
    for (int k = 0; k < block.rows; ++k) {
      at[k] = lanes::lane(x[block.row + k], t) - work.rho * lanes::lane(u[block.row + k], t);
      lanes::set_lane(work.y[block.row + k], t, at[k]);
    }
    const Vec3 next = block.law->project(at, lanes::lane(work.mu[i], t));
    for (int k = 0; k < block.rows; ++k) {
      lanes::set_lane(work.F[block.row + k], t, lanes::lane(x[block.row + k], t) - next[k]);
    }
    lanes::set_lane(work.next_state[i], t, Work<K>::unknown);
  }
  for (int k = 0; k < block.rows; ++k) sum += work.F[block.row + k] * work.F[block.row + k];
}

template <class K, class T = typename K::T>
[[gnu::always_inline]] inline void evaluate_of(Work<K>& work, const T* x, const T* u, unsigned in, T& square) {
  using Form = typename Work<K>::Form;
  typename K::Marks marks;
  lanes::mark(in, marks);
  const double rho = work.rho;
  const T none = {};
  T sum = {};
  for (std::size_t i = 0; i < work.blocks.size(); ++i) {
    const auto& block = work.blocks[i];
    const int row = block.row;
    if (block.form == Form::coulomb) {
      evaluate_coulomb<K>(work, i, x, u, marks, sum);
    } else if (block.form == Form::one_sided) {
      const T y = x[row] - rho * u[row];
      const auto closed = lanes::below(none, y);
      T pressed, state;
      lanes::choose(closed, y, none, pressed);
      lanes::choose(closed, T{} + Work<K>::holds, T{} + Work<K>::lets_go, state);
      const T f = x[row] - pressed;
      lanes::put(marks, y, work.y[row]);
      lanes::put(marks, f, work.F[row]);
      lanes::put(marks, state, work.next_state[i]);
      sum += f * f;
    } else if (block.form == Form::bond) {
      for (int k = 0; k < block.rows; ++k) {
        const T y = x[row + k] - rho * u[row + k], f = x[row + k] - y;
        lanes::put(marks, y, work.y[row + k]);
        lanes::put(marks, f, work.F[row + k]);
        sum += f * f;
      }
      lanes::put(marks, T{} + Work<K>::holds, work.next_state[i]);
    } else {
      evaluate_other<K>(work, i, x, u, in, sum);
    }
  }
  square = sum;
}

/// D of a contact that slips: ∂Λ_T/∂y_N = μ t,  ∂Λ_T/∂y_T = (μ y_N/|y_T|)(I − t tᵀ),  t = y_T/|y_T|.
template <class K, class T = typename K::T>
[[gnu::always_inline]] inline void differentiate_coulomb(Work<K>& work, std::size_t i, const typename K::Marks& marks) {
  const int row = work.blocks[i].row;
  const T mu = work.mu[i], y1 = work.y[row + 1], y2 = work.y[row + 2], one = T{} + 1.0, none = {};
  const T radius = mu * work.y[row];
  T s;
  lanes::root(y1 * y1 + y2 * y2, s);
  const auto sticks = lanes::at_most(s, radius);  // by rounding
  const T t0 = y1 / s, t1 = y2 / s, f = radius / s, across = -f * t0 * t1;
  T* const D = work.D.data() + 9 * i;
  const T slip[9] = {one, none, none, mu * t0, f * t1 * t1, across, mu * t1, across, f * t0 * t0};
  for (int k = 0; k < 9; ++k) {
    T entry;
    lanes::choose(sticks, k % 4 == 0 ? one : none, slip[k], entry);
    lanes::put(marks, entry, D[k]);
  }
}

/// D of any other law, lane by lane, and its state.
template <class K>
void differentiate_other(Work<K>& work, std::size_t i, unsigned in) {
  const auto& block = work.blocks[i];
  for (int t = 0; t < K::lanes; ++t) {
    if (!(in >> t & 1)) continue;
    Vec3 at = Vec3::Zero();
    for (int k = 0; k < block.rows; ++k) at[k] = lanes::lane(work.y[block.row + k], t);
    const Mat3 D = block.law->project_derivative(at, lanes::lane(work.mu[i], t));
    const auto rows = D.topLeftCorner(block.rows, block.rows);
    for (int k = 0; k < 9; ++k) lanes::set_lane(work.D[9 * i + k], t, D(k / 3, k % 3));
    lanes::set_lane(work.next_state[i], t,
                    rows.isZero(0)       ? Work<K>::lets_go
                    : rows.isIdentity(0) ? Work<K>::holds
                                         : Work<K>::between);
  }
}

template <class K, class T = typename K::T>
[[gnu::always_inline]] inline void find_states_of(Work<K>& work, unsigned in, unsigned& changed, unsigned& moved) {
  using Form = typename Work<K>::Form;
  typename K::Marks marks, same, same_rows;
  lanes::mark(in, marks);
  lanes::mark(~0u, same);
  lanes::mark(~0u, same_rows);
  const T lets_go = T{} + Work<K>::lets_go, between = T{} + Work<K>::between;
  for (std::size_t i = 0; i < work.blocks.size(); ++i) {
    if (work.blocks[i].form == Form::other) differentiate_other<K>(work, i, in);
    const T next = work.next_state[i], last = work.state[i];
    if (work.blocks[i].form == Form::coulomb && lanes::bits(lanes::both(lanes::equal(next, between), marks))) {
      differentiate_coulomb<K>(work, i, marks);
    }
    same = lanes::both(same, lanes::equal(next, last));
    const auto goes = lanes::equal(next, lets_go), went = lanes::equal(last, lets_go);
    const auto as_before = lanes::either(lanes::both(goes, went), lanes::both(lanes::no(goes), lanes::no(went)));
    same_rows = lanes::both(same_rows, as_before);
    lanes::put(marks, next, work.state[i]);
  }
  changed = in & ~lanes::bits(same);
  moved = in & ~lanes::bits(same_rows);
}

template <class K, class T = typename K::T>
[[gnu::always_inline]] inline unsigned find_alike_of(const Work<K>& work, int lane) {
  typename K::Marks same;
  lanes::mark(~0u, same);
  for (std::size_t i = 0; i < work.blocks.size(); ++i) {
    const T own = work.state[i];
    same = lanes::both(same, lanes::equal(own, T{} + lanes::lane(own, lane)));
  }
  return lanes::bits(same);
}

/// |y_T + t dy_T| = μ (y_N + t dy_N):  a t² + 2 b t + c = 0, c ≤ 0. The smallest positive root: for a > 0 there is one,
/// (−b + root)/a = −c/(b + root); for a < 0 both or none.
template <class K, class T = typename K::T>
[[gnu::always_inline]] inline void first_crossing_of(const Work<K>& work, T& first) {
  const double rho = work.rho;
  for (std::size_t i = 0; i < work.blocks.size(); ++i) {
    const auto& block = work.blocks[i];
    if (block.form != Work<K>::Form::coulomb) continue;
    const auto holds = lanes::equal(work.state[i], T{} + Work<K>::holds);
    if (!lanes::bits(holds)) continue;
    T y[3], dy[3];
    for (int k = 0; k < 3; ++k) {
      y[k] = work.x[block.row + k] - rho * work.u[block.row + k];
      dy[k] = work.dx[block.row + k] - rho * work.du[block.row + k];
    }
    const T mu2 = work.mu[i] * work.mu[i];
    const T a = dy[1] * dy[1] + dy[2] * dy[2] - mu2 * dy[0] * dy[0];
    const T b = y[1] * dy[1] + y[2] * dy[2] - mu2 * y[0] * dy[0];
    const T c = y[1] * y[1] + y[2] * y[2] - mu2 * y[0] * y[0];
    const T square = b * b - a * c;
    const auto real = lanes::no(lanes::below(square, T{}));
    T root;
    lanes::choose(real, square, T{}, root);
    lanes::root(root, root);
    const T t = -c / (b + root);
    const auto ahead = lanes::both(lanes::below(T{}, b + root), lanes::at_most(T{}, t));
    const auto crosses = lanes::both(lanes::both(ahead, lanes::below(t, first)), lanes::both(real, holds));
    lanes::choose(crosses, t, first, first);
  }
}

template <class K, class T = typename K::T>
[[gnu::always_inline]] inline void try_step_of(Work<K>& work, unsigned in, const T& t, T& square) {
  const T along = t;
  for (int k = 0; k < work.m; ++k) {
    work.trial_x[k] = work.x[k] + along * work.dx[k];
    work.trial_u[k] = work.u[k] + along * work.du[k];
  }
  evaluate_of<K>(work, work.trial_x.data(), work.trial_u.data(), in, square);
}

template <class K, class T = typename K::T>
[[gnu::always_inline]] inline void copy_of(const T* from, std::size_t count, unsigned in, T* to) {
  if (in == 0) return;
  typename K::Marks marks;
  lanes::mark(in, marks);
  for (std::size_t k = 0; k < count; ++k) lanes::put(marks, from[k], to[k]);
}

template <class K, class T = typename K::T>
[[gnu::always_inline]] inline void norm_of(const T* x, std::size_t count, T& out) {
  typename K::V sum{}, v;
  for (std::size_t k = 0; k < count; k += 4) lanes::load(x + k, v), lanes::add_product(v, v, sum);
  T square;
  lanes::sum(sum, square);
  lanes::root(square, out);
}

}  // namespace

// One by one, and eight side by side.

template <>
VINCULUM_CLONES void find_u<One>(DenseWork<One>& work) {
  find_u_of<One>(work);
}
template <>
VINCULUM_WIDE_CLONES void find_u<Many>(DenseWork<Many>& work) {
  find_u_of<Many>(work);
}
template <>
VINCULUM_CLONES void evaluate<One>(DenseWork<One>& work, const One::T* x, const One::T* u, unsigned in,
                                   One::T& square) {
  evaluate_of<One>(work, x, u, in, square);
}
template <>
VINCULUM_WIDE_CLONES void evaluate<Many>(DenseWork<Many>& work, const Many::T* x, const Many::T* u, unsigned in,
                                         Many::T& square) {
  evaluate_of<Many>(work, x, u, in, square);
}
template <>
VINCULUM_CLONES void find_states<One>(DenseWork<One>& work, unsigned in, unsigned& changed, unsigned& moved) {
  find_states_of<One>(work, in, changed, moved);
}
template <>
VINCULUM_WIDE_CLONES void find_states<Many>(DenseWork<Many>& work, unsigned in, unsigned& changed, unsigned& moved) {
  find_states_of<Many>(work, in, changed, moved);
}
template <>
unsigned find_alike<One>(const DenseWork<One>&, int) {
  return 1;
}
template <>
VINCULUM_WIDE_CLONES unsigned find_alike<Many>(const DenseWork<Many>& work, int lane) {
  return find_alike_of<Many>(work, lane);
}
template <>
VINCULUM_CLONES void first_crossing<One>(const DenseWork<One>& work, One::T& t) {
  first_crossing_of<One>(work, t);
}
template <>
VINCULUM_WIDE_CLONES void first_crossing<Many>(const DenseWork<Many>& work, Many::T& t) {
  first_crossing_of<Many>(work, t);
}
template <>
VINCULUM_CLONES void try_step<One>(DenseWork<One>& work, unsigned in, const One::T& t, One::T& square) {
  try_step_of<One>(work, in, t, square);
}
template <>
VINCULUM_WIDE_CLONES void try_step<Many>(DenseWork<Many>& work, unsigned in, const Many::T& t, Many::T& square) {
  try_step_of<Many>(work, in, t, square);
}
template <>
VINCULUM_CLONES void copy<One>(const One::Memory& from, unsigned in, One::Memory& to) {
  copy_of<One>(from.data(), from.size(), in, to.data());
}
template <>
VINCULUM_WIDE_CLONES void copy<Many>(const Many::Memory& from, unsigned in, Many::Memory& to) {
  copy_of<Many>(from.data(), from.size(), in, to.data());
}
template <>
VINCULUM_CLONES void norm<One>(const One::Memory& x, One::T& out) {
  norm_of<One>(x.data(), x.size(), out);
}
template <>
VINCULUM_WIDE_CLONES void norm<Many>(const Many::Memory& x, Many::T& out) {
  norm_of<Many>(x.data(), x.size(), out);
}

}  // namespace vinculum::solvers
