// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The numbers that the sweeps over a tree work on. A sweep is written once, for a kind of registers K:
//   One    one tree: T is a number, V a vector of ℝ³ in one register, (x, y, z, 0), Q a quaternion in one, (x, y, z, w)
//   Many   eight equal trees side by side: T are eight numbers, one of each tree, V and Q have three and four of them
// The order of operations is written out and the same for both: the same bits for a tree alone and among others, with
// AVX-512, AVX2 and without (algebra/clones.hpp). Results are handed out by reference: wide registers have no place in
// the plain calling convention.
#pragma once

#include "vinculum/algebra/registers.hpp"
#include "vinculum/algebra/types.hpp"

#include <cmath>

namespace vinculum::motion {

using algebra::Eight;
using algebra::Four;
using algebra::WideVector;

/// Memory for a vector of ℝ³, or a quaternion, in a register of four. Templates see values of the type Four only, never
/// references to it in memory: they would forget that it need not be aligned.
struct Lane {
  double x[4] = {0, 0, 0, 0};
  [[gnu::always_inline]] Four& value() { return *reinterpret_cast<Four*>(x); }
  [[gnu::always_inline]] const Four& value() const { return *reinterpret_cast<const Four*>(x); }
  [[gnu::always_inline]] void set(double a, double b, double c) { x[0] = a, x[1] = b, x[2] = c; }
  void set(const algebra::Vec3& v) { set(v[0], v[1], v[2]); }
};

/// Vectors of ℝ³ of eight trees, and the memory for them.
struct Three {
  Eight x[3];
  [[gnu::always_inline]] Three& value() { return *this; }
  [[gnu::always_inline]] const Three& value() const { return *this; }
  [[gnu::always_inline]] void set(const Eight& a, const Eight& b, const Eight& c) { x[0] = a, x[1] = b, x[2] = c; }
};

/// Quaternions of eight trees.
struct Turns8 {
  Eight x[4];
  [[gnu::always_inline]] Turns8& value() { return *this; }
  [[gnu::always_inline]] const Turns8& value() const { return *this; }
  [[gnu::always_inline]] const Eight& operator[](int k) const { return x[k]; }
};

struct One {
  using T = double;
  using V = Four;
  using Q = Four;
  using Memory = Lane;
  using TurnMemory = Lane;
};
struct Many {
  using T = Eight;
  using V = Three;
  using Q = Turns8;
  using Memory = Three;
  using TurnMemory = Turns8;
};

namespace lanes {

// --- vectors of ℝ³ ---

[[gnu::always_inline]] inline void load(const double* x, Four& out) { out = Four{x[0], x[1], x[2], 0}; }
[[gnu::always_inline]] inline void load(const Eight* x, Three& out) { out.set(x[0], x[1], x[2]); }

// Where a vector comes from memory that is not laid out for it, it is put together within the operation: by `load` a
// compiler writes it to memory again, in pieces, and waits for them.
[[gnu::always_inline]] inline void scale(double a, const Four& v, Four& out) { out = Four{a, a, a, a} * v; }
[[gnu::always_inline]] inline void scale(double a, const double* v, Four& out) {
  out = Four{a, a, a, a} * Four{v[0], v[1], v[2], 0};
}
[[gnu::always_inline]] inline void scale(const Eight& a, const Eight* v, Three& out) {
  for (int k = 0; k < 3; ++k) out.x[k] = a * v[k];
}
[[gnu::always_inline]] inline void scale(const Eight& a, const Three& v, Three& out) { scale(a, v.x, out); }

[[gnu::always_inline]] inline void add(const Four& v, Four& sum) { sum += v; }
[[gnu::always_inline]] inline void add(const Three& v, Three& sum) {
  for (int k = 0; k < 3; ++k) sum.x[k] += v.x[k];
}

[[gnu::always_inline]] inline void cross(const Four& a, const Four& b, Four& out) {
  const Four a_next = __builtin_shufflevector(a, a, 1, 2, 0, 3), b_next = __builtin_shufflevector(b, b, 1, 2, 0, 3);
  const Four turned = a * b_next - a_next * b;
  out = __builtin_shufflevector(turned, turned, 1, 2, 0, 3);
}
template <class T>
[[gnu::always_inline]] inline void cross(const T* a, const T* b, T* out) {
  const T x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
  out[0] = x, out[1] = y, out[2] = z;
}
[[gnu::always_inline]] inline void cross(const Three& a, const Three& b, Three& out) { cross(a.x, b.x, out.x); }
[[gnu::always_inline]] inline void cross(const Four& a, const double* b, Four& out) {
  cross(a, Four{b[0], b[1], b[2], 0}, out);
}
[[gnu::always_inline]] inline void cross(const Three& a, const Eight* b, Three& out) { cross(a.x, b, out.x); }

/// out = x c₀ + y c₁ + z c₂ for v = (x, y, z).
[[gnu::always_inline]] inline void multiply(const Four& c0, const Four& c1, const Four& c2, const Four& v, Four& out) {
  out = (__builtin_shufflevector(v, v, 0, 0, 0, 0) * c0 + __builtin_shufflevector(v, v, 1, 1, 1, 1) * c1) +
        __builtin_shufflevector(v, v, 2, 2, 2, 2) * c2;
}
[[gnu::always_inline]] inline void multiply(const Three& c0, const Three& c1, const Three& c2, const Three& v,
                                            Three& out) {
  const Eight x = v.x[0], y = v.x[1], z = v.x[2];
  for (int k = 0; k < 3; ++k) out.x[k] = (x * c0.x[k] + y * c1.x[k]) + z * c2.x[k];
}

/// R u, R by columns.
template <class T>
[[gnu::always_inline]] inline void multiply(const T* R, const T* u, T* out) {
  for (int k = 0; k < 3; ++k) out[k] = (R[k] * u[0] + R[3 + k] * u[1]) + R[6 + k] * u[2];
}
[[gnu::always_inline]] inline void multiply(const double* R, const double* u, Four& out) {
  Four y, z;
  scale(u[0], R, out), scale(u[1], R + 3, y), scale(u[2], R + 6, z);
  out = (out + y) + z;
}
[[gnu::always_inline]] inline void multiply(const Eight* R, const Eight* u, Three& out) { multiply(R, u, out.x); }

[[gnu::always_inline]] inline void dot(const Four& a, const Four& b, double& out) {
  const Four p = a * b;
  out = (p[0] + p[1]) + p[2];
}
[[gnu::always_inline]] inline void dot(const Three& a, const Three& b, Eight& out) {
  out = (a.x[0] * b.x[0] + a.x[1] * b.x[1]) + a.x[2] * b.x[2];
}

// --- numbers ---

using algebra::lanes::root;

// --- quaternions (x, y, z, w) ---

/// a ⊗ b. Sums are short: in a chain each waits for the one before.
[[gnu::always_inline]] inline void multiply_turns(const Four& a, const Four& b, Four& out) {
  const Four x = __builtin_shufflevector(a, a, 0, 0, 0, 0), y = __builtin_shufflevector(a, a, 1, 1, 1, 1);
  const Four z = __builtin_shufflevector(a, a, 2, 2, 2, 2), w = __builtin_shufflevector(a, a, 3, 3, 3, 3);
  const Four b_x = __builtin_shufflevector(b, b, 3, 2, 1, 0) * Four{1, -1, 1, -1};
  const Four b_y = __builtin_shufflevector(b, b, 2, 3, 0, 1) * Four{1, 1, -1, -1};
  const Four b_z = __builtin_shufflevector(b, b, 1, 0, 3, 2) * Four{-1, 1, 1, -1};
  out = (w * b + x * b_x) + (y * b_y + z * b_z);
}
[[gnu::always_inline]] inline void multiply_turns(const Turns8& a, const Turns8& b, Turns8& out) {
  const Eight x = a.x[0], y = a.x[1], z = a.x[2], w = a.x[3];
  const Eight b0 = b.x[0], b1 = b.x[1], b2 = b.x[2], b3 = b.x[3];
  out.x[0] = (w * b0 + x * b3) + (y * b2 - z * b1);
  out.x[1] = (w * b1 - x * b2) + (y * b3 + z * b0);
  out.x[2] = (w * b2 + x * b1) + (z * b3 - y * b0);
  out.x[3] = (w * b3 - x * b0) + (-(y * b1) - z * b2);
}

/// The turn of a hinge behind a constant one: T ⊗ (0, 0, sin θ/2, cos θ/2).
[[gnu::always_inline]] inline void turn_hinge(const Four& t, double s, double c, Four& out) {
  const Four across = __builtin_shufflevector(t, t, 1, 0, 3, 2) * Four{1, -1, 1, -1};
  out = Four{c, c, c, c} * t + Four{s, s, s, s} * across;
}
[[gnu::always_inline]] inline void turn_hinge(const Turns8& t, const Eight& s, const Eight& c, Turns8& out) {
  const Eight t0 = t.x[0], t1 = t.x[1], t2 = t.x[2], t3 = t.x[3];
  out.x[0] = c * t0 + s * t1;
  out.x[1] = c * t1 - s * t0;
  out.x[2] = c * t2 + s * t3;
  out.x[3] = c * t3 - s * t2;
}

/// A unit quaternion, from one of any length, (w, x, y, z); of none, what it is.
[[gnu::always_inline]] inline void unit_at(const double* q, Four& out) {
  const double x = q[1], y = q[2], z = q[3], w = q[0], square = (x * x + z * z) + (y * y + w * w);
  out = Four{x, y, z, w};
  if (!(square > 0)) return;
  const double length = std::sqrt(square);
  out = out / Four{length, length, length, length};
}
[[gnu::always_inline]] inline void unit_at(const Eight* q, Turns8& out) {
  const Eight x = q[1], y = q[2], z = q[3], w = q[0], square = (x * x + z * z) + (y * y + w * w);
  Eight length;
  root(square, length);
  const auto long_enough = square > 0;
  out.x[0] = long_enough ? x / length : x;
  out.x[1] = long_enough ? y / length : y;
  out.x[2] = long_enough ? z / length : z;
  out.x[3] = long_enough ? w / length : w;
}

/// q for which 1/|q| differs from 1 by rounding, made of unit length by a Newton step.
[[gnu::always_inline]] inline void correct_length(Four& q) {
  const Four square = q * q;
  const double s = 1.5 - 0.5 * ((square[0] + square[1]) + (square[2] + square[3]));
  q *= Four{s, s, s, s};
}
[[gnu::always_inline]] inline void correct_length(Turns8& q) {
  const Eight s = 1.5 - 0.5 * ((q.x[0] * q.x[0] + q.x[1] * q.x[1]) + (q.x[2] * q.x[2] + q.x[3] * q.x[3]));
  for (int k = 0; k < 4; ++k) q.x[k] *= s;
}

/// v turned by q.
template <class Q, class T>
[[gnu::always_inline]] inline void turn(const Q& q, const T* v, T* out) {
  const T a[3] = {q[0], q[1], q[2]}, w = q[3];
  T b[3], c[3];
  cross(a, v, b);
  for (int k = 0; k < 3; ++k) b[k] += b[k];
  cross(a, b, c);
  for (int k = 0; k < 3; ++k) out[k] = (v[k] + w * b[k]) + c[k];
}

/// R, by columns, of a quaternion whose length differs from one by rounding: 2/|q|² = 2 (2 − |q|²).
template <class Q, class T>
[[gnu::always_inline]] inline void write_matrix(const Q& q, T* R) {
  const T x = q[0], y = q[1], z = q[2], w = q[3];
  const T s = 2.0 * (2.0 - ((w * w + x * x) + (y * y + z * z))), sx = s * x, sy = s * y, sz = s * z;
  const T xx = sx * x, yy = sy * y, zz = sz * z, xy = sx * y, xz = sx * z, yz = sy * z;
  const T wx = sx * w, wy = sy * w, wz = sz * w;
  R[0] = 1.0 - (yy + zz), R[3] = xy - wz, R[6] = xz + wy;
  R[1] = xy + wz, R[4] = 1.0 - (xx + zz), R[7] = yz - wx;
  R[2] = xz - wy, R[5] = yz + wx, R[8] = 1.0 - (xx + yy);
}

}  // namespace lanes
}  // namespace vinculum::motion
