// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The functions an expression may call, and what each of them means for numbers.
//   sign(x) = −1, 0, 1;   select(c, a, b) = a if c ≥ 0, b if c < 0
// A NaN argument gives NaN, in min, max, sign and select too: a failure never hides behind a branch.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace vinculum::expr {

enum class Op : std::uint8_t {
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  sqrt,
  abs,
  sign,
  atan2,
  hypot,
  pow,
  min,
  max,
  select,
};
inline constexpr int op_count = 20;

enum class Parity : std::uint8_t { none, odd, even };

struct OpInfo {
  std::string_view name;
  int arguments;           // min and max take more in text; they are then nested
  Parity parity;           // f(−x) = −f(x), f(−x) = f(x), exactly, in floating point too
  std::string_view latex;  // the name in LaTeX
};

/// Name, number of arguments and parity of every function, in the order of Op.
std::span<const OpInfo> op_table();
const OpInfo& info(Op op);
std::optional<Op> find_op(std::string_view name);

inline double sign(double x) { return x > 0 ? 1. : x < 0 ? -1. : x == 0 ? 0. : x; }
inline double min(double a, double b) { return a < b || a != a ? a : b; }
inline double max(double a, double b) { return a > b || a != a ? a : b; }
inline double select(double c, double a, double b) { return c >= 0 ? a : c < 0 ? b : c; }

/// xⁿ, n ≥ 1. Up to 64 by squaring: x³ = (x x) x, x⁴ = (x²)², x⁵ = (x²)² x, ...; beyond by std::pow.
double integer_power(double x, int n);

/// The value of the function; arguments it does not take are ignored.
double apply(Op op, double a, double b = 0, double c = 0);

}  // namespace vinculum::expr
