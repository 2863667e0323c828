// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/expr/op.hpp"

#include "vinculum/base/error.hpp"

#include <array>

namespace vinculum::expr {

namespace {

constexpr std::array<OpInfo, op_count> table{{
    {"sin", 1, Parity::odd, "\\sin"},
    {"cos", 1, Parity::even, "\\cos"},
    {"tan", 1, Parity::odd, "\\tan"},
    {"asin", 1, Parity::odd, "\\arcsin"},
    {"acos", 1, Parity::none, "\\arccos"},
    {"atan", 1, Parity::odd, "\\arctan"},
    {"sinh", 1, Parity::odd, "\\sinh"},
    {"cosh", 1, Parity::even, "\\cosh"},
    {"tanh", 1, Parity::odd, "\\tanh"},
    {"exp", 1, Parity::none, "\\exp"},
    {"log", 1, Parity::none, "\\log"},
    {"sqrt", 1, Parity::none, "\\sqrt"},
    {"abs", 1, Parity::even, "\\operatorname{abs}"},
    {"sign", 1, Parity::odd, "\\operatorname{sign}"},
    {"atan2", 2, Parity::none, "\\operatorname{atan2}"},
    {"hypot", 2, Parity::none, "\\operatorname{hypot}"},
    {"pow", 2, Parity::none, "\\operatorname{pow}"},
    {"min", 2, Parity::none, "\\min"},
    {"max", 2, Parity::none, "\\max"},
    {"select", 3, Parity::none, "\\operatorname{select}"},
}};

}  // namespace

std::span<const OpInfo> op_table() { return table; }

const OpInfo& info(Op op) { return table[static_cast<std::size_t>(op)]; }

std::optional<Op> find_op(std::string_view name) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].name == name) return static_cast<Op>(i);
  }
  return std::nullopt;
}

double integer_power(double x, int n) {
  if (n > 64) return std::pow(x, n);
  if (n == 1) return x;
  const double half = integer_power(x, n / 2);
  const double square = half * half;
  return n % 2 == 0 ? square : square * x;
}

double apply(Op op, double a, double b, double c) {
  switch (op) {
    case Op::sin:
      return std::sin(a);
    case Op::cos:
      return std::cos(a);
    case Op::tan:
      return std::tan(a);
    case Op::asin:
      return std::asin(a);
    case Op::acos:
      return std::acos(a);
    case Op::atan:
      return std::atan(a);
    case Op::sinh:
      return std::sinh(a);
    case Op::cosh:
      return std::cosh(a);
    case Op::tanh:
      return std::tanh(a);
    case Op::exp:
      return std::exp(a);
    case Op::log:
      return std::log(a);
    case Op::sqrt:
      return std::sqrt(a);
    case Op::abs:
      return std::abs(a);
    case Op::sign:
      return sign(a);
    case Op::atan2:
      return std::atan2(a, b);
    case Op::hypot:
      return std::hypot(a, b);
    case Op::pow:
      return std::pow(a, b);
    case Op::min:
      return min(a, b);
    case Op::max:
      return max(a, b);
    case Op::select:
      return select(a, b, c);
  }
  VINCULUM_DEMAND(false);
  return 0;
}

}  // namespace vinculum::expr
