// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/expr/pool.hpp"

#include "expr/walker.hpp"
#include "vinculum/expr/parse.hpp"
#include "vinculum/expr/print.hpp"

#include <gtest/gtest.h>

using namespace vinculum::expr;

namespace {

struct Plane {
  Pool pool;
  Plane() {
    for (const char* name : {"x", "y", "z"}) pool.symbol(name);
  }
  Expr operator()(const char* text) { return parse(pool, text); }
};

}  // namespace

TEST(Pool, equal_expressions_are_one_node) {
  Plane s;
  const std::pair<const char*, const char*> equal[] = {
      {"x + y", "y + x"},
      {"x*y*z", "z*(y*x)"},
      {"x - x", "0"},
      {"x + x", "2*x"},
      {"x*x", "x^2"},
      {"x*x^2", "x^3"},
      {"(x^2)^3", "x^6"},
      {"--x", "x"},
      {"0*x + 1*y", "y"},
      {"x^1", "x"},
      {"x^0", "1"},
      {"2*x*3*y", "6*x*y"},
      {"2*(x + y)", "2*x + 2*y"},
      {"(2*x + 4*y)*z", "2*(x + 2*y)*z"},
      {"(y - x)*z", "-(x - y)*z"},
      {"(x - y)^2", "(y - x)^2"},
      {"sin(-x)", "-sin(x)"},
      {"cos(y - x)", "cos(x - y)"},
      {"abs(-x)", "abs(abs(x))"},
      {"x^0.5", "sqrt(x)"},
      {"1/(1/x)", "x"},
      {"x/2", "0.5*x"},
      {"(x*y)^2", "x^2*y^2"},
      {"3 - 1 + 2^3*2", "18"},
      {"min(x, x)", "x"},
      {"x*y - y*x + z", "z"},
  };
  for (const auto& [a, b] : equal) EXPECT_EQ(s(a), s(b)) << a << " is " << to_text(s.pool, s(a)) << ", " << b;
}

TEST(Pool, the_domain_is_not_enlarged) {
  Plane s;
  const std::pair<const char*, double> undefined[] = {{"x/x", 0},          {"x^2/x", 0},        {"sqrt(x)^2", -1},
                                                      {"exp(log(x))", -1}, {"x^0.5*x^0.5", -1}, {"x^1.5*x^0.5", -1}};
  for (const auto& [text, at] : undefined) {
    EXPECT_TRUE(std::isnan(oracle::walk(s.pool, s(text), std::vector<double>{at, 0, 0}))) << text;
  }
  EXPECT_EQ(oracle::walk(s.pool, s("sqrt(x^2)"), std::vector<double>{-2, 0, 0}), 2);
}

TEST(Pool, nan_passes_through_branches) {
  const double nan = std::nan("");
  EXPECT_TRUE(std::isnan(min(nan, 1)) && std::isnan(min(1, nan)) && std::isnan(max(nan, 1)) && std::isnan(max(1, nan)));
  EXPECT_TRUE(std::isnan(sign(nan)) && std::isnan(select(nan, 1, 2)));
}

TEST(Pool, the_order_of_terms_does_not_depend_on_history) {
  Plane a, b;
  b("z*sin(y) + cos(x)");
  b("y*z");
  const char* text = "x*y + y*z + sin(y)*z - cos(x) + (x + y)^2/z";
  EXPECT_EQ(to_text(a.pool, a(text)), to_text(b.pool, b(text)));
}

TEST(Pool, many_nodes_are_found_again) {
  Plane s;
  std::vector<Expr> nodes;
  const Expr x = s.pool.symbol("x");
  for (int k = 0; k < 5000; ++k) nodes.push_back(s.pool.call(Op::sin, s.pool.sum(k, {{1, x}})));
  for (int k = 0; k < 5000; ++k) EXPECT_EQ(nodes[k], s.pool.call(Op::sin, s.pool.sum(k, {{1, x}})));
}
