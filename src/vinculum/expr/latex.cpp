// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/expr/print.hpp"

#include "vinculum/expr/printer.hpp"

#include <fmt/format.h>
#include <array>
#include <numbers>

namespace vinculum::expr {

namespace {

constexpr std::array<std::string_view, 30> greek{
    "alpha", "beta",  "gamma", "delta",  "zeta",  "eta",   "theta",   "iota", "kappa", "lambda",
    "mu",    "nu",    "xi",    "rho",    "sigma", "tau",   "upsilon", "chi",  "psi",   "omega",
    "Gamma", "Delta", "Theta", "Lambda", "Xi",    "Sigma", "Upsilon", "Phi",  "Psi",   "Omega"};

std::string letters(std::string_view word) {
  if (word == "phi" || word == "epsilon") return fmt::format("\\var{}", word);
  if (word.size() == 1) return std::string(word);
  if (std::find(greek.begin(), greek.end(), word) != greek.end()) return fmt::format("\\{}", word);
  return fmt::format("\\mathrm{{{}}}", word);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool all_digits(std::string_view text) { return std::all_of(text.begin(), text.end(), is_digit); }

class Typesetter final : public SumPrinter {
 public:
  using SumPrinter::SumPrinter;

  Text print(Expr e) const {
    const Node& node = pool_.node(e);
    switch (node.kind) {
      case Kind::number:
        return {number(node.value), node.value < 0 ? level_sum : level_atom};
      case Kind::symbol:
        return {latex_name(pool_.name(pool_.symbol_index(e))), level_atom};
      case Kind::sum:
        return sum(node);
      case Kind::product:
        return product(1, e);
      case Kind::function:
        return function(node, 1);
    }
    return {};
  }

 private:
  std::string number(double value) const override {
    if (value == std::numbers::pi) return "\\pi";
    std::string text = fmt::format("{}", value);
    const std::size_t e = text.find('e');
    if (e == std::string::npos) return text;
    const int exponent = std::atoi(text.c_str() + e + 1);
    text.resize(e);
    return fmt::format("{} \\cdot 10^{{{}}}", text, exponent);
  }

  std::string in_parentheses(const std::string& text) const override { return fmt::format("\\left({}\\right)", text); }

  // w = 1/n goes under the bar.
  Text product(double w, Expr e) const override {
    const Node& node = pool_.node(e);
    if (node.kind != Kind::product && w == 1) return print(e);
    const Term alone{1, e};
    const std::span<const Term> terms = node.kind == Kind::product ? node.terms : std::span<const Term>(&alone, 1);
    std::vector<std::string> above, below;
    if (const int n = unit_fraction(w); n != 0) {
      below.push_back(number(n));
    } else if (w != 1) {
      above.push_back(number(w));
    }
    std::vector<Term> numerator, denominator;
    for (const Term& term : terms) {
      (term.weight > 0 ? numerator : denominator).push_back({std::abs(term.weight), term.e});
    }
    const bool fraction = !denominator.empty() || !below.empty();
    write(numerator, above, fraction);
    write(denominator, below, true);
    if (above.empty()) above.push_back("1");
    const std::string top = fmt::format("{}", fmt::join(above, " "));
    if (fraction) return {fmt::format("\\frac{{{}}}{{{}}}", top, fmt::join(below, " ")), level_product};
    return {top, level_product};
  }

  // A sum that stands alone above or below a bar needs no parentheses.
  void write(std::span<const Term> terms, std::vector<std::string>& list, bool under_bar) const {
    const bool alone = under_bar && list.empty() && terms.size() == 1;
    for (const Term& term : terms) list.push_back(power(term, alone));
  }

  std::string power(const Term& term, bool alone) const {
    const int n = static_cast<int>(term.weight);
    const Node& node = pool_.node(term.e);
    if (node.kind == Kind::function) return at_least(function(node, n), level_power);
    const Text base = print(term.e);
    if (n == 1) return alone ? base.text : at_least(base, level_power);
    return fmt::format("{}^{{{}}}", at_least(base, level_atom), n);
  }

  Text function(const Node& node, int n) const {
    const Text a = print(node.terms[0].e);
    const std::string exponent = n == 1 ? "" : fmt::format("^{{{}}}", n);
    auto second = [&] { return print(node.terms[1].e).text; };
    auto raised = [&](std::string text) { return Text{text + exponent, n == 1 ? level_atom : level_power}; };
    switch (node.op) {
      case Op::sqrt:
        return raised(fmt::format("\\sqrt{{{}}}", a.text));
      case Op::abs:
        return raised(fmt::format("\\left|{}\\right|", a.text));
      case Op::exp:
        return {n == 1 ? fmt::format("e^{{{}}}", a.text) : fmt::format("\\left(e^{{{}}}\\right)^{{{}}}", a.text, n),
                level_power};
      case Op::pow: {
        const std::string text = fmt::format("{}^{{{}}}", at_least(a, level_atom), second());
        return {n == 1 ? text : fmt::format("\\left({}\\right){}", text, exponent), level_power};
      }
      case Op::select:
        return raised(fmt::format("\\begin{{cases}} {} & {} \\ge 0 \\\\ {} & {} < 0 \\end{{cases}}", second(), a.text,
                                  print(node.terms[2].e).text, a.text));
      default:
        break;
    }
    std::string arguments = a.text;
    for (const Term& term : node.terms.subspan(1)) arguments += ", " + print(term.e).text;
    return {fmt::format("{}{}\\left({}\\right)", info(node.op).latex, exponent, arguments),
            n == 1 ? level_atom : level_power};
  }
};

}  // namespace

std::string latex_name(std::string_view name) {
  std::size_t end = name.size();
  while (end > 0 && name[end - 1] == '\'') --end;
  const std::size_t primes = name.size() - end;
  name = name.substr(0, end);
  const std::size_t bar = name.find('_');
  std::string_view stem = name.substr(0, bar);
  std::string_view index = bar == std::string_view::npos ? "" : name.substr(bar + 1);
  if (index.empty()) {
    std::size_t digits = stem.size();
    while (digits > 1 && is_digit(stem[digits - 1])) --digits;
    index = stem.substr(digits);
    stem = stem.substr(0, digits);
  }
  constexpr std::array<std::string_view, 5> dots{"", "dot", "ddot", "dddot", "ddddot"};
  std::string text = letters(stem);
  if (primes > 0) text = fmt::format("\\{}{{{}}}", dots[std::min(primes, dots.size() - 1)], text);
  if (index.empty()) return text;
  std::string lower;
  for (const char c : index) {
    if (c == '_') lower += '\\';
    lower += c;
  }
  return fmt::format("{}_{{{}}}", text,
                     all_digits(index) || index.size() == 1 ? lower : fmt::format("\\mathrm{{{}}}", lower));
}

std::string to_latex(const Pool& pool, Expr e) { return Typesetter(pool).print(e).text; }

}  // namespace vinculum::expr
