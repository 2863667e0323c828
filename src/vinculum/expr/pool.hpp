// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Expressions as nodes of a pool. Equal expressions are one node, so that common parts are shared by construction and
// equality is equality of handles. Nodes never change and never move.
//
// A node is in normal form when it is made:
//   sum       c0 + Σ w_i e_i     no e_i is a number or a sum, all differ, w_i ≠ 0      (a scaled expression is a sum)
//   product   Π e_i^{w_i}        integers w_i ≠ 0, no e_i is a number or a product; numeric factors stand in a sum
//   function  f(e_1, ...)        odd and even functions have taken the sign out of their argument
// Terms are in an order that depends on the expression alone (symbols in the order of their declaration), not on how
// it came about. Numbers multiply into sums, 2 (x + y) = 2 x + 2 y; a sum that is a factor has given away its sign and
// its common numeric factor, (2 x + 2 y) z = 2 (x + y) z. Products are not multiplied out (see rewrite.hpp). Where
// numbers are not integers the form depends on the grouping: (0.3 (x + 2 y)) z is not 0.3 ((x + 2 y) z).
//
// What is simplified:  x − x = 0,  0 x = 0,  x + x = 2 x,  x x = x²,  (xᵐ)ⁿ = xᵐⁿ for integers,  numbers.
// What is not, because it would give a number where the text has none:  x / x,  (√x)²,  √(x²),  exp(log x).
// The rules 0 x = 0 and x − x = 0 treat x as a real number, also where x itself has no value.
#pragma once

#include "vinculum/expr/op.hpp"

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace vinculum::expr {

/// A node of a pool; the pool is not part of the handle. The default is the number 0 of every pool.
struct Expr {
  std::uint32_t id = 0;
  friend bool operator==(Expr, Expr) = default;
};

enum class Kind : std::uint8_t { number, symbol, sum, product, function };

/// weight · e in a sum, e^weight in a product, an argument in a function (weight 1).
struct Term {
  double weight = 1;
  Expr e;
};

struct Node {
  Kind kind = Kind::number;
  Op op = Op::sin;   // of a function
  double value = 0;  // number; c0 of a sum; index of a symbol
  std::span<const Term> terms = {};
  std::uint64_t hash = 0;
};

/// True if the text can name a symbol: a letter, then letters, digits, underscores, then primes; not a function, not
/// pi.
bool is_symbol_name(std::string_view name);

class Pool {
 public:
  Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  Expr number(double value);
  /// The symbol of that name, declared now if it is new. Its index counts declarations from 0: where evaluation
  /// looks for its value. InputError if the text is not a name.
  Expr symbol(std::string_view name);

  Expr add(Expr a, Expr b) { return sum(0, {{1, a}, {1, b}}); }
  Expr sub(Expr a, Expr b) { return sum(0, {{1, a}, {-1, b}}); }
  Expr mul(Expr a, Expr b) { return product(1, {{1, a}, {1, b}}); }
  Expr div(Expr a, Expr b) { return product(1, {{1, a}, {-1, b}}); }
  Expr neg(Expr a) { return scale(-1, a); }
  Expr scale(double factor, Expr a) { return sum(0, {{factor, a}}); }
  Expr pow(Expr a, Expr b);
  Expr pow(Expr a, int n) { return product(1, {{static_cast<double>(n), a}}); }
  Expr call(Op op, Expr a) { return call(op, std::span<const Expr>{&a, 1}); }
  Expr call(Op op, std::span<const Expr> arguments);

  /// c0 + Σ w_i e_i and factor · Π e_i^{w_i} in normal form, from any terms; powers are integers.
  Expr sum(double c0, std::vector<Term> terms);
  Expr product(double factor, std::vector<Term> terms);
  /// The same without normal form: nested sums and products stay as they are. This is how an evaluation order is
  /// written down (share in rewrite.hpp).
  Expr raw_sum(double c0, std::span<const Term> terms);
  Expr raw_product(std::span<const Term> terms);
  Expr raw_call(Op op, std::span<const Term> arguments);

  const Node& node(Expr e) const { return nodes_[e.id]; }
  bool is_number(Expr e) const { return node(e).kind == Kind::number; }
  bool is_number(Expr e, double value) const { return is_number(e) && node(e).value == value; }
  std::size_t size() const { return nodes_.size(); }

  std::size_t symbol_count() const { return names_.size(); }
  const std::string& name(std::size_t symbol_index) const { return names_[symbol_index]; }
  Expr symbol(std::size_t index) const { return symbols_[index]; }
  std::size_t symbol_index(Expr e) const { return static_cast<std::size_t>(node(e).value); }

  /// ∂e/∂x, remembered.
  Expr derivative(Expr e, Expr x);

  /// The order of terms: < 0, 0, > 0. It looks at names and numbers, not at the history of the pool.
  int compare(Expr a, Expr b) const;

 private:
  Expr intern(Node node, std::span<const Term> terms);
  Expr differentiate(Expr e, Expr x);
  Expr differentiate_call(Expr e, Expr x);
  std::span<const Term> store(std::span<const Term> terms);
  void grow_table();

  std::deque<Node> nodes_;
  std::vector<std::uint32_t> table_;  // open addressing; 0 is free, otherwise id + 1
  std::vector<std::unique_ptr<Term[]>> blocks_;
  std::size_t block_left_ = 0;
  Term* block_next_ = nullptr;
  std::vector<std::string> names_;
  std::vector<Expr> symbols_;
  std::unordered_map<std::string, std::uint32_t> index_of_;
  std::unordered_map<std::uint64_t, Expr> derivatives_;
};

}  // namespace vinculum::expr
