// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What text and LaTeX have in common: how tightly a text holds together, and how a sum is written.
#pragma once

#include "vinculum/expr/pool.hpp"

#include <cmath>
#include <string>

namespace vinculum::expr {

/// A text is put in parentheses where its place wants a tighter one.
enum Level { level_sum, level_product, level_power, level_atom };

struct Text {
  std::string text;
  Level level = level_atom;
};

class SumPrinter {
 public:
  explicit SumPrinter(const Pool& pool) : pool_(pool) {}
  virtual ~SumPrinter() = default;

 protected:
  virtual std::string number(double value) const = 0;
  virtual Text product(double w, Expr e) const = 0;  // w e, w > 0
  virtual std::string in_parentheses(const std::string& text) const = 0;

  std::string at_least(const Text& t, Level level) const { return t.level >= level ? t.text : in_parentheses(t.text); }

  Text sum(const Node& node) const {
    std::string text;
    if (node.value != 0) text = number(node.value);
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

  const Pool& pool_;
};

/// n if w = 1/n for a small n > 1, so that x/3 is printed as it was written; 0 otherwise.
inline int unit_fraction(double w) {
  const double n = std::round(1 / w);
  return n >= 2 && n <= 1000 && w == 1 / n ? static_cast<int>(n) : 0;
}

}  // namespace vinculum::expr
