// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// M and h of a double pendulum, derived from T and U by exact differentiation,
//   M_ij = ∂²T/∂u_i∂u_j,   h_i = ∂T/∂q_i − Σ_j ∂²T/∂u_i∂q_j u_j − ∂U/∂q_i,
// evaluated by hand-written C++, by the compiled program, and by walking trees of node objects (one virtual
// call per node, nothing shared) of the same expressions and of expressions differentiated without any simplification.
// Two ways to write T: in angles, and in Cartesian velocities. Medians of 31 samples, ns per evaluation.
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/parse.hpp"
#include "vinculum/expr/program.hpp"
#include "vinculum/expr/rewrite.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <memory>

using namespace vinculum::expr;

namespace {

using Values = std::array<double, 9>;  // q1 q2 u1 u2 m1 m2 l1 l2 g
using Result = std::array<double, 5>;  // M11 M12 M22 h1 h2

// As a person writes it: each angle once, common factors once.
[[gnu::noinline]] void by_hand(const Values& x, Result& out) {
  const double q1 = x[0], q2 = x[1], u1 = x[2], u2 = x[3], m1 = x[4], m2 = x[5], l1 = x[6], l2 = x[7], g = x[8];
  const double m = m1 + m2, c = m2 * l1 * l2;
  const double cosine = std::cos(q1 - q2), sine = std::sin(q1 - q2);
  out[0] = m * l1 * l1;
  out[1] = c * cosine;
  out[2] = m2 * l2 * l2;
  out[3] = -c * sine * u2 * u2 - m * g * l1 * std::sin(q1);
  out[4] = c * sine * u1 * u1 - m2 * g * l2 * std::sin(q2);
}

// --- trees
struct Tree {
  virtual ~Tree() = default;
  virtual double eval(const double* x) const = 0;
};
using Ptr = std::unique_ptr<Tree>;
struct Number final : Tree {
  explicit Number(double v) : value(v) {}
  double eval(const double*) const override { return value; }
  double value;
};
struct Symbol final : Tree {
  explicit Symbol(std::size_t i) : index(i) {}
  double eval(const double* x) const override { return x[index]; }
  std::size_t index;
};
struct Binary final : Tree {
  Binary(char o, Ptr l, Ptr r) : op(o), a(std::move(l)), b(std::move(r)) {}
  double eval(const double* x) const override {
    const double p = a->eval(x), q = b->eval(x);
    switch (op) {
      case '+':
        return p + q;
      case '-':
        return p - q;
      case '*':
        return p * q;
      case '/':
        return p / q;
      default:
        return std::pow(p, q);
    }
  }
  char op;
  Ptr a, b;
};
struct Unary final : Tree {
  Unary(Op o, Ptr x) : op(o), a(std::move(x)) {}
  double eval(const double* x) const override { return apply(op, a->eval(x)); }
  Op op;
  Ptr a;
};

// The expression of the pool, every use a copy.
Ptr make_tree(const Pool& pool, Expr e) {
  const Node& node = pool.node(e);
  Ptr tree;
  auto join = [&](char op, Ptr part) {
    tree = tree ? std::make_unique<Binary>(op, std::move(tree), std::move(part)) : std::move(part);
  };
  switch (node.kind) {
    case Kind::number:
      return std::make_unique<Number>(node.value);
    case Kind::symbol:
      return std::make_unique<Symbol>(pool.symbol_index(e));
    case Kind::function:
      return std::make_unique<Unary>(node.op, make_tree(pool, node.terms[0].e));
    case Kind::sum:
      if (node.value != 0) join('+', std::make_unique<Number>(node.value));
      for (const Term& t : node.terms) {
        Ptr part = make_tree(pool, t.e);
        const bool subtract = t.weight == -1 && tree;
        if (t.weight != 1 && !subtract)
          part = std::make_unique<Binary>('*', std::make_unique<Number>(t.weight), std::move(part));
        join(subtract ? '-' : '+', std::move(part));
      }
      return tree;
    case Kind::product:
      for (const Term& t : node.terms) {
        for (int k = 0; k < std::abs(static_cast<int>(t.weight)); ++k) {
          if (!tree && t.weight < 0) tree = std::make_unique<Number>(1);
          join(t.weight > 0 ? '*' : '/', make_tree(pool, t.e));
        }
      }
      return tree;
  }
  return tree;
}

// A textbook differentiator: trees to trees, the rules and nothing else.
Ptr copy(const Tree& t);
Ptr derive(const Tree& t, std::size_t x);
Ptr binary(char op, Ptr a, Ptr b) { return std::make_unique<Binary>(op, std::move(a), std::move(b)); }
Ptr constant(double v) { return std::make_unique<Number>(v); }

Ptr copy(const Tree& t) {
  if (const auto* n = dynamic_cast<const Number*>(&t)) return constant(n->value);
  if (const auto* s = dynamic_cast<const Symbol*>(&t)) return std::make_unique<Symbol>(s->index);
  if (const auto* u = dynamic_cast<const Unary*>(&t)) return std::make_unique<Unary>(u->op, copy(*u->a));
  const auto& b = dynamic_cast<const Binary&>(t);
  return binary(b.op, copy(*b.a), copy(*b.b));
}
Ptr derive(const Tree& t, std::size_t x) {
  if (dynamic_cast<const Number*>(&t)) return constant(0);
  if (const auto* s = dynamic_cast<const Symbol*>(&t)) return constant(s->index == x ? 1 : 0);
  if (const auto* u = dynamic_cast<const Unary*>(&t)) {  // sin and cos are all there is here
    Ptr outer = std::make_unique<Unary>(u->op == Op::sin ? Op::cos : Op::sin, copy(*u->a));
    if (u->op == Op::cos) outer = binary('*', constant(-1), std::move(outer));
    return binary('*', std::move(outer), derive(*u->a, x));
  }
  const auto& b = dynamic_cast<const Binary&>(t);
  if (b.op == '+' || b.op == '-') return binary(b.op, derive(*b.a, x), derive(*b.b, x));
  return binary('+', binary('*', derive(*b.a, x), copy(*b.b)), binary('*', copy(*b.a), derive(*b.b, x)));
}

std::vector<Ptr> naive_equations(const Tree& T, const Tree& U) {
  std::vector<Ptr> out;
  const Ptr T1 = derive(T, 2), T2 = derive(T, 3);
  out.push_back(derive(*T1, 2));
  out.push_back(derive(*T1, 3));
  out.push_back(derive(*T2, 3));
  for (std::size_t i = 0; i < 2; ++i) {
    Ptr h = derive(T, i);
    for (std::size_t j = 0; j < 2; ++j) {
      h = binary('-', std::move(h), binary('*', derive(i == 0 ? *T1 : *T2, j), std::make_unique<Symbol>(2 + j)));
    }
    out.push_back(binary('-', std::move(h), derive(U, i)));
  }
  return out;
}

// --- time
template <class Work>
double median_ns(Work&& work, int calls = 20000) {
  constexpr int samples = 31;
  std::array<double, samples> times{};
  for (double& time : times) {
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < calls; ++k) work(k);
    const std::chrono::duration<double, std::nano> d = std::chrono::steady_clock::now() - start;
    time = d.count() / calls;
  }
  std::nth_element(times.begin(), times.begin() + samples / 2, times.end());
  return times[samples / 2];
}

