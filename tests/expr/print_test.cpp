// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/expr/print.hpp"

#include "expr/walker.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/parse.hpp"

#include <gtest/gtest.h>

using namespace vinculum::expr;

namespace {

struct Names6 {
  Pool pool;
  Names6() {
    for (const char* name : {"x", "y", "z", "q1", "phi", "phi'", "m_rod", "theta12'"}) pool.symbol(name);
  }
};

}  // namespace

TEST(Print, text_has_the_parentheses_it_needs_and_no_others) {
  Names6 s;
  for (const char* text : {"x + y",
                           "x - y",
                           "-x",
                           "-x + y",
                           "2*x",
                           "x/3",
                           "x*y/2",
                           "1/x",
                           "2/x",
                           "x/y",
                           "x/(y*z)",
                           "0.7*x/y",
                           "x^2",
                           "x*y^2",
                           "(x + y)^2",
                           "z*(x + y)",
                           "sin(x)^2",
                           "x^y",
                           "x^(y + z)",
                           "x^y^z",
                           "(x^y)^z",
                           "(x^2)^y",
                           "2^x",
                           "x^1.5",
                           "x^(-1.5)",
                           "(-2)^x",
                           "(x*y)^z",
                           "-x*y",
                           "1 - x",
                           "1/(x + y)",
                           "sqrt(1 - x^2)",
                           "min(x, y, z)",
                           "min(x, max(y, z))",
                           "atan2(x, -y)",
                           "select(x, y, z)",
                           "exp(-x)",
                           "pi + x",
                           "1e-30*x",
                           "1e+30 + x"}) {
    EXPECT_EQ(to_text(s.pool, parse(s.pool, text)), text);
  }
}

TEST(Print, text_parses_back_to_the_same_node) {
  oracle::RandomText random(3);
  for (int k = 0; k < 1000; ++k) {
    Names6 s;
    const std::string given = random.make(5);
    const Expr e = parse(s.pool, given);
    const std::string text = to_text(s.pool, e);
    EXPECT_EQ(parse(s.pool, text), e) << given << " printed " << text << " became "
                                      << to_text(s.pool, parse(s.pool, text));
    const Expr d = s.pool.derivative(e, s.pool.symbol("x"));
    EXPECT_EQ(parse(s.pool, to_text(s.pool, d)), d) << to_text(s.pool, d);
    Names6 other;
    EXPECT_EQ(to_text(other.pool, parse(other.pool, text)), text);
  }
}

TEST(Print, latex) {
  Names6 s;
  const std::pair<const char*, const char*> table[] = {
      {"q1", "q_{1}"},
      {"phi'", "\\dot{\\varphi}"},
      {"theta12'", "\\dot{\\theta}_{12}"},
      {"m_rod", "m_{\\mathrm{rod}}"},
      {"x/y", "\\frac{x}{y}"},
      {"x/2", "\\frac{x}{2}"},
      {"(x + y)/(x - y)", "\\frac{x + y}{x - y}"},
      {"-x*(y + z)/2", "-\\frac{x \\left(y + z\\right)}{2}"},
      {"sin(phi)^2", "\\sin^{2}\\left(\\varphi\\right)"},
      {"sqrt(1 - x^2)", "\\sqrt{1 - x^{2}}"},
      {"abs(x)", "\\left|x\\right|"},
      {"exp(-x)", "e^{-x}"},
      {"2*x*y^3", "2 x y^{3}"},
      {"x^y", "x^{y}"},
      {"(x + y)^2", "\\left(x + y\\right)^{2}"},
      {"1e-7*x", "1 \\cdot 10^{-7} x"},
      {"pi", "\\pi"},
      {"atan2(x, y)", "\\operatorname{atan2}\\left(x, y\\right)"},
  };
  for (const auto& [text, latex] : table) EXPECT_EQ(to_latex(s.pool, parse(s.pool, text)), latex);
  EXPECT_EQ(latex_name("x''"), "\\ddot{x}");
  EXPECT_EQ(latex_name("mass"), "\\mathrm{mass}");
}
