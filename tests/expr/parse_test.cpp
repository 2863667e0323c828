// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/expr/parse.hpp"

#include "expr/walker.hpp"

#include <gtest/gtest.h>
#include <numbers>

using namespace vinculum;
using namespace vinculum::expr;

namespace {

struct Scene {
  Pool pool;
  std::vector<double> values;
  Scene() {
    for (const auto& [name, value] : std::vector<std::pair<const char*, double>>{
             {"t", .7}, {"q1", 1.3}, {"phi", -.4}, {"phi'", 2.5}, {"m_rod", 3}, {"x", 2}, {"y", 5}}) {
      pool.symbol(name);
      values.push_back(value);
    }
  }
  double value(std::string_view text) { return oracle::walk(pool, parse(pool, text), values); }
  ParseError error(std::string_view text) {
    try {
      parse(pool, text);
    } catch (const ParseError& e) {
      return e;
    }
    ADD_FAILURE() << text << " was accepted";
    return ParseError("", 0, "", "");
  }
};

}  // namespace

TEST(Parse, operators_bind_as_in_mathematics) {
  Scene s;
  EXPECT_EQ(s.value("-x^2"), -4);
  EXPECT_EQ(s.value("(-x)^2"), 4);
  EXPECT_EQ(s.value("2^3^2"), 512);
  EXPECT_EQ(s.value("x^y^1"), 32);
  EXPECT_EQ(s.value("2^-x"), .25);
  EXPECT_EQ(s.value("1 - 2 - 3"), -4);
  EXPECT_EQ(s.value("y - x - 1"), 2);
  EXPECT_EQ(s.value("y/x/2"), 1.25);
  EXPECT_EQ(s.value("y/x*2"), 5);
  EXPECT_EQ(s.value("2 + 3*4"), 14);
  EXPECT_EQ(s.value("2*-x"), -4);
  EXPECT_EQ(s.value("x - -y"), 7);
  EXPECT_EQ(s.value("--x"), 2);
  EXPECT_EQ(s.value("+x"), 2);
  EXPECT_EQ(s.value(" ( x ) "), 2);
}

TEST(Parse, numbers_names_and_pi) {
  Scene s;
  EXPECT_EQ(s.value("2e-3"), 2e-3);
  EXPECT_EQ(s.value("1.5E+2"), 150);
  EXPECT_EQ(s.value(".5"), .5);
  EXPECT_EQ(s.value("pi"), std::numbers::pi);
  EXPECT_EQ(s.value("phi'"), 2.5);
  EXPECT_EQ(s.value("phi"), -.4);
  EXPECT_EQ(s.value("m_rod*q1"), 3 * 1.3);
}

TEST(Parse, every_function_has_its_value) {
  Scene s;
  const double a = .3;
  for (const OpInfo& op : op_table()) {
    if (op.arguments != 1) continue;
    const std::string name(op.name);
    EXPECT_EQ(s.value(name + "(0.3)"), apply(*find_op(op.name), a)) << name;
  }
  EXPECT_EQ(s.value("atan2(x, -y)"), std::atan2(2, -5));
  EXPECT_EQ(s.value("hypot(x, y)"), std::hypot(2, 5));
  EXPECT_EQ(s.value("pow(x, 1.7)"), std::pow(2, 1.7));
  EXPECT_EQ(s.value("min(x, y)"), 2);
  EXPECT_EQ(s.value("max(x, y, 7, -1)"), 7);
  EXPECT_EQ(s.value("min(x, y, t, q1)"), .7);
  EXPECT_EQ(s.value("sign(phi) + abs(phi)"), -.6);
  EXPECT_EQ(s.value("select(phi, x, y)"), 5);
}

TEST(Parse, lists_split_at_commas_outside_functions) {
  Scene s;
  const std::vector<Expr> list = parse_list(s.pool, "[x, atan2(y, x), 0]");
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0], s.pool.symbol("x"));
  EXPECT_EQ(oracle::walk(s.pool, list[1], s.values), std::atan2(5, 2));
  EXPECT_EQ(list[2], Expr{});
  EXPECT_TRUE(parse_list(s.pool, "[]").empty());
  EXPECT_EQ(parse_list(s.pool, "x + y").size(), 1u);
}

TEST(Parse, names_can_stand_for_expressions) {
  Scene s;
  Names names{{"q1", s.pool.symbol("q1")}, {"x1", parse(s.pool, "2*sin(q1)")}};
  EXPECT_EQ(parse(s.pool, "x1^2", names), parse(s.pool, "4*sin(q1)^2"));
  EXPECT_THROW(parse(s.pool, "y", names), ParseError);
}

