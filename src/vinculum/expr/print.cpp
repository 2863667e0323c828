// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/expr/print.hpp"

#include <fmt/format.h>
#include <numbers>

namespace vinculum::expr {

namespace {

// How tightly a text holds together. A text is put in parentheses where its place wants a tighter one.
enum Level { level_sum, level_product, level_power, level_atom };

struct Text {
  std::string text;
  Level level;
};

std::string at_least(const Text& t, Level level) { return t.level >= level ? t.text : "(" + t.text + ")"; }

// 1/n for a small n, so that x/3 is printed as it was written; 0 otherwise.
int unit_fraction(double w) {
  const double n = std::round(1 / w);
  return n >= 2 && n <= 1000 && w == 1 / n ? static_cast<int>(n) : 0;
}

class Printer {
 public:
  explicit Printer(const Pool& pool) : pool_(pool) {}

  Text print(Expr e) const {
    const Node& node = pool_.node(e);
    switch (node.kind) {
      case Kind::number:
        return number(node.value);
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
  static Text number(double value) {
    if (value == std::numbers::pi) return {"pi", level_atom};
    return {fmt::format("{}", value), value < 0 ? level_sum : level_atom};
  }

  Text sum(const Node& node) const {
    std::string text;
    if (node.value != 0) text = number(node.value).text;
    Level level = level_sum;
    for (const Term& term : node.terms) {
      const Text body = product(std::abs(term.weight), term.e);
      const bool negative = term.weight < 0;
      if (text.empty()) {
        if (negative) text += "-";
        if (node.terms.size() == 1 && !negative) level = body.level;
      } else {
        text += negative ? " - " : " + ";
      }
      text += at_least(body, level_product);
    }
    return {text, level};
  }

  // w e, w > 0.
  Text product(double w, Expr e) const {
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
      above.insert(above.begin(), number(w).text);
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

  const Pool& pool_;
};

}  // namespace

std::string to_text(const Pool& pool, Expr e) { return Printer(pool).print(e).text; }

}  // namespace vinculum::expr
