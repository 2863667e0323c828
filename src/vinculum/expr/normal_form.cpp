// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The normal form of sums, products and function calls (pool.hpp says which).
#include "vinculum/expr/pool.hpp"

#include <numeric>

namespace vinculum::expr {

namespace {

constexpr double largest_power = 1 << 20;  // integer exponents beyond it are left to std::pow

bool is_integer(double x) { return std::abs(x) <= largest_power && x == std::floor(x); }

double power_of(double x, double n) {
  const double p = integer_power(x, std::abs(static_cast<int>(n)));
  return n > 0 ? p : 1 / p;
}

// Σ w_i e_i with numbers and sums dissolved; returns what they add to the constant.
double dissolve(const Pool& pool, double weight, Expr e, std::vector<Term>& terms) {
  const Node& node = pool.node(e);
  if (node.kind == Kind::number) return weight * node.value;
  if (node.kind != Kind::sum) {
    terms.push_back({weight, e});
    return 0;
  }
  double c0 = node.value == 0 ? 0 : weight * node.value;
  for (const Term& term : node.terms) c0 += dissolve(pool, weight * term.weight, term.e, terms);
  return c0;
}

// The signed number that a sum gives away when it becomes a factor: g with (sum / g) exact, first weight positive.
double content(const Node& sum) {
  const double first = sum.terms[0].weight;
  bool equal = sum.value == 0 || std::abs(sum.value) == std::abs(first);
  bool integers = is_integer(sum.value);
  for (const Term& term : sum.terms) {
    equal = equal && std::abs(term.weight) == std::abs(first);
    integers = integers && is_integer(term.weight);
  }
  if (equal) return first;
  double g = 1;
  if (integers) {
    long divisor = static_cast<long>(sum.value);
    for (const Term& term : sum.terms) divisor = std::gcd(divisor, static_cast<long>(term.weight));
    g = static_cast<double>(divisor);
  }
  return first < 0 ? -g : g;
}

Expr divide_sum(Pool& pool, const Node& sum, double g) {
  std::vector<Term> terms(sum.terms.begin(), sum.terms.end());
  for (Term& term : terms) term.weight /= g;
  return pool.sum(sum.value / g, std::move(terms));
}

// e^n as factors; returns the numeric factor.
double factorise(Pool& pool, Expr e, double n, std::vector<Term>& factors) {
  const Node& node = pool.node(e);
  switch (node.kind) {
    case Kind::number:
      return power_of(node.value, n);
    case Kind::product: {
      double factor = 1;
      for (const Term& term : node.terms) factor *= factorise(pool, term.e, n * term.weight, factors);
      return factor;
    }
    case Kind::sum: {
      const double g = content(node);
      if (node.terms.size() == 1 && node.value == 0)
        return power_of(g, n) * factorise(pool, node.terms[0].e, n, factors);
      factors.push_back({n, g == 1 ? e : divide_sum(pool, node, g)});
      return g == 1 ? 1 : power_of(g, n);
    }
    case Kind::symbol:
    case Kind::function:
      break;
  }
  factors.push_back({n, e});
  return 1;
}

bool is_negative(const Node& node) {
  return node.kind == Kind::number ? node.value < 0 : node.kind == Kind::sum && node.terms[0].weight < 0;
}

}  // namespace

Expr Pool::sum(double c0, std::vector<Term> given) {
  std::vector<Term> terms;
  terms.reserve(given.size());
  for (const Term& term : given) {
    if (term.weight != 0) c0 += dissolve(*this, term.weight, term.e, terms);
  }
  std::sort(terms.begin(), terms.end(), [&](const Term& a, const Term& b) { return compare(a.e, b.e) < 0; });
  std::size_t count = 0;
  for (std::size_t i = 0; i < terms.size();) {
    Term merged = terms[i++];
    while (i < terms.size() && terms[i].e == merged.e) merged.weight += terms[i++].weight;
    if (merged.weight != 0) terms[count++] = merged;
  }
  terms.resize(count);
  if (terms.empty()) return number(c0);
  if (c0 == 0 && count == 1 && terms[0].weight == 1) return terms[0].e;
  return raw_sum(c0, terms);
}

// Powers of one base are joined when their signs agree: x x² = x³, but x · x⁻¹ has no value at 0 and stays.
Expr Pool::product(double factor, std::vector<Term> given) {
  std::vector<Term> factors;
  factors.reserve(given.size());
  for (const Term& term : given) {
    if (term.weight != 0) factor *= factorise(*this, term.e, term.weight, factors);
  }
  if (factor == 0) return number(0);
  std::sort(factors.begin(), factors.end(), [&](const Term& a, const Term& b) {
    if ((a.weight > 0) != (b.weight > 0)) return a.weight > 0;
    return compare(a.e, b.e) < 0;
  });
  std::size_t count = 0;
  for (const Term& term : factors) {
    Term* const last = count > 0 ? &factors[count - 1] : nullptr;
    if (last && last->e == term.e && (last->weight > 0) == (term.weight > 0)) {
      last->weight += term.weight;
    } else {
      factors[count++] = term;
    }
  }
  factors.resize(count);
  if (factors.empty()) return number(factor);
  const Expr e = count == 1 && factors[0].weight == 1 ? factors[0].e : raw_product(factors);
  return factor == 1 ? e : scale(factor, e);
}

Expr Pool::pow(Expr a, Expr b) {
  const Node &base = node(a), &exponent = node(b);
  if (exponent.kind == Kind::number) {
    const double n = exponent.value;
    if (base.kind == Kind::number) return number(std::pow(base.value, n));
    if (n == 0) return number(1);
    if (is_integer(n)) return product(1, {{n, a}});
    if (n == .5) return call(Op::sqrt, a);
    if (n == -.5) return product(1, {{-1, call(Op::sqrt, a)}});
  }
  if (base.kind == Kind::number && base.value == 1) return a;
  const Term terms[] = {{1, a}, {1, b}};
  return intern({.kind = Kind::function, .op = Op::pow}, terms);
}

Expr Pool::call(Op op, std::span<const Expr> x) {
  const OpInfo& about = info(op);
  if (op == Op::pow) return pow(x[0], x[1]);
  if ((op == Op::min || op == Op::max) && x[0] == x[1]) return x[0];
  if (op == Op::select && x[1] == x[2]) return x[1];
  if (op == Op::select && is_number(x[0])) return node(x[0]).value >= 0 ? x[1] : x[2];
  bool numbers = true;
  Term terms[3];
  for (int i = 0; i < about.arguments; ++i) {
    terms[i].e = x[i];
    numbers = numbers && is_number(x[i]);
  }
  if (numbers) {
    auto value = [&](int i) { return i < about.arguments ? node(x[i]).value : 0.; };
    return number(apply(op, value(0), value(1), value(2)));
  }
  const bool flipped = about.parity != Parity::none && is_negative(node(x[0]));
  if (flipped) terms[0].e = neg(x[0]);
  if (op == Op::abs && node(terms[0].e).kind == Kind::function && node(terms[0].e).op == Op::abs) return terms[0].e;
  const Expr e = intern({.kind = Kind::function, .op = op},
                        std::span<const Term>(terms, static_cast<std::size_t>(about.arguments)));
  return flipped && about.parity == Parity::odd ? neg(e) : e;
}

}  // namespace vinculum::expr
