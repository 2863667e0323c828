// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Text to expression.
//   sum     = product { ("+" | "-") product }
//   product = signed { ("*" | "/") signed }
//   signed  = ("-" | "+") signed | power                          −x² is −(x²)
//   power   = atom [ "^" signed ]                                 right associative, 2^-x is allowed
//   atom    = number | name | function "(" sum { "," sum } ")" | "(" sum ")"
//   list    = "[" [ sum { "," sum } ] "]"
// A name is a letter, then letters, digits and underscores, then primes (phi' for a velocity). `pi` is known.
#pragma once

#include "vinculum/base/error.hpp"
#include "vinculum/expr/pool.hpp"

#include <map>

namespace vinculum::expr {

/// What names in a text stand for: symbols, or whole expressions defined earlier.
using Names = std::map<std::string, Expr, std::less<>>;

/// Wrong text. what() is one line, `column 7: found X, expected Y` (with `line 2, ` in front if the text has several
/// lines); a reader that knows where the text stands makes its own line from the parts.
class ParseError : public base::InputError {
 public:
  ParseError(std::string_view text, std::size_t offset, std::string found, std::string expected);

  int line() const { return line_; }      // from 1
  int column() const { return column_; }  // from 1, in characters
  const std::string& found() const { return found_; }
  const std::string& expected() const { return expected_; }
  /// The line of the text and below it a caret under the column; two lines, each indented by `indent` blanks.
  std::string picture(int indent = 2) const;

 private:
  int line_, column_;
  std::string found_, expected_, text_line_;
};

/// The expression; names are all symbols of the pool.
Expr parse(Pool& pool, std::string_view text);
Expr parse(Pool& pool, std::string_view text, const Names& names);

/// `[e1, e2, e3]`; text without brackets is a list of one.
std::vector<Expr> parse_list(Pool& pool, std::string_view text);
std::vector<Expr> parse_list(Pool& pool, std::string_view text, const Names& names);

}  // namespace vinculum::expr
