// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The plane double pendulum (Landau and Lifshitz, Mechanics, §5, problem 1): angles q from the vertical,
//   T = ½ m1 l1² u1² + ½ m2 (l1² u1² + l2² u2² + 2 l1 l2 u1 u2 cos(q1 − q2)),  U = −(m1 + m2) g l1 cos q1 − m2 g l2 cos
//   q2 M11 = (m1 + m2) l1²   M12 = m2 l1 l2 cos(q1 − q2)   M22 = m2 l2² h1 = −m2 l1 l2 sin(q1 − q2) u2² − (m1 + m2) g
//   l1 sin q1     h2 = m2 l1 l2 sin(q1 − q2) u1² − m2 g l2 sin q2
#include "expr/walker.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/parse.hpp"
#include "vinculum/expr/print.hpp"
#include "vinculum/expr/program.hpp"
#include "vinculum/expr/rewrite.hpp"

#include <gtest/gtest.h>

using namespace vinculum::expr;

namespace {

struct DoublePendulum {
  Pool pool;
  std::vector<Expr> q, u;
  Expr t;
  DoublePendulum() {
    for (const char* name : {"q1", "q2", "u1", "u2", "m1", "m2", "l1", "l2", "g"}) pool.symbol(name);
    q = {pool.symbol("q1"), pool.symbol("q2")};
    u = {pool.symbol("u1"), pool.symbol("u2")};
    t = pool.symbol("t");
  }

  // M_ij = ∂²T/∂u_i∂u_j,  h_i = ∂(T − U)/∂q_i − (d/dt ∂T/∂u_i without u̇)
  std::vector<Expr> equations(Expr T, Expr U) {
    std::vector<Expr> out;
    const std::vector<Expr> p = gradient(pool, T, u);
    for (const auto& [i, j] : {std::pair{0, 0}, {0, 1}, {1, 1}}) out.push_back(pool.derivative(p[i], u[j]));
    for (int i = 0; i < 2; ++i)
      out.push_back(pool.sub(pool.derivative(pool.sub(T, U), q[i]), time_derivative(pool, p[i], t, q, u)));
    return out;
  }

  // T and U from the positions of the two masses.
  std::pair<Expr, Expr> energies() {
    Names names;
    for (std::size_t i = 0; i < pool.symbol_count(); ++i) names[pool.name(i)] = pool.symbol(i);
    std::vector<Term> T;
    std::vector<Term> U;
    const char* masses[] = {"m1", "m2"};
    const char* positions[] = {"[l1*sin(q1), -l1*cos(q1)]", "[l1*sin(q1) + l2*sin(q2), -l1*cos(q1) - l2*cos(q2)]"};
    for (int b = 0; b < 2; ++b) {
      const std::vector<Expr> r = parse_list(pool, positions[b], names);
      for (const Expr coordinate : r)
        T.push_back({.5, pool.mul(names[masses[b]], pool.pow(time_derivative(pool, coordinate, t, q, u), 2))});
      U.push_back({1, pool.mul(pool.mul(names[masses[b]], names["g"]), r[1])});
    }
    return {pool.sum(0, T), pool.sum(0, U)};
  }
};

std::vector<double> by_hand(const std::vector<double>& x) {
  const double q1 = x[0], q2 = x[1], u1 = x[2], u2 = x[3], m1 = x[4], m2 = x[5], l1 = x[6], l2 = x[7], g = x[8];
  return {(m1 + m2) * l1 * l1, m2 * l1 * l2 * std::cos(q1 - q2), m2 * l2 * l2,
          -m2 * l1 * l2 * std::sin(q1 - q2) * u2 * u2 - (m1 + m2) * g * l1 * std::sin(q1),
          m2 * l1 * l2 * std::sin(q1 - q2) * u1 * u1 - m2 * g * l2 * std::sin(q2)};
}

}  // namespace

TEST(DoublePendulum, equations_from_cartesian_positions_are_those_of_the_book) {
  DoublePendulum s;
  const auto [T, U] = s.energies();
  const std::vector<Expr> raw = s.equations(T, U);
  std::vector<Expr> simple = s.equations(expand(s.pool, T), expand(s.pool, U));
  for (Expr& e : simple) e = expand(s.pool, e);
  const std::vector<Expr> shared = share(s.pool, simple);
  oracle::RandomText random(1);
  for (int k = 0; k < 200; ++k) {
    std::vector<double> x;
    for (int i = 0; i < 4; ++i) x.push_back(random.number(-4, 4));
    for (int i = 4; i < 9; ++i) x.push_back(random.number(.2, 3));
    x.push_back(std::nan(""));  // t must not matter
    const std::vector<double> reference = by_hand(x);
    for (const std::vector<Expr>& outputs : {raw, simple, shared}) {
      std::vector<double> out(outputs.size());
      compile(s.pool, outputs).evaluate(x, out);
      // some thirty operations on numbers up to 3³ · 4² · 2: 1e-12 is a hundred times their rounding
      for (std::size_t i = 0; i < out.size(); ++i) EXPECT_NEAR(out[i], reference[i], 1e-12 * 1000) << i;
    }
  }
}

TEST(DoublePendulum, expansion_finds_what_a_person_writes) {
  DoublePendulum s;
  const auto [T, U] = s.energies();
  EXPECT_EQ(expand(s.pool, T),
            parse(s.pool, "m1*l1^2*u1^2/2 + m2*l1^2*u1^2/2 + m2*l2^2*u2^2/2 + m2*l1*l2*u1*u2*cos(q1 - q2)"));
  const std::vector<Expr> equations = s.equations(expand(s.pool, T), expand(s.pool, U));
  EXPECT_EQ(equations[1], parse(s.pool, "m2*l1*l2*cos(q1 - q2)"));
  EXPECT_EQ(equations[3], parse(s.pool, "-m2*l1*l2*u2^2*sin(q1 - q2) - m1*g*l1*sin(q1) - m2*g*l1*sin(q1)"));
  EXPECT_EQ(equations[4], parse(s.pool, "m2*l1*l2*u1^2*sin(q1 - q2) - m2*g*l2*sin(q2)"));
}