TEST(Parse, mistakes_are_pointed_at) {
  Scene s;
  struct Case {
    const char* text;
    int column;
    const char* found;
    const char* expected;
  };
  const Case cases[] = {
      {"", 1, "the end", "a number, a name or '('"},
      {"x +", 4, "the end", "a number, a name or '('"},
      {"x + * y", 5, "'*'", "a number, a name or '('"},
      {"2x", 2, "x", "an operator or the end"},
      {"x y", 3, "y", "an operator or the end"},
      {"(x + y", 7, "the end", "an operator or ')'"},
      {"x)", 2, "')'", "an operator or the end"},
      {"sin x", 5, "x", "'(' after sin"},
      {"sin(x", 6, "the end", "an operator, ',' or ')'"},
      {"x + ph", 5, "ph", "a known name; did you mean phi?"},
      {"m_rid*2", 1, "m_rid", "a known name; did you mean m_rod?"},
      {"1 + sinn(x)", 5, "sinn", "a function; did you mean sin?"},
      {"qqqqqqq", 1, "qqqqqqq", "a known name"},
      {"x + atan2(y)", 5, "1 argument", "2 for atan2"},
      {"sin(x, y)", 1, "2 arguments", "1 for sin"},
      {"min(x)", 1, "1 argument", "2 or more for min"},
      {"x/0", 3, "a division by 0", "a divisor that is not 0"},
      {"x + log(0)", 5, "a number that is not finite", "a finite value"},
      {"x + sqrt(-1)", 5, "a number that is not finite", "a finite value"},
      {"1e999", 1, "1e999", "a number between 1e-307 and 1e308"},
      {"x # y", 3, "'#'", "an operator or the end"},
      {"x + φ", 5, "'φ'", "a number, a name or '('"},
      {"[x, y]", 1, "'['", "a number, a name or '('"},
  };
  for (const Case& c : cases) {
    const ParseError e = s.error(c.text);
    EXPECT_EQ(e.column(), c.column) << c.text;
    EXPECT_EQ(e.found(), c.found) << c.text;
    EXPECT_EQ(e.expected(), c.expected) << c.text;
    EXPECT_EQ(std::string(e.what()),
              "column " + std::to_string(c.column) + ": found " + c.found + ", expected " + c.expected);
  }
}

TEST(Parse, the_caret_stands_under_the_mistake) {
  Scene s;
  EXPECT_EQ(s.error("x + * y").picture(), "  x + * y\n      ^");
  EXPECT_EQ(s.error("x + φ").picture(0), "x + φ\n    ^");
  const ParseError e = s.error("x +\n  y y");
  EXPECT_EQ(e.line(), 2);
  EXPECT_EQ(e.column(), 5);
  EXPECT_EQ(e.picture(0), "  y y\n    ^");
  EXPECT_EQ(std::string(e.what()), "line 2, column 5: found y, expected an operator or the end");
}

TEST(Parse, a_parse_error_is_an_input_error) {
  Scene s;
  EXPECT_THROW(parse(s.pool, "x +"), base::InputError);
  EXPECT_THROW(s.pool.symbol("sin"), base::InputError);
  EXPECT_THROW(s.pool.symbol("2x"), base::InputError);
  EXPECT_THROW(s.pool.symbol("a'b"), base::InputError);
}

TEST(Parse, deep_nesting_is_refused_before_the_stack_is_full) {
  Scene s;
  EXPECT_THROW(parse(s.pool, std::string(100000, '(')), ParseError);
  EXPECT_THROW(parse(s.pool, std::string(100000, '-') + "x"), ParseError);
  std::string text = "x";
  for (int k = 0; k < 100000; ++k) text += k % 2 ? "+x" : "*x";
  EXPECT_NO_THROW(parse(s.pool, text));
}

TEST(Parse, any_bytes_give_an_expression_or_a_parse_error) {
  Scene s;
  std::mt19937 random(7);
  const std::string_view bits[] = {"x",  "y", "+",   "-",   "*", "/",    "^",  "(", ")",        ",", "[",  "]", "1",
                                   "2e", ".", "sin", "min", "'", "\xff", "\n", " ", "\xcf\x86", "e", "pi", "_"};
  for (int k = 0; k < 20000; ++k) {
    std::string text;
    for (auto i = random() % 12; i > 0; --i) text += bits[random() % std::size(bits)];
    try {
      parse_list(s.pool, text);
    } catch (const ParseError& e) {
      EXPECT_GE(e.column(), 1);
      const std::string picture = e.picture();
      EXPECT_EQ(std::count(picture.begin(), picture.end(), '\n'), 1) << text;
    }
  }
}
