// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs against the walker, bit for bit; allocations are counted.
#include "vinculum/expr/program.hpp"

#include "expr/walker.hpp"
#include "support/count_allocations.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/parse.hpp"
#include "vinculum/expr/print.hpp"
#include "vinculum/expr/rewrite.hpp"

#include <gtest/gtest.h>
#include <bit>
#include <thread>

using namespace vinculum::expr;

namespace {

bool same_bits(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

struct Space {
  Pool pool;
  Space() {
    for (const char* name : {"x", "y", "z"}) pool.symbol(name);
  }
};

void expect_same_bits(const Pool& pool, std::span<const Expr> outputs, const std::vector<double>& at) {
  const Program program = compile(pool, outputs);
  std::vector<double> out(outputs.size());
  program.evaluate(at, out);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const double reference = oracle::walk(pool, outputs[i], at);
    EXPECT_TRUE(same_bits(out[i], reference)) << to_text(pool, outputs[i]) << ": " << out[i] << ", " << reference;
  }
}

}  // namespace

TEST(Program, agrees_with_the_walker_bit_for_bit) {
  oracle::RandomText random(5);
  for (int k = 0; k < 400; ++k) {
    Space s;
    const Expr e = parse(s.pool, random.make(4)), f = parse(s.pool, random.make(4));
    std::vector<Expr> outputs{e, f, s.pool.mul(e, f), s.pool.symbol("y"), s.pool.number(2.5), e};
    for (std::size_t i = 0; i < 3; ++i) outputs.push_back(s.pool.derivative(e, s.pool.symbol(i)));
    const std::vector<double> at{random.number(.2, .9), random.number(.2, .9), random.number(.2, .9)};
    expect_same_bits(s.pool, outputs, at);
    const std::vector<Expr> shared = share(s.pool, outputs);
    expect_same_bits(s.pool, shared, at);
  }
}

// Sums and products of every length and sign, where terms and factors are fused into single instructions.
TEST(Program, fuses_sums_of_products_without_changing_a_bit) {
  oracle::RandomText random(6);
  for (int k = 0; k < 3000; ++k) {
    Space s;
    std::vector<Term> terms;
    for (int i = 1 + random.pick(4); i > 0; --i) {
      std::vector<Term> factors;
      for (int j = 1 + random.pick(4); j > 0; --j) {
        static constexpr int powers[] = {1, 1, 1, 2, 3, 4, 5, 70, -1, -2};
        factors.push_back({static_cast<double>(powers[random.pick(10)]), s.pool.symbol(random.pick(3))});
      }
      static constexpr double weights[] = {1, 1, -1, -1, 2, -.3};
      terms.push_back({weights[random.pick(6)], s.pool.product(1, factors)});
    }
    const std::vector<Expr> outputs{s.pool.sum(random.pick(3) - 1, terms)};
    expect_same_bits(s.pool, outputs, {random.number(-1, 1), random.number(-1, 1), random.number(-1, 1)});
  }
}

TEST(Program, sine_and_cosine_of_one_angle_are_one_instruction) {
  Space s;
  const std::vector<Expr> both{parse(s.pool, "sin(x)"), parse(s.pool, "cos(x)")};
  EXPECT_EQ(compile(s.pool, both).instruction_count(), 1u);
  for (double x : {0., -.1, 1.5, 1e6, -3e10, 1e-310}) expect_same_bits(s.pool, both, {x, 0, 0});
}

TEST(Program, computes_shared_parts_once) {
  Space s;
  const std::vector<Expr> outputs{parse(s.pool, "exp(x*y)"), parse(s.pool, "exp(x*y)^2 + z"),
                                  parse(s.pool, "sqrt(exp(x*y))")};
  EXPECT_EQ(compile(s.pool, outputs).instruction_count(), 4u);  // x y, exp, z + e e, sqrt
}

TEST(Program, never_allocates) {
  Space s;
  const Expr e = parse(s.pool, "sin(x*y)^3*exp(z)/sqrt(1 + x^2) + atan2(y, x)");
  std::vector<Expr> outputs = gradient(s.pool, e, std::vector<Expr>{s.pool.symbol("x"), s.pool.symbol("y")});
  const Program program = compile(s.pool, outputs);
  const std::vector<double> at{.1, .2, .3};
  std::vector<double> out(outputs.size()), scratch(program.scratch_size(), std::nan(""));
  const long before = vinculum::test::allocations();
  program.evaluate(at, out);
  program.evaluate(at, out, scratch);
  EXPECT_EQ(vinculum::test::allocations(), before);
}

TEST(Program, runs_on_many_threads_at_once) {
  Space s;
  const std::vector<Expr> outputs{parse(s.pool, "sin(x)*cos(x) + y^3/z")};
  const Program program = compile(s.pool, outputs);
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([&, k] {
      for (int i = 0; i < 5000; ++i) {
        const std::vector<double> at{.001 * i, .5 * k, 2};
        double out = 0;
        program.evaluate(at, {&out, 1});
        wrong[k] += !same_bits(out, oracle::walk(s.pool, outputs[0], at));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, (std::vector<int>(4, 0)));
}

TEST(Program, large_programs_take_scratch_from_the_caller) {
  Pool pool;
  std::vector<Expr> outputs;
  std::vector<double> at;
  for (std::size_t i = 0; i < Program::stack_scratch; ++i) {
    outputs.push_back(pool.call(Op::sqrt, pool.symbol(fmt::format("x{}", i))));
    at.push_back(static_cast<double>(i));
  }
  const Program program = compile(pool, outputs);
  std::vector<double> out(outputs.size()), scratch(program.scratch_size());
  EXPECT_THROW(program.evaluate(at, out), std::logic_error);
  program.evaluate(at, out, scratch);
  EXPECT_EQ(out[4000], std::sqrt(4000.));
}
