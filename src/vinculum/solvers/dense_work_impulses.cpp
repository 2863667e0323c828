// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Between Λ, c and their unit-free variables.
#include "vinculum/algebra/clones.hpp"
#include "vinculum/solvers/dense_work.hpp"

namespace vinculum::solvers {
namespace {

using algebra::Eight;
using algebra::Many;
using algebra::One;
using contact::Vec3;
namespace lanes = algebra::lanes;

template <class K>
using Work = DenseWork<K>;

[[gnu::always_inline]] inline void gather(const Vec3* from, const int* number, double* out) {
  for (int k = 0; k < 3; ++k) out[k] = from[*number][k];
}
[[gnu::always_inline]] inline void gather(const Vec3* from, const int* number, Eight* out) {
  const double* own[8];
  for (int t = 0; t < 8; ++t) own[t] = from[number[t]].data();
  lanes::gather(own, 3, out);
}

/// PC(y), in place. By the law itself where it is none of the three.
template <class K, class T = typename K::T>
[[gnu::always_inline]] inline void project(const Work<K>& work, std::size_t i, T* y) {
  using Form = typename Work<K>::Form;
  const auto& block = work.blocks[i];
  const T none = {};
  if (block.form == Form::coulomb) {
    const T radius = work.mu[i] * y[0];
    T s;
    lanes::root(y[1] * y[1] + y[2] * y[2], s);
    const auto open = lanes::no(lanes::below(none, y[0])), slips = lanes::no(lanes::at_most(s, radius));
    if (lanes::bits(slips)) {
      const T factor = radius / s;
      for (int k = 1; k < 3; ++k) lanes::choose(slips, factor * y[k], y[k], y[k]);
    }
    if (lanes::bits(open)) {
      for (int k = 0; k < 3; ++k) lanes::choose(open, none, y[k], y[k]);
    }
  } else if (block.form == Form::one_sided) {
    lanes::choose(lanes::below(none, y[0]), y[0], none, y[0]);
  } else if (block.form == Form::other) {
    for (int t = 0; t < K::lanes; ++t) {
      const Vec3 own(lanes::lane(y[0], t), lanes::lane(y[1], t), lanes::lane(y[2], t));
      const Vec3 next = block.law->project(own, lanes::lane(work.mu[i], t));
      for (int k = 0; k < 3; ++k) lanes::set_lane(y[k], t, next[k]);
    }
  }
}

template <class K, class T = typename K::T>
[[gnu::always_inline]] inline void read_free_part_of(Work<K>& work, const Vec3* c, const double* mu,
                                                     const Vec3* Lambda) {
  T sum = {}, v[3];
  for (std::size_t i = 0; i < work.blocks.size(); ++i) {
    gather(c, work.number.data() + i * K::lanes, v);
    sum += work.d[i] * work.d[i] * ((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]);
  }
  T sigma;
  lanes::root(sum, sigma);
  lanes::choose(lanes::below(T{}, sum), sigma, T{} + 1.0, sigma);
  for (std::size_t i = 0; i < work.blocks.size(); ++i) {
    const auto& block = work.blocks[i];
    const int* const number = work.number.data() + i * K::lanes;
    const T d = work.d[i], scale = sigma * d, part = d / sigma;
    work.scale[i] = scale;
    for (int t = 0; t < K::lanes; ++t) lanes::set_lane(work.mu[i], t, mu[number[t]]);
    if (!block.law->is_cone()) work.mu[i] = work.mu[i] / scale;
    gather(c, number, v);
    for (int k = 0; k < block.rows; ++k) work.c[block.row + k] = v[k] * part;
    gather(Lambda, number, v);
    for (int k = 0; k < 3; ++k) v[k] = v[k] / scale;
    project<K>(work, i, v);
    for (int k = 0; k < block.rows; ++k) work.x[block.row + k] = v[k];
  }
}

template <class K, class T = typename K::T>
[[gnu::always_inline]] inline void write_impulses_of(const Work<K>& work, unsigned in, Vec3* Lambda) {
  for (std::size_t i = 0; i < work.blocks.size(); ++i) {
    const auto& block = work.blocks[i];
    T x[3] = {};
    for (int k = 0; k < block.rows; ++k) x[k] = work.x[block.row + k];
    project<K>(work, i, x);
    for (int k = 0; k < 3; ++k) x[k] = work.scale[i] * x[k];
    for (int t = 0; t < work.count; ++t) {
      if (!(in >> t & 1)) continue;
      for (int k = 0; k < 3; ++k) Lambda[work.number[i * K::lanes + t]][k] = lanes::lane(x[k], t);
    }
  }
}

}  // namespace

// One by one, and eight side by side.

template <>
VINCULUM_CLONES void read_free_part<One>(DenseWork<One>& work, const Vec3* c, const double* mu, const Vec3* Lambda) {
  read_free_part_of<One>(work, c, mu, Lambda);
}
template <>
VINCULUM_WIDE_CLONES void read_free_part<Many>(DenseWork<Many>& work, const Vec3* c, const double* mu,
                                               const Vec3* Lambda) {
  read_free_part_of<Many>(work, c, mu, Lambda);
}
template <>
VINCULUM_CLONES void write_impulses<One>(const DenseWork<One>& work, unsigned in, Vec3* Lambda) {
  write_impulses_of<One>(work, in, Lambda);
}
template <>
VINCULUM_WIDE_CLONES void write_impulses<Many>(const DenseWork<Many>& work, unsigned in, Vec3* Lambda) {
  write_impulses_of<Many>(work, in, Lambda);
}

}  // namespace vinculum::solvers
