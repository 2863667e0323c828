// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Vectors of ℝ³ in one register, (x, y, z, 0), and symmetric matrices by their columns, for the sweeps of a step. The
// order of operations is written out: the same bits with AVX2 and without (algebra/clones.hpp). Results are handed out
// by reference: a register of four has no place in the plain calling convention.
#pragma once

#include "vinculum/algebra/types.hpp"

namespace vinculum::motion {

typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));

/// Memory for one such vector.
struct Lane {
  double x[4] = {0, 0, 0, 0};
  [[gnu::always_inline]] Four& four() { return *reinterpret_cast<Four*>(x); }
  [[gnu::always_inline]] const Four& four() const { return *reinterpret_cast<const Four*>(x); }
  void set(double a, double b, double c) { x[0] = a, x[1] = b, x[2] = c; }
  void set(const algebra::Vec3& v) { set(v[0], v[1], v[2]); }
};

namespace lanes {

typedef long long Order __attribute__((vector_size(32)));

[[gnu::always_inline]] inline void cross(const Four& a, const Four& b, Four& out) {
  const Four a_next = __builtin_shuffle(a, Order{1, 2, 0, 3}), b_next = __builtin_shuffle(b, Order{1, 2, 0, 3});
  const Four turned = a * b_next - a_next * b;
  out = __builtin_shuffle(turned, Order{1, 2, 0, 3});
}

/// out = x c₀ + y c₁ + z c₂ for v = (x, y, z).
[[gnu::always_inline]] inline void multiply(const Four& c0, const Four& c1, const Four& c2, const Four& v, Four& out) {
  out = (__builtin_shuffle(v, Order{0, 0, 0, 0}) * c0 + __builtin_shuffle(v, Order{1, 1, 1, 1}) * c1) +
        __builtin_shuffle(v, Order{2, 2, 2, 2}) * c2;
}

[[gnu::always_inline]] inline double dot(const Four& a, const Four& b) {
  const Four p = a * b;
  return (p[0] + p[1]) + p[2];
}

}  // namespace lanes
}  // namespace vinculum::motion