void bench(const char* title, const char* T_text, const char* U_text, bool expanded) {
  Pool pool;
  for (const char* name : {"q1", "q2", "u1", "u2", "m1", "m2", "l1", "l2", "g"}) pool.symbol(name);
  const std::array q{pool.symbol("q1"), pool.symbol("q2")}, u{pool.symbol("u1"), pool.symbol("u2")};
  Expr T = parse(pool, T_text);
  const Expr U = parse(pool, U_text), U_given = U, T_given = T;
  if (expanded) T = expand(pool, T);
  std::vector<Expr> outputs;
  auto d = [&](Expr e, Expr x) { return pool.derivative(e, x); };
  outputs.push_back(d(d(T, u[0]), u[0]));
  outputs.push_back(d(d(T, u[0]), u[1]));
  outputs.push_back(d(d(T, u[1]), u[1]));
  for (int i = 0; i < 2; ++i) {
    Expr h = pool.sub(d(T, q[i]), d(U, q[i]));
    for (int j = 0; j < 2; ++j) h = pool.sub(h, pool.mul(d(d(T, u[i]), q[j]), u[j]));
    outputs.push_back(h);
  }
  if (expanded) {
    for (Expr& e : outputs) e = expand(pool, e);
  }
  const std::vector<Expr> shared = share(pool, outputs);
  const Program plain = compile(pool, outputs), program = compile(pool, shared);
  std::vector<Ptr> trees;
  for (const Expr e : outputs) trees.push_back(make_tree(pool, e));
  const std::vector<Ptr> naive = naive_equations(*make_tree(pool, T_given), *make_tree(pool, U_given));

  Values x{.4, -.7, 1.1, .3, 1.3, .8, .9, 1.2, 9.81};
  Result out{}, reference{};
  double sink = 0;
  auto vary = [&](int k) {
    x[0] = .4 + 1e-4 * k;
    x[1] = -.7 + 2e-4 * k;
  };
  auto consume = [&] { sink += out[0] + out[1] + out[2] + out[3] + out[4]; };
  const double none = median_ns([&](int k) { vary(k), consume(); });
  const double hand = median_ns([&](int k) { vary(k), by_hand(x, out), consume(); });
  const double compiled = median_ns([&](int k) { vary(k), program.evaluate(x, out), consume(); });
  const double unshared = median_ns([&](int k) { vary(k), plain.evaluate(x, out), consume(); });
  auto walk = [&](const std::vector<Ptr>& list) {
    for (std::size_t i = 0; i < list.size(); ++i) out[i] = list[i]->eval(x.data());
  };
  const double walked = median_ns([&](int k) { vary(k), walk(trees), consume(); });
  const double walked_naive = median_ns([&](int k) { vary(k), walk(naive), consume(); }, 100);
  double worst = 0;
  by_hand(x, reference);
  for (int way = 0; way < 3; ++way) {
    way == 0 ? program.evaluate(x, out) : walk(way == 1 ? trees : naive);
    for (std::size_t i = 0; i < out.size(); ++i) worst = std::max(worst, std::abs(out[i] - reference[i]));
  }
  std::printf("%s (loop %.1f ns, not subtracted; largest difference %.1e)%s\n", title, none, worst,
              sink == 0 ? " " : "");
  std::printf("  by hand                        %7.1f ns\n", hand);
  std::printf("  compiled, shared (%2zu instr.)   %7.1f ns   %.2f x by hand\n", program.instruction_count(), compiled,
              compiled / hand);
  std::printf("  compiled, as derived (%2zu)      %7.1f ns\n", plain.instruction_count(), unshared);
  std::printf("  tree walk, same expressions    %7.1f ns   %.1f x compiled\n", walked, walked / compiled);
  std::printf("  tree walk, naive derivatives   %7.1f ns   %.1f x compiled\n", walked_naive, walked_naive / compiled);
}

}  // namespace

int main() {
  const char* angles = "m1/2*l1^2*u1^2 + m2/2*(l1^2*u1^2 + l2^2*u2^2 + 2*l1*l2*u1*u2*cos(q1 - q2))";
  const char* cartesian =
      "m1/2*((l1*cos(q1)*u1)^2 + (l1*sin(q1)*u1)^2)"
      " + m2/2*((l1*cos(q1)*u1 + l2*cos(q2)*u2)^2 + (l1*sin(q1)*u1 + l2*sin(q2)*u2)^2)";
  const char* U = "-m1*g*l1*cos(q1) - m2*g*(l1*cos(q1) + l2*cos(q2))";
  bench("T in angles", angles, U, false);
  bench("T in angles, expanded", angles, U, true);
  bench("T in Cartesian velocities", cartesian, U, false);
  bench("T in Cartesian velocities, expanded", cartesian, U, true);
  return 0;
}
