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
#include <cstddef>
#include <new>
#include <vector>

namespace vinculum::algebra {

typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));
typedef double Eight __attribute__((vector_size(64)));

/// Of each lane whether something holds: 0 where it does, else a positive number. GCC makes comparisons lane by lane
/// that are not at once a choice between numbers, or that it has combined into such; sums it leaves alone.
struct EightMarks {
  Eight x;
};

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

// `alignment`: of a T on the stack of a function that is compiled once. GCC aligns registers of eight to 16 bytes where
// the target has no AVX-512, and reads them as if aligned to 64 in the clone that has.
struct One {
  static constexpr int lanes = 1;
  static constexpr std::size_t alignment = alignof(double);
  using T = double;
  using V = Four;
  using Marks = bool;
  using Memory = std::vector<double>;
};
struct Many {
  static constexpr int lanes = 8;
  static constexpr std::size_t alignment = 64;
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
[[gnu::always_inline]] inline void sum(const Four& v, double& out) { out = (v[0] + v[1]) + (v[2] + v[3]); }
[[gnu::always_inline]] inline void sum(const FourOfEight& v, Eight& out) { out = (v[0] + v[1]) + (v[2] + v[3]); }

[[gnu::always_inline]] inline void gather_sums(const Four& a, const Four& b, const Four& c, const Four& d, Four& out) {
  double s0, s1, s2, s3;
  sum(a, s0), sum(b, s1), sum(c, s2), sum(d, s3);
  out = Four{s0, s1, s2, s3};
}
[[gnu::always_inline]] inline void gather_sums(const FourOfEight& a, const FourOfEight& b, const FourOfEight& c,
                                               const FourOfEight& d, FourOfEight& out) {
  sum(a, out.x[0]), sum(b, out.x[1]), sum(c, out.x[2]), sum(d, out.x[3]);
}

// --- between eight places and eight lanes, by squares of four ---

[[gnu::always_inline]] inline void transpose(Four& a, Four& b, Four& c, Four& d) {
  const Four ab = __builtin_shufflevector(a, b, 0, 4, 2, 6), ba = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Four cd = __builtin_shufflevector(c, d, 0, 4, 2, 6), dc = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  a = __builtin_shufflevector(ab, cd, 0, 1, 4, 5), b = __builtin_shufflevector(ba, dc, 0, 1, 4, 5);
  c = __builtin_shufflevector(ab, cd, 2, 3, 6, 7), d = __builtin_shufflevector(ba, dc, 2, 3, 6, 7);
}

/// Lane t of out[k] = from[t][k], k < count.
[[gnu::always_inline]] inline void gather(const double* const* from, int count, Eight* out) {
  int k = 0;
  for (; k + 4 <= count; k += 4) {
    Four x[8];
    for (int t = 0; t < 8; ++t) load(from[t] + k, x[t]);
    transpose(x[0], x[1], x[2], x[3]);
    transpose(x[4], x[5], x[6], x[7]);
    for (int i = 0; i < 4; ++i) out[k + i] = __builtin_shufflevector(x[i], x[4 + i], 0, 1, 2, 3, 4, 5, 6, 7);
  }
  for (; k < count; ++k) {
    out[k] = Eight{from[0][k], from[1][k], from[2][k], from[3][k], from[4][k], from[5][k], from[6][k], from[7][k]};
  }
}
/// to[t][k] = lane t of from[k], k < count.
[[gnu::always_inline]] inline void scatter(const Eight* from, int count, double* const* to) {
  int k = 0;
  for (; k + 4 <= count; k += 4) {
    const double* const x = reinterpret_cast<const double*>(from + k);
    for (int t = 0; t < 8; t += 4) {
      Four a, b, c, d;
      load(x + t, a), load(x + 8 + t, b), load(x + 16 + t, c), load(x + 24 + t, d);
      transpose(a, b, c, d);
      store(a, to[t] + k), store(b, to[t + 1] + k), store(c, to[t + 2] + k), store(d, to[t + 3] + k);
    }
  }
  for (; k < count; ++k) {
    for (int t = 0; t < 8; ++t) to[t][k] = from[k][t];
  }
}

// --- numbers ---

[[gnu::always_inline]] inline void root(double x, double& out) { out = std::sqrt(x); }
[[gnu::always_inline]] inline void root(const Eight& x, Eight& out) {
  for (int k = 0; k < 8; ++k) out[k] = std::sqrt(x[k]);
}

// --- what holds in which lanes ---

[[gnu::always_inline]] inline bool below(double a, double b) { return a < b; }
[[gnu::always_inline]] inline bool at_most(double a, double b) { return a <= b; }
[[gnu::always_inline]] inline bool equal(double a, double b) { return a == b; }
[[gnu::always_inline]] inline bool both(bool a, bool b) { return a && b; }
[[gnu::always_inline]] inline bool either(bool a, bool b) { return a || b; }
[[gnu::always_inline]] inline bool no(bool a) { return !a; }
[[gnu::always_inline]] inline void choose(bool marks, double a, double b, double& out) { out = marks ? a : b; }

[[gnu::always_inline]] inline EightMarks below(const Eight& a, const Eight& b) {
  return {a < b ? Eight{} : Eight{} + 1.0};
}
[[gnu::always_inline]] inline EightMarks at_most(const Eight& a, const Eight& b) {
  return {a <= b ? Eight{} : Eight{} + 1.0};
}
[[gnu::always_inline]] inline EightMarks equal(const Eight& a, const Eight& b) {
  return {a == b ? Eight{} : Eight{} + 1.0};
}
[[gnu::always_inline]] inline EightMarks both(const EightMarks& a, const EightMarks& b) { return {a.x + b.x}; }
[[gnu::always_inline]] inline EightMarks no(const EightMarks& a) { return {a.x == 0.0 ? Eight{} + 1.0 : Eight{}}; }
[[gnu::always_inline]] inline EightMarks either(const EightMarks& a, const EightMarks& b) {
  return no(both(no(a), no(b)));
}
[[gnu::always_inline]] inline void choose(const EightMarks& marks, const Eight& a, const Eight& b, Eight& out) {
  out = marks.x == 0.0 ? a : b;
}
/// to = value where the marks say so; of one problem, which nobody asks for otherwise, always.
[[gnu::always_inline]] inline void put(bool, double value, double& to) { to = value; }
[[gnu::always_inline]] inline void put(const EightMarks& marks, const Eight& value, Eight& to) {
  to = marks.x == 0.0 ? value : to;
}

// The same as bits of a number, the lowest for the first lane.
[[gnu::always_inline]] inline void mark(unsigned bits, bool& out) { out = bits & 1; }
[[gnu::always_inline]] inline void mark(unsigned bits, EightMarks& out) {
  const auto bit = [&](unsigned t) __attribute__((always_inline)) { return bits >> t & 1 ? 0.0 : 1.0; };
  out.x = Eight{bit(0), bit(1), bit(2), bit(3), bit(4), bit(5), bit(6), bit(7)};
}
[[gnu::always_inline]] inline unsigned bits(bool marks) { return marks; }
[[gnu::always_inline]] inline unsigned bits(const EightMarks& marks) {
  Eight sum = marks.x == 0.0 ? Eight{1, 2, 4, 8, 16, 32, 64, 128} : Eight{};
  sum += __builtin_shufflevector(sum, sum, 4, 5, 6, 7, 0, 1, 2, 3);
  sum += __builtin_shufflevector(sum, sum, 2, 3, 0, 1, 6, 7, 4, 5);
  return static_cast<unsigned>(static_cast<int>(sum[0] + sum[1]));
}

// --- single lanes ---

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
