// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Registers, and what a kernel is written for that works on one problem or on eight alike side by side:
//   One    T is a number, V four neighbouring ones in a register
//   Many   T are eight numbers, one of each problem, in a register of eight; V four neighbouring ones of each
// A kernel is written once and compiled for plain x86-64, AVX2 and AVX-512 (clones.hpp); the order of operations is the
// same for both: the same bits for a problem alone and among others. Results are handed out by reference: wide
// registers have no place in the plain calling convention.
#pragma once

#include <cmath>
#include <new>
#include <vector>

namespace vinculum::algebra {

typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));
typedef double Eight __attribute__((vector_size(64)));
typedef long EightMarks __attribute__((vector_size(64)));  // of each lane: −1 where something holds, else 0

/// Memory for many of them. Where registers are narrower the compiler asks for less than AVX-512 needs.
template <class X>
struct WideAllocator {
  using value_type = X;
  WideAllocator() = default;
  template <class Y>
  WideAllocator(const WideAllocator<Y>&) {}
  X* allocate(std::size_t n) { return static_cast<X*>(::operator new(n * sizeof(X), std::align_val_t(64))); }
  void deallocate(X* x, std::size_t) { ::operator delete(x, std::align_val_t(64)); }
  friend bool operator==(const WideAllocator&, const WideAllocator&) { return true; }
};
template <class X>
using WideVector = std::vector<X, WideAllocator<X>>;

struct FourOfEight {
  Eight x[4] = {};
  [[gnu::always_inline]] const Eight& operator[](int k) const { return x[k]; }
};

struct One {
  static constexpr int lanes = 1;
  using T = double;
  using V = Four;
  using Marks = bool;
  using Memory = std::vector<double>;
};
struct Many {
  static constexpr int lanes = 8;
  using T = Eight;
  using V = FourOfEight;
  using Marks = EightMarks;
  using Memory = WideVector<Eight>;
};

