// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/expr/print.hpp"

#include "vinculum/expr/printer.hpp"

#include <fmt/format.h>
#include <numbers>

namespace vinculum::expr {

namespace {

class Printer final : public SumPrinter {
 public:
  using SumPrinter::SumPrinter;

  Text print(Expr e) const {
    const Node& node = pool_.node(e);
    switch (node.kind) {
      case Kind::number:
        return {number(node.value), node.value < 0 ? level_sum : level_atom};
      case Kind::symbol:
        return {pool_.name(pool_.symbol_index(e)), level_atom};
      case Kind::sum:
        return sum(node);
      case Kind::product:
        return product(1, e);
      case Kind::function:
        return function(node);
    }
    return {};
  }

 private:
  std::string number(double value) const override {
    return value == std::numbers::pi ? "pi" : fmt::format("{}", value);
  }
  std::string in_parentheses(const std::string& text) const override { return "(" + text + ")"; }

  Text product(double w, Expr e) const override {
    const Node& node = pool_.node(e);
    const Term alone{1, e};
    const bool is_product = node.kind == Kind::product;
    const std::span<const Term> terms = is_product ? node.terms : std::span<const Term>(&alone, 1);
    if (!is_product && w == 1) return print(e);
    std::vector<std::string> above, below;
    const bool lonely = terms.size() == 1 && w == 1 && terms[0].weight > 0;
    for (const Term& term : terms) (term.weight > 0 ? above : below).push_back(power(term));
    if (lonely) return {above[0], level_power};
    if (const int n = unit_fraction(w); n != 0 && below.empty()) {
      below.push_back(fmt::format("{}", n));
    } else if (w != 1) {
      above.insert(above.begin(), number(w));
    }
    if (above.empty()) above.push_back("1");
    std::string text = fmt::format("{}", fmt::join(above, "*"));
    if (below.size() == 1) text += "/" + below[0];
    if (below.size() > 1) text += fmt::format("/({})", fmt::join(below, "*"));
    return {text, level_product};
  }

  std::string power(const Term& term) const {
    const Text base = print(term.e);
    const int n = std::abs(static_cast<int>(term.weight));
    return n == 1 ? at_least(base, level_power) : fmt::format("{}^{}", at_least(base, level_atom), n);
  }

  Text function(const Node& node) const {
    if (node.op == Op::pow) {
      return {at_least(print(node.terms[0].e), level_atom) + "^" + at_least(print(node.terms[1].e), level_power),
              level_power};
    }
    return {fmt::format("{}({})", info(node.op).name, arguments(node)), level_atom};
  }

  // min(min(a, b), c) is what min(a, b, c) means.
  std::string arguments(const Node& node) const {
    const Node& first = pool_.node(node.terms[0].e);
    const bool nested =
        (node.op == Op::min || node.op == Op::max) && first.kind == Kind::function && first.op == node.op;
    std::string text = nested ? arguments(first) : print(node.terms[0].e).text;
    for (const Term& term : node.terms.subspan(1)) text += ", " + print(term.e).text;
    return text;
  }
};

}  // namespace

std::string to_text(const Pool& pool, Expr e) { return Printer(pool).print(e).text; }

}  // namespace vinculum::expr
