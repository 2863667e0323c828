// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The loop over instructions. Each one jumps straight to the next (labels as values, an extension that GCC and Clang
// share), so that the processor predicts every jump from its own history.
#include "vinculum/expr/program.hpp"

#include "vinculum/base/error.hpp"

#include <cstring>

#pragma GCC diagnostic ignored "-Wpedantic"

namespace vinculum::expr {

namespace {

// One by one (the empty statement keeps the compiler from making vectors of them): the caller has just written the
// values one by one, and a vector load would wait until all of them have left the store buffer.
inline void copy(const double* from, std::size_t count, double* to) {
  for (std::size_t i = 0; i < count; ++i) {
    to[i] = from[i];
    asm volatile("");
  }
}

inline void sine_and_cosine(double x, double& sine, double& cosine) {
#ifdef __GLIBC__
  ::sincos(x, &sine, &cosine);
#else
  sine = std::sin(x);
  cosine = std::cos(x);
#endif
}

}  // namespace

void Program::run(const double* values, double* out, double* r) const {
  // In the order of Code, then of Op.
  static const void* const labels[] = {
      &&halt,         &&add,          &&sub,          &&neg,          &&mul,          &&mul3,         &&mul4,
      &&add_mul,      &&add_mul3,     &&sub_mul,      &&sub_mul3,     &&mul_sub,      &&mul3_sub,     &&dot_22,
      &&dot_23,       &&dot_32,       &&dot_33,       &&dot_22_minus, &&dot_23_minus, &&dot_32_minus, &&dot_33_minus,
      &&minus_dot_22, &&minus_dot_23, &&minus_dot_32, &&minus_dot_33, &&div,          &&inverse,      &&square,
      &&power,        &&sincos,       &&sin,          &&cos,          &&tan,          &&asin,         &&acos,
      &&atan,         &&sinh,         &&cosh,         &&tanh,         &&exp,          &&log,          &&sqrt,
      &&abs,          &&sign,         &&atan2,        &&hypot,        &&pow,          &&min,          &&max,
      &&select};
  static_assert(sizeof labels / sizeof *labels == static_cast<std::size_t>(Code::first_function) + op_count);

  copy(constants_.data(), constants_.size(), r);
  copy(values, inputs_, r + constants_.size());

// p points at an instruction: code, result, operands.
#define A r[p[2]]
#define B r[p[3]]
#define C r[p[4]]
#define D r[p[5]]
#define E r[p[6]]
#define F r[p[7]]
#define CASE(name, operands, value) \
  name:                             \
  r[p[1]] = value;                  \
  p += 2 + operands;                \
  goto* labels[*p];

  const std::uint32_t* p = code_.data();
  goto* labels[*p];
  CASE(add, 2, A + B)
  CASE(sub, 2, A - B)
  CASE(neg, 1, -A)
  CASE(mul, 2, A * B)
  CASE(mul3, 3, A * B * C)
  CASE(mul4, 4, A * B * C * D)
  CASE(add_mul, 3, A + B * C)
  CASE(add_mul3, 4, A + B * C * D)
  CASE(sub_mul, 3, A - B * C)
  CASE(sub_mul3, 4, A - B * C * D)
  CASE(mul_sub, 3, B * C - A)
  CASE(mul3_sub, 4, B * C * D - A)
  CASE(dot_22, 4, A * B + C * D)
  CASE(dot_23, 5, A * B + C * D * E)
  CASE(dot_32, 5, A * B * C + D * E)
  CASE(dot_33, 6, A * B * C + D * E * F)
  CASE(dot_22_minus, 4, A * B - C * D)
  CASE(dot_23_minus, 5, A * B - C * D * E)
  CASE(dot_32_minus, 5, A * B * C - D * E)
  CASE(dot_33_minus, 6, A * B * C - D * E * F)
  CASE(minus_dot_22, 4, -(A * B) - C * D)
  CASE(minus_dot_23, 5, -(A * B) - C * D * E)
  CASE(minus_dot_32, 5, -(A * B * C) - D * E)
  CASE(minus_dot_33, 6, -(A * B * C) - D * E * F)
  CASE(div, 2, A / B)
  CASE(inverse, 1, 1 / A)
  CASE(square, 1, A * A)
  CASE(power, 2, integer_power(A, static_cast<int>(p[3])))
sincos:
  sine_and_cosine(A, r[p[1]], B);
  p += 4;
  goto* labels[*p];
  CASE(sin, 1, std::sin(A))
  CASE(cos, 1, std::cos(A))
  CASE(tan, 1, std::tan(A))
  CASE(asin, 1, std::asin(A))
  CASE(acos, 1, std::acos(A))
  CASE(atan, 1, std::atan(A))
  CASE(sinh, 1, std::sinh(A))
  CASE(cosh, 1, std::cosh(A))
  CASE(tanh, 1, std::tanh(A))
  CASE(exp, 1, std::exp(A))
  CASE(log, 1, std::log(A))
  CASE(sqrt, 1, std::sqrt(A))
  CASE(abs, 1, std::abs(A))
  CASE(sign, 1, expr::sign(A))
  CASE(atan2, 2, std::atan2(A, B))
  CASE(hypot, 2, std::hypot(A, B))
  CASE(pow, 2, std::pow(A, B))
  CASE(min, 2, expr::min(A, B))
  CASE(max, 2, expr::max(A, B))
  CASE(select, 3, expr::select(A, B, C))
halt:
  for (std::size_t k = 0; k < outputs_.size(); ++k) out[k] = r[outputs_[k]];
#undef CASE
#undef A
#undef B
#undef C
#undef D
#undef E
#undef F
}

void Program::evaluate(std::span<const double> values, std::span<double> out) const {
  VINCULUM_DEMAND(registers_ <= stack_scratch);
  double scratch[stack_scratch];
  evaluate(values, out, scratch);
}

void Program::evaluate(std::span<const double> values, std::span<double> out, std::span<double> scratch) const {
  VINCULUM_DEMAND(values.size() >= inputs_ && out.size() >= outputs_.size() && scratch.size() >= registers_);
  run(values.data(), out.data(), scratch.data());
}

}  // namespace vinculum::expr
