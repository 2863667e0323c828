// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/expr/rewrite.hpp"

#include "expr/walker.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/parse.hpp"
#include "vinculum/expr/print.hpp"
#include "vinculum/expr/program.hpp"

#include <gtest/gtest.h>

using namespace vinculum::expr;

namespace {

struct Space {
  Pool pool;
  Space() {
    for (const char* name : {"x", "y", "z"}) pool.symbol(name);
  }
  Expr operator()(const char* text) { return parse(pool, text); }
};

}  // namespace

TEST(Rewrite, substitution_replaces_all_symbols_at_once) {
  Space s;
  const Replacement swap[] = {{s("x"), s("y")}, {s("y"), s("x")}};
  EXPECT_EQ(substitute(s.pool, s("x^2*sin(y) - y/x"), swap), s("y^2*sin(x) - x/y"));
  const Replacement numbers[] = {{s("x"), s("2")}, {s("y"), s("z + 1")}};
  EXPECT_EQ(substitute(s.pool, s("x^3*y - x"), numbers), s("8*z + 6"));
}

TEST(Rewrite, expansion_multiplies_out) {
  Space s;
  EXPECT_EQ(expand(s.pool, s("(x + y)^2")), s("x^2 + 2*x*y + y^2"));
  EXPECT_EQ(expand(s.pool, s("(x + y)*(x - y)")), s("x^2 - y^2"));
  EXPECT_EQ(expand(s.pool, s("z*(x + 1)^3/y")), s("z/y + 3*x*z/y + 3*x^2*z/y + x^3*z/y"));
  EXPECT_EQ(expand(s.pool, s("(x + 1)*(x - 1) - x^2")), s("-1"));
  EXPECT_EQ(expand(s.pool, s("sin((x + y)*z)")), s("sin(x*z + y*z)"));
}

TEST(Rewrite, expansion_knows_the_addition_theorems) {
  Space s;
  const std::pair<const char*, const char*> table[] = {
      {"sin(x)^2 + cos(x)^2", "1"},
      {"3*z*sin(x)^2 + 3*z*cos(x)^2 + y", "3*z + y"},
      {"cos(x)*cos(y) + sin(x)*sin(y)", "cos(x - y)"},
      {"cos(x)*cos(y) - sin(x)*sin(y)", "cos(x + y)"},
      {"sin(x)*sin(y) - cos(x)*cos(y)", "-cos(x + y)"},
      {"sin(x)*cos(y) + cos(x)*sin(y)", "sin(x + y)"},
      {"sin(x)*cos(y) - cos(x)*sin(y)", "sin(x - y)"},
      {"cos(x)*sin(y) - sin(x)*cos(y)", "sin(y - x)"},
      {"(cos(x) + cos(y))^2 + (sin(x) + sin(y))^2", "2 + 2*cos(x - y)"},
      {"sin(x)^4 + sin(x)^2*cos(x)^2", "sin(x)^2"},
  };
  for (const auto& [given, wanted] : table) {
    EXPECT_EQ(expand(s.pool, s(given)), s(wanted)) << given << " became " << to_text(s.pool, expand(s.pool, s(given)));
  }
}

TEST(Rewrite, nothing_changes_the_value) {
  oracle::RandomText random(8);
  for (int k = 0; k < 300; ++k) {
    Space s;
    const Expr e = parse(s.pool, random.make(4));
    const Expr outputs[] = {e, s.pool.derivative(e, s.pool.symbol("x"))};
    const std::vector<double> at{random.number(.2, .9), random.number(.2, .9), random.number(.2, .9)};
    const std::vector<Expr> shared = share(s.pool, outputs);
    for (int i = 0; i < 2; ++i) {
      const double value = oracle::walk(s.pool, outputs[i], at);
      // rounding only; random expressions multiply a few large numbers and cancel them
      const double tolerance = 1e-9 * std::max(1., std::abs(value));
      EXPECT_NEAR(oracle::walk(s.pool, shared[i], at), value, tolerance) << to_text(s.pool, e);
      EXPECT_NEAR(oracle::walk(s.pool, expand(s.pool, outputs[i]), at), value, tolerance) << to_text(s.pool, e);
    }
  }
}

TEST(Rewrite, sharing_takes_out_common_factors) {
  Space s;
  const Expr outputs[] = {s("x*y*z*sin(x) + x*y*z*cos(x) + x*y*z*exp(x)")};
  const std::vector<Expr> shared = share(s.pool, outputs);
  EXPECT_EQ(to_text(s.pool, shared[0]), "x*y*z*(sin(x) + cos(x) + exp(x))");
}