namespace lanes {

// --- four neighbours. Templates see values only: references to Four in them would forget that it need not be aligned.

[[gnu::always_inline]] inline void load(const double* x, Four& out) { out = *reinterpret_cast<const Four*>(x); }
[[gnu::always_inline]] inline void load(const Eight* x, FourOfEight& out) {
  for (int k = 0; k < 4; ++k) out.x[k] = x[k];
}
[[gnu::always_inline]] inline void store(const Four& v, double* x) { *reinterpret_cast<Four*>(x) = v; }
[[gnu::always_inline]] inline void store(const FourOfEight& v, Eight* x) {
  for (int k = 0; k < 4; ++k) x[k] = v.x[k];
}

/// sum += v w.
[[gnu::always_inline]] inline void add_product(const Four& v, const Four& w, Four& sum) { sum += v * w; }
[[gnu::always_inline]] inline void add_product(const FourOfEight& v, const FourOfEight& w, FourOfEight& sum) {
  for (int k = 0; k < 4; ++k) sum.x[k] += v.x[k] * w.x[k];
}
[[gnu::always_inline]] inline void add_product(double a, const Four& v, Four& sum) { sum += Four{a, a, a, a} * v; }
[[gnu::always_inline]] inline void add_product(const Eight& a, const FourOfEight& v, FourOfEight& sum) {
  for (int k = 0; k < 4; ++k) sum.x[k] += a * v.x[k];
}
/// rest −= a v.
[[gnu::always_inline]] inline void subtract_product(double a, const Four& v, Four& rest) {
  rest -= Four{a, a, a, a} * v;
}
[[gnu::always_inline]] inline void subtract_product(const Eight& a, const FourOfEight& v, FourOfEight& rest) {
  for (int k = 0; k < 4; ++k) rest.x[k] -= a * v.x[k];
}
[[gnu::always_inline]] inline void add(const Four& v, Four& sum) { sum += v; }
[[gnu::always_inline]] inline void add(const FourOfEight& v, FourOfEight& sum) {
  for (int k = 0; k < 4; ++k) sum.x[k] += v.x[k];
}
[[gnu::always_inline]] inline void subtract(const Four& v, Four& rest) { rest -= v; }
[[gnu::always_inline]] inline void subtract(const FourOfEight& v, FourOfEight& rest) {
  for (int k = 0; k < 4; ++k) rest.x[k] -= v.x[k];
}
[[gnu::always_inline]] inline void scale(double a, Four& v) { v *= Four{a, a, a, a}; }
[[gnu::always_inline]] inline void scale(const Eight& a, FourOfEight& v) {
  for (int k = 0; k < 4; ++k) v.x[k] *= a;
}
/// out = (a₀ v₀ + a₁ v₁) + (a₂ v₂ + a₃ v₃).
[[gnu::always_inline]] inline void combine(const double* a, const Four* v, Four& out) {
  const Four a0 = {a[0], a[0], a[0], a[0]}, a1 = {a[1], a[1], a[1], a[1]};
  const Four a2 = {a[2], a[2], a[2], a[2]}, a3 = {a[3], a[3], a[3], a[3]};
  out = (a0 * v[0] + a1 * v[1]) + (a2 * v[2] + a3 * v[3]);
}
[[gnu::always_inline]] inline void combine(const Eight* a, const FourOfEight* v, FourOfEight& out) {
  for (int k = 0; k < 4; ++k) out.x[k] = (a[0] * v[0].x[k] + a[1] * v[1].x[k]) + (a[2] * v[2].x[k] + a[3] * v[3].x[k]);
}
template <class V, class T>
[[gnu::always_inline]] inline void sum(const V& v, T& out) {
  out = (v[0] + v[1]) + (v[2] + v[3]);
}

[[gnu::always_inline]] inline void gather_sums(const Four& a, const Four& b, const Four& c, const Four& d, Four& out) {
  double s0, s1, s2, s3;
  sum(a, s0), sum(b, s1), sum(c, s2), sum(d, s3);
  out = Four{s0, s1, s2, s3};
}
[[gnu::always_inline]] inline void gather_sums(const FourOfEight& a, const FourOfEight& b, const FourOfEight& c,
                                               const FourOfEight& d, FourOfEight& out) {
  sum(a, out.x[0]), sum(b, out.x[1]), sum(c, out.x[2]), sum(d, out.x[3]);
}

// --- numbers ---

[[gnu::always_inline]] inline void root(double x, double& out) { out = std::sqrt(x); }
[[gnu::always_inline]] inline void root(const Eight& x, Eight& out) {
  for (int k = 0; k < 8; ++k) out[k] = std::sqrt(x[k]);
}

// --- lanes as bits of a number, the lowest for the first ---

[[gnu::always_inline]] inline void mark(unsigned bits, bool& out) { out = bits & 1; }
[[gnu::always_inline]] inline void mark(unsigned bits, EightMarks& out) {
  const long b = bits;
  out = (EightMarks{b, b, b, b, b, b, b, b} & EightMarks{1, 2, 4, 8, 16, 32, 64, 128}) != 0;
}
[[gnu::always_inline]] inline unsigned bits(bool marks) { return marks; }
[[gnu::always_inline]] inline unsigned bits(const EightMarks& marks) {
  EightMarks b = marks & EightMarks{1, 2, 4, 8, 16, 32, 64, 128};
  b |= __builtin_shuffle(b, EightMarks{4, 5, 6, 7, 0, 1, 2, 3});
  b |= __builtin_shuffle(b, EightMarks{2, 3, 0, 1, 6, 7, 4, 5});
  return static_cast<unsigned>(b[0] | b[1]);
}
/// to = value in the lanes that are marked; of one problem, which nobody asks for otherwise, always.
[[gnu::always_inline]] inline void put(bool, double value, double& to) { to = value; }
[[gnu::always_inline]] inline void put(const EightMarks& marks, const Eight& value, Eight& to) {
  to = marks ? value : to;
}
[[gnu::always_inline]] inline double lane(double x, int) { return x; }
[[gnu::always_inline]] inline double lane(const Eight& x, int k) { return x[k]; }
[[gnu::always_inline]] inline void set_lane(double& x, int, double value) { x = value; }
[[gnu::always_inline]] inline void set_lane(Eight& x, int k, double value) { reinterpret_cast<double*>(&x)[k] = value; }

}  // namespace lanes

/// Four dot products of x with the rows b, b + step, b + 2 step, b + 3 step.
template <class K, class T = typename K::T>
[[gnu::always_inline]] inline void dot_four(const T* x, const T* b, long step, int width, typename K::V& out) {
  using V = typename K::V;
  V s0{}, s1{}, s2{}, s3{};
  for (int k = 0; k < width; k += 4) {
    V v, r;
    lanes::load(x + k, v);
    lanes::load(b + k, r), lanes::add_product(v, r, s0);
    lanes::load(b + step + k, r), lanes::add_product(v, r, s1);
    lanes::load(b + 2 * step + k, r), lanes::add_product(v, r, s2);
    lanes::load(b + 3 * step + k, r), lanes::add_product(v, r, s3);
  }
  lanes::gather_sums(s0, s1, s2, s3, out);
}

}  // namespace vinculum::algebra
