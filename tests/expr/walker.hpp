// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The value of a node by its definition (program.hpp), one recursion, nothing shared: the oracle for programs.
// Templated on the number type, so that complex steps and wider numbers go through it too.
#pragma once

#include "vinculum/expr/pool.hpp"

#include <fmt/core.h>
#include <cmath>
#include <complex>
#include <random>
#include <vector>

namespace vinculum::expr::oracle {

template <class T>
T power(const T& x, int n) {
  using std::pow;
  if (n > 64) return pow(x, T(n));
  if (n == 1) return x;
  const T half = power(x, n / 2);
  return n % 2 == 0 ? T(half * half) : T(half * half * x);
}

template <class T>
double real(const T& x) {
  if constexpr (requires { x.real(); })
    return static_cast<double>(x.real());
  else
    return static_cast<double>(x);
}

template <class T>
T call(Op op, const T& a, const T& b, const T& c) {
  using std::acos, std::asin, std::atan, std::cos, std::cosh, std::exp, std::log, std::pow, std::sin, std::sinh,
      std::sqrt, std::tan, std::tanh;
  constexpr bool plain = std::is_floating_point_v<T>;
  switch (op) {
    case Op::sin:
      return sin(a);
    case Op::cos:
      return cos(a);
    case Op::tan:
      return tan(a);
    case Op::asin:
      return asin(a);
    case Op::acos:
      return acos(a);
    case Op::atan:
      return atan(a);
    case Op::sinh:
      return sinh(a);
    case Op::cosh:
      return cosh(a);
    case Op::tanh:
      return tanh(a);
    case Op::exp:
      return exp(a);
    case Op::log:
      return log(a);
    case Op::sqrt:
      return sqrt(a);
    case Op::abs:
      return real(a) < 0 ? T(-a) : real(a) == 0 ? T(0) : a;
    case Op::sign:
      return real(a) < 0 ? T(-1) : real(a) > 0 ? T(1) : T(0);
    case Op::atan2:
      if constexpr (plain) return std::atan2(a, b);
      // the branch of atan(y/x) that the real parts say
      return T(std::atan2(real(a), real(b))) + atan((a * real(b) - b * real(a)) / (b * real(b) + a * real(a)));
    case Op::hypot:
      if constexpr (plain) return std::hypot(a, b);
      return sqrt(a * a + b * b);
    case Op::pow:
      return pow(a, b);
    case Op::min:
      return real(b) < real(a) ? b : a;
    case Op::max:
      return real(b) > real(a) ? b : a;
    case Op::select:
      return real(a) >= 0 ? b : c;
  }
  return T(0);
}

template <class T>
T walk(const Pool& pool, Expr e, const std::vector<T>& x) {
  const Node& node = pool.node(e);
  switch (node.kind) {
    case Kind::number:
      return T(node.value);
    case Kind::symbol:
      return x[pool.symbol_index(e)];
    case Kind::sum: {
      T sum(node.value);
      bool started = node.value != 0;
      for (const Term& t : node.terms) {
        const T v = walk(pool, t.e, x);
        const T part = t.weight == 1 ? v : t.weight == -1 ? T(-v) : T(T(t.weight) * v);
        sum = started ? T(sum + part) : part;
        started = true;
      }
      return sum;
    }
    case Kind::product: {
      auto side = [&](bool above, bool& any) {
        T product(1);
        any = false;
        for (const Term& t : node.terms) {
          if ((t.weight > 0) != above) continue;
          const int n = std::abs(static_cast<int>(t.weight));
          const T v = walk(pool, t.e, x);
          for (int k = 0; k < (n <= 3 ? n : 1); ++k) {
            const T f = n <= 3 ? v : power(v, n);
            product = any ? T(product * f) : f;
            any = true;
          }
        }
        return product;
      };
      bool has_above = false, has_below = false;
      const T above = side(true, has_above), below = side(false, has_below);
      return has_below ? T(above / below) : above;
    }
    case Kind::function: {
      T a[3] = {T(0), T(0), T(0)};
      for (std::size_t i = 0; i < node.terms.size(); ++i) a[i] = walk(pool, node.terms[i].e, x);
      return call(node.op, a[0], a[1], a[2]);
    }
  }
  return T(0);
}

/// Random text over the symbols x, y, z whose value is finite and moderate for x, y, z in [0.2, 0.9]. Everything that
/// could leave the domain of a function is kept inside by 0.5 + 0.3*sin(...).
class RandomText {
 public:
  explicit RandomText(unsigned seed) : random_(seed) {}

  std::string make(int depth) {
    const int kind = depth <= 0 ? pick(3) : pick(15);
    if (kind == 0 || kind == 2) return std::string(1, "xyz"[pick(3)]);
    if (kind == 1) return fmt::format("{}{}", 1 + pick(9), pick(2) ? ".25" : "");
    const std::string a = make(depth - 1), b = make(depth - 1);
    const std::string tame_a = fmt::format("(0.5 + 0.3*sin({}))", a), tame_b = fmt::format("(0.5 + 0.3*sin({}))", b);
    switch (kind) {
      case 3:
        return fmt::format("({} + {})", a, b);
      case 4:
        return fmt::format("({} - {})", a, b);
      case 5:
        return fmt::format("({})*({})", a, b);
      case 6:
        return fmt::format("({})/{}", a, tame_b);
      case 7:
        return fmt::format("{}^{}", tame_a, 2 + pick(6));
      case 8:
        return fmt::format("{}^{}", tame_a, tame_b);
      case 9:
        return fmt::format("-{}^2", tame_a);
      case 10:
        return fmt::format("min({}, {}, {})", a, b, make(depth - 1));
      case 11:
        return fmt::format("max({}, {})", a, b);
      case 12:
        return fmt::format("atan2({}, 1 + {})*hypot({}, 1)", a, tame_b, make(depth - 1));
      case 13:
        return fmt::format("select({}, {}, {})", a, b, make(depth - 1));
      default:
        break;
    }
    static const char* names[] = {"sin",  "cos",  "tan", "asin", "acos", "atan", "sinh",
                                  "cosh", "tanh", "exp", "log",  "sqrt", "abs",  "sign"};
    return fmt::format("{}({})", names[pick(14)], tame_a);
  }

  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

 private:
  std::mt19937 random_;
};

}  // namespace vinculum::expr::oracle
