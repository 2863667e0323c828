// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
//   (c0 + Σ w e)' = Σ w e'              (Π e_i^{n_i})' = Σ_i n_i e_i^{n_i − 1} e_i' Π_{j≠i} e_j^{n_j}
//   sin' = cos       asin' = 1/√(1 − x²)     sinh' = cosh          exp' = exp       |x|' = sign x
//   cos' = −sin      acos' = −1/√(1 − x²)    cosh' = sinh          log' = 1/x       sign' = 0
//   tan' = 1 + tan²  atan' = 1/(1 + x²)      tanh' = 1 − tanh²     √' = 1/(2√x)
//   atan2(y, x)' = (x y' − y x')/(x² + y²)          hypot(x, y)' = (x x' + y y')/hypot(x, y)
//   (aᵇ)' = b aᵇ⁻¹ a' + aᵇ log(a) b'                 the second part only if b depends on the symbol
//   min(a, b)' = a' if b − a ≥ 0, b' otherwise       max(a, b)' = a' if a − b ≥ 0, b' otherwise
//   select(c, a, b)' = select(c, a', b')
// At a kink (abs, min, max) this is one of the one-sided derivatives, or 0 for abs: an element of Clarke's gradient.
#include "vinculum/expr/derivative.hpp"

#include "vinculum/base/error.hpp"

namespace vinculum::expr {

Expr Pool::derivative(Expr e, Expr x) {
  VINCULUM_DEMAND(node(x).kind == Kind::symbol);
  switch (node(e).kind) {
    case Kind::number:
      return {};
    case Kind::symbol:
      return number(e == x ? 1 : 0);
    default:
      break;
  }
  const std::uint64_t key = (std::uint64_t{e.id} << 32) | x.id;
  if (const auto found = derivatives_.find(key); found != derivatives_.end()) return found->second;
  const Expr d = differentiate(e, x);
  derivatives_.emplace(key, d);
  return d;
}

Expr Pool::differentiate(Expr e, Expr x) {
  const Node& n = node(e);
  if (n.kind == Kind::function) return differentiate_call(e, x);
  std::vector<Term> parts;
  for (std::size_t i = 0; i < n.terms.size(); ++i) {
    const Term& term = n.terms[i];
    const Expr d = derivative(term.e, x);
    if (is_number(d, 0)) continue;
    if (n.kind == Kind::sum) {
      parts.push_back({term.weight, d});
      continue;
    }
    std::vector<Term> factors(n.terms.begin(), n.terms.end());
    factors[i].weight -= 1;
    factors.push_back({1, d});
    parts.push_back({1, product(term.weight, std::move(factors))});
  }
  return sum(0, std::move(parts));
}

Expr Pool::differentiate_call(Expr self, Expr x) {
  const Node& n = node(self);
  Expr arg[3], d[3];
  bool constant = true;
  for (std::size_t i = 0; i < n.terms.size(); ++i) {
    arg[i] = n.terms[i].e;
    d[i] = derivative(arg[i], x);
    constant = constant && is_number(d[i], 0);
  }
  if (constant) return {};
  const Expr a = arg[0], b = arg[1];
  auto one_plus = [&](double w, Expr e) { return sum(1, {{w, pow(e, 2)}}); };  // 1 + w e²
  auto chosen = [&](Expr c, Expr p, Expr q) {
    const Expr args[] = {c, p, q};
    return call(Op::select, args);
  };
  switch (n.op) {
    case Op::sin:
      return mul(call(Op::cos, a), d[0]);
    case Op::cos:
      return product(-1, {{1, call(Op::sin, a)}, {1, d[0]}});
    case Op::tan:
      return mul(one_plus(1, self), d[0]);
    case Op::asin:
      return div(d[0], call(Op::sqrt, one_plus(-1, a)));
    case Op::acos:
      return product(-1, {{1, d[0]}, {-1, call(Op::sqrt, one_plus(-1, a))}});
    case Op::atan:
      return div(d[0], one_plus(1, a));
    case Op::sinh:
      return mul(call(Op::cosh, a), d[0]);
    case Op::cosh:
      return mul(call(Op::sinh, a), d[0]);
    case Op::tanh:
      return mul(one_plus(-1, self), d[0]);
    case Op::exp:
      return mul(self, d[0]);
    case Op::log:
      return div(d[0], a);
    case Op::sqrt:
      return product(.5, {{1, d[0]}, {-1, self}});
    case Op::abs:
      return mul(call(Op::sign, a), d[0]);
    case Op::sign:
      return {};
    case Op::atan2:
      return div(sub(mul(b, d[0]), mul(a, d[1])), add(pow(a, 2), pow(b, 2)));
    case Op::hypot:
      return div(add(mul(a, d[0]), mul(b, d[1])), self);
    case Op::pow: {
      const Expr by_base = product(1, {{1, b}, {1, pow(a, sum(-1, {{1, b}}))}, {1, d[0]}});
      if (is_number(d[1], 0)) return by_base;
      return add(by_base, product(1, {{1, self}, {1, call(Op::log, a)}, {1, d[1]}}));
    }
    case Op::min:
      return chosen(sub(b, a), d[0], d[1]);
    case Op::max:
      return chosen(sub(a, b), d[0], d[1]);
    case Op::select:
      return chosen(a, d[1], d[2]);
  }
  VINCULUM_DEMAND(false);
  return {};
}

std::vector<Expr> gradient(Pool& pool, Expr e, std::span<const Expr> x) {
  std::vector<Expr> result;
  for (const Expr symbol : x) result.push_back(pool.derivative(e, symbol));
  return result;
}

Expr time_derivative(Pool& pool, Expr e, Expr t, std::span<const Expr> q, std::span<const Expr> u,
                     std::span<const Expr> udot) {
  VINCULUM_DEMAND(q.size() == u.size() && (udot.empty() || udot.size() == u.size()));
  std::vector<Term> parts{{1, pool.derivative(e, t)}};
  for (std::size_t i = 0; i < q.size(); ++i) parts.push_back({1, pool.mul(pool.derivative(e, q[i]), u[i])});
  for (std::size_t i = 0; i < udot.size(); ++i) parts.push_back({1, pool.mul(pool.derivative(e, u[i]), udot[i])});
  return pool.sum(0, std::move(parts));
}

}  // namespace vinculum::expr
