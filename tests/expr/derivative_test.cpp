// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Derivatives against an independent route: the complex step, f'(x) = Im f(x + iε)/ε with ε = 1e-30, which has no
// cancellation and is exact to rounding; applied to the first derivative it gives the second.
#include "vinculum/expr/derivative.hpp"

#include "expr/walker.hpp"
#include "vinculum/expr/parse.hpp"
#include "vinculum/expr/print.hpp"

#include <gtest/gtest.h>

using namespace vinculum::expr;

namespace {

double complex_step(const Pool& pool, Expr e, const std::vector<double>& at, std::size_t i) {
  constexpr double epsilon = 1e-30;
  std::vector<std::complex<double>> x(at.begin(), at.end());
  x[i] += std::complex<double>(0, epsilon);
  return oracle::walk(pool, e, x).imag() / epsilon;
}

// 1e-12: a few dozen operations, each with a relative rounding of 1e-16, conditioned by at most some hundred.
void expect_near(double a, double b, const std::string& what) {
  EXPECT_NEAR(a, b, 1e-12 * std::max({1., std::abs(a), std::abs(b)})) << what;
}

struct Plane {
  Pool pool;
  Expr x = pool.symbol("x"), y = pool.symbol("y"), z = pool.symbol("z");
  void check(const std::string& text, const std::vector<double>& at) {
    const Expr e = parse(pool, text);
    for (std::size_t i = 0; i < 2; ++i) {
      const Expr d = pool.derivative(e, pool.symbol(i));
      expect_near(oracle::walk(pool, d, at), complex_step(pool, e, at, i), "first derivative of " + text);
      for (std::size_t j = 0; j < 2; ++j) {
        const Expr dd = pool.derivative(d, pool.symbol(j));
        expect_near(oracle::walk(pool, dd, at), complex_step(pool, d, at, j), "second derivative of " + text);
      }
    }
  }
};

}  // namespace

TEST(Derivative, of_every_function_is_the_complex_step) {
  Plane s;
  for (const OpInfo& op : op_table()) {
    const std::string name(op.name);
    for (const std::vector<double>& at :
         std::vector<std::vector<double>>{{.37, .81, 0}, {.62, .15, 0}, {.21, .44, 0}}) {
      if (op.arguments == 1) s.check(name + "(x*(1 + y)/2)", at);
      if (op.arguments == 2) s.check(name + "(x*y + 0.1, x + y^2)", at);
      if (op.arguments == 3) s.check(name + "(x - y, x^2*y, sin(x*y))", at);
    }
  }
  s.check("abs(-x*y)*sign(-x) + abs(x)", {-.3, .6, 0});
  s.check("atan2(y, x)", {-.3, .6, 0});
  s.check("atan2(y, x)", {-.3, -.6, 0});
  s.check("min(x, y, x*y)", {.3, .6, 0});
  s.check("max(x, y, x*y)", {.3, .6, 0});
  s.check("x^3*y^-2 + x^4/y^5 + (x + y)^7", {.3, .6, 0});
  s.check("2^x + x^y + x^1.5 + x^-0.5 + x^0.5", {.3, .6, 0});
}

// The table of derivatives once more, as closed forms written by hand.
TEST(Derivative, of_elementary_functions_has_the_closed_form) {
  Plane s;
  const std::pair<const char*, const char*> table[] = {
      {"sin(x)", "cos(x)"},
      {"cos(x)", "-sin(x)"},
      {"tan(x)", "1 + tan(x)^2"},
      {"asin(x)", "1/sqrt(1 - x^2)"},
      {"acos(x)", "-1/sqrt(1 - x^2)"},
      {"atan(x)", "1/(1 + x^2)"},
      {"sinh(x)", "cosh(x)"},
      {"cosh(x)", "sinh(x)"},
      {"tanh(x)", "1 - tanh(x)^2"},
      {"exp(x)", "exp(x)"},
      {"log(x)", "1/x"},
      {"sqrt(x)", "1/(2*sqrt(x))"},
      {"abs(x)", "sign(x)"},
      {"sign(x)", "0"},
      {"x^5", "5*x^4"},
      {"1/x", "-1/x^2"},
      {"x^y", "y*x^(y - 1)"},
      {"y^x", "y^x*log(y)"},
      {"min(x, y)", "select(y - x, 1, 0)"},
      {"max(x, y)", "select(x - y, 1, 0)"},
      {"3*x*y - x", "3*y - 1"},
      {"(x + y)^3", "3*(x + y)^2"},
      {"y^2 + z", "0"},
  };
  for (const auto& [f, df] : table) {
    EXPECT_EQ(s.pool.derivative(parse(s.pool, f), s.x), parse(s.pool, df))
        << f << " gave " << to_text(s.pool, s.pool.derivative(parse(s.pool, f), s.x));
  }
}

TEST(Derivative, of_random_expressions_is_the_complex_step) {
  oracle::RandomText random(11);
  int compared = 0;
  for (int k = 0; k < 300; ++k) {
    Plane s;
    const std::string text = random.make(4);
    const Expr e = parse(s.pool, text);
    const std::vector<double> at{random.number(.2, .9), random.number(.2, .9), random.number(.2, .9)};
    for (std::size_t i = 0; i < 3; ++i) {
      const double d = oracle::walk(s.pool, s.pool.derivative(e, s.pool.symbol(i)), at);
      const double reference = complex_step(s.pool, e, at, i);
      if (!std::isfinite(reference)) continue;
      // relative to the size of what was added up inside: nested powers and products amplify rounding
      EXPECT_NEAR(d, reference, 1e-9 * std::max(1., std::abs(reference))) << text;
      ++compared;
    }
  }
  EXPECT_GT(compared, 700);
}

TEST(Derivative, mixed_second_derivatives_are_equal) {
  Plane s;
  const Expr e = parse(s.pool, "sin(x*y)*exp(-x^2/2) + log(1 + x^2*y^2)/sqrt(1 + y^2)");
  const Expr xy = s.pool.derivative(s.pool.derivative(e, s.x), s.y),
             yx = s.pool.derivative(s.pool.derivative(e, s.y), s.x);
  const std::vector<double> at{.4, .7, 0};
  expect_near(oracle::walk(s.pool, xy, at), oracle::walk(s.pool, yx, at), "mixed");
}

TEST(Derivative, is_remembered) {
  Plane s;
  const Expr e = parse(s.pool, "sin(x*y)^3*exp(x)");
  const Expr d = s.pool.derivative(e, s.x);
  const std::size_t size = s.pool.size();
  EXPECT_EQ(s.pool.derivative(e, s.x), d);
  EXPECT_EQ(s.pool.size(), size);
}

TEST(Derivative, in_time_is_the_chain_rule) {
  Pool pool;
  const Expr t = pool.symbol("t"), x = pool.symbol("x"), y = pool.symbol("y"), u = pool.symbol("x'"),
             v = pool.symbol("y'"), a = pool.symbol("x''"), b = pool.symbol("y''");
  const std::vector<Expr> q{x, y}, qdot{u, v}, qddot{a, b};
  const Expr rate = time_derivative(pool, parse(pool, "t*x^2*y"), t, q, qdot);
  EXPECT_EQ(rate, parse(pool, "x^2*y + 2*t*x*y*x' + t*x^2*y'"));
  EXPECT_EQ(time_derivative(pool, parse(pool, "x*y'"), t, q, qdot, qddot), parse(pool, "x'*y' + x*y''"));
  EXPECT_EQ(gradient(pool, parse(pool, "x*y"), q), (std::vector<Expr>{y, x}));
}
