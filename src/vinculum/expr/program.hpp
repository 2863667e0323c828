// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Expressions as a straight list of instructions on registers.
//
// The value of a node is defined so that everyone who evaluates it gets the same bits:
//   sum       c0 first if it is not 0, then the terms in their order, added from left to right; a term is w·value, or
//             ±value if w = ±1
//   product   the factors with positive powers multiplied from left to right, divided by the product of those with
//             negative powers (1 in the numerator if there are none). x² and x³ are two and three factors x; higher
//             powers are integer_power first
//   function  apply
// The program does exactly this, each shared node once. It may exchange the operands of + and ·, which changes no bit;
// it never contracts a·b + c into one rounding.
#pragma once

#include "vinculum/expr/pool.hpp"

namespace vinculum::expr {

/// What an instruction does with its operands a, b, c, ...; the result is d. A dot has two groups of two or three
/// factors: dot_23 is a b + c d e, dot_23_minus is a b − c d e, minus_dot_23 is −a b − c d e.
enum class Code : std::uint32_t {
  halt,
  add,       // a + b
  sub,       // a − b
  neg,       // −a
  mul,       // a b
  mul3,      // a b c
  mul4,      // a b c d
  add_mul,   // a + b c
  add_mul3,  // a + b c d
  sub_mul,   // a − b c
  sub_mul3,  // a − b c d
  mul_sub,   // b c − a
  mul3_sub,  // b c d − a
  dot_22,
  dot_23,
  dot_32,
  dot_33,
  dot_22_minus,
  dot_23_minus,
  dot_32_minus,
  dot_33_minus,
  minus_dot_22,
  minus_dot_23,
  minus_dot_32,
  minus_dot_33,
  div,            // a / b
  inverse,        // 1 / a
  square,         // a a
  power,          // a^n; the second operand is n itself
  sincos,         // two results, sin a and cos a: the second operand says where the cosine goes
  first_function  // + Op: f(a, b, c)
};

/// Immutable; evaluate may run on several threads at once.
class Program {
 public:
  /// Values are looked up by symbol index (Pool::symbol_index); at least this many are read.
  std::size_t input_count() const { return inputs_; }
  std::size_t output_count() const { return outputs_.size(); }
  std::size_t scratch_size() const { return registers_; }
  std::size_t instruction_count() const { return instruction_count_; }

  /// Never allocates. The scratch is on the stack, which wants scratch_size() ≤ stack_scratch.
  void evaluate(std::span<const double> values, std::span<double> out) const;
  /// The same with scratch_size() doubles of the caller; what they hold does not matter.
  void evaluate(std::span<const double> values, std::span<double> out, std::span<double> scratch) const;

  static constexpr std::size_t stack_scratch = 4096;

 private:
  friend class Compiler;
  void run(const double* values, double* out, double* r) const;

  // Registers: constants, then inputs, then results.
  std::vector<double> constants_;
  std::size_t inputs_ = 0;
  std::size_t registers_ = 0;
  std::size_t instruction_count_ = 0;
  std::vector<std::uint32_t> code_;  // per instruction: Code, result, operands; halt at the end
  std::vector<std::uint32_t> outputs_;
};

/// As the nodes say. Call share (rewrite.hpp) on the outputs first for fewer operations.
Program compile(const Pool& pool, std::span<const Expr> outputs);

}  // namespace vinculum::expr
