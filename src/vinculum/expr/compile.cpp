// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// From nodes to instructions: lower every node once, operands first, into virtual registers that are written once; then
// give registers whose value is no longer needed to later results.
#include "vinculum/expr/program.hpp"

#include "vinculum/base/error.hpp"

#include <bit>

namespace vinculum::expr {

namespace {
using Register = std::uint32_t;
constexpr Register none = 0xffffffffu;
constexpr int most_squarings = 64;  // integer_power's limit

struct Instruction {
  Code code;
  Register d;
  std::vector<Register> operands;
};

// ± f1 f2 f3: a term of a sum, its last multiplications not done yet.
struct Piece {
  bool negative = false;
  std::vector<Register> factors;
};
}  // namespace

class Compiler {
 public:
  Compiler(const Pool& pool, std::span<const Expr> outputs) : pool_(pool) {
    for (const Expr e : outputs) count_uses(e);
    for (const Expr e : outputs) results_.push_back(lower(e));
  }

  Program finish();

 private:
  // --- which nodes, how often
  void count_uses(Expr e) {
    if (uses_[e.id]++ > 0) return;
    const Node& node = pool_.node(e);
    if (node.kind == Kind::symbol) inputs_ = std::max(inputs_, pool_.symbol_index(e) + 1);
    if (node.kind == Kind::function && node.op == Op::sin) sines_[node.terms[0].e.id] = e;
    if (node.kind == Kind::function && node.op == Op::cos) cosines_[node.terms[0].e.id] = e;
    for (const Term& term : node.terms) count_uses(term.e);
  }

  // --- virtual registers: constants and inputs are found again, results are numbered as they come
  Register fresh(std::vector<Register>& list) {
    const auto r = static_cast<Register>(count_++);
    list.push_back(r);
    return r;
  }
  Register constant(double value) {
    const auto [entry, is_new] = constant_of_.try_emplace(std::bit_cast<std::uint64_t>(value), none);
    if (is_new) {
      entry->second = fresh(constant_registers_);
      constants_.push_back(value);
    }
    return entry->second;
  }
  Register emit(Code code, std::vector<Register> operands) {
    const auto d = static_cast<Register>(count_++);
    list_.push_back({code, d, std::move(operands)});
    return d;
  }

  Register lower(Expr e) {
    if (const auto known = register_of_.find(e.id); known != register_of_.end()) return known->second;
    const Register r = lower_new(e);
    register_of_[e.id] = r;
    return r;
  }

  Register lower_new(Expr e) {
    const Node& node = pool_.node(e);
    switch (node.kind) {
      case Kind::number:
        return constant(node.value);
      case Kind::symbol:
        input_registers_.push_back({static_cast<Register>(count_), pool_.symbol_index(e)});
        return static_cast<Register>(count_++);
      case Kind::sum:
        return lower_sum(node);
      case Kind::product:
        return lower_product(node);
      case Kind::function:
        return lower_function(node);
    }
    VINCULUM_DEMAND(false);
    return none;
  }

  // --- products
  Register power(Register x, int n) {
    if (n == 1) return x;
    const std::uint64_t key = (std::uint64_t{x} << 32) | static_cast<std::uint32_t>(n);
    if (const auto known = powers_.find(key); known != powers_.end()) return known->second;
    Register r = none;
    if (n > most_squarings) {
      r = emit(Code::power, {x, static_cast<std::uint32_t>(n)});
    } else {
      r = emit(Code::square, {power(x, n / 2)});
      if (n % 2 == 1) r = emit(Code::mul, {r, x});
    }
    powers_[key] = r;
    return r;
  }

  std::vector<Register> factors(const Node& node, bool numerator) {
    std::vector<Register> list;
    for (const Term& term : node.terms) {
      if ((term.weight > 0) != numerator) continue;
      const int n = std::abs(static_cast<int>(term.weight));
      const Register x = lower(term.e);
      list.insert(list.end(), n <= 3 ? n : 1, n <= 3 ? x : power(x, n));
    }
    return list;
  }

  // Multiplies from the left until at most `most` factors are left.
  void multiply(std::vector<Register>& list, std::size_t most) {
    while (list.size() > most) {
      const std::size_t taken = std::min<std::size_t>(4, list.size() - most + 1);
      const auto end = list.begin() + static_cast<std::ptrdiff_t>(taken);
      const Code code = taken == 2 ? Code::mul : taken == 3 ? Code::mul3 : Code::mul4;
      const Register r = emit(code, {list.begin(), end});
      list.erase(list.begin() + 1, end);
      list[0] = r;
    }
  }

  Register lower_product(const Node& node) {
    std::vector<Register> above = factors(node, true), below = factors(node, false);
    multiply(above, 1);
    multiply(below, 1);
    if (below.empty()) return above[0];
    return above.empty() ? emit(Code::inverse, {below[0]}) : emit(Code::div, {above[0], below[0]});
  }

  // --- sums
  Piece piece(const Term& term) {
    const Node& node = pool_.node(term.e);
    if (std::abs(term.weight) != 1) return {false, {lower(term.e), constant(term.weight)}};
    Piece p{term.weight < 0, {}};
    const bool here_only =
        node.kind == Kind::product && uses_[term.e.id] == 1 &&
        std::all_of(node.terms.begin(), node.terms.end(), [](const Term& t) { return t.weight > 0; });
    if (here_only) {
      p.factors = factors(node, true);
      multiply(p.factors, 3);
    } else {
      p.factors = {lower(term.e)};
    }
    return p;
  }

  static std::vector<Register> concatenate(std::vector<Register> a, const std::vector<Register>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }

  Register plus(Register sum, const Piece& p) {
    static constexpr Code added[] = {Code::add, Code::add_mul, Code::add_mul3};
    static constexpr Code subtracted[] = {Code::sub, Code::sub_mul, Code::sub_mul3};
    return emit((p.negative ? subtracted : added)[p.factors.size() - 1], concatenate({sum}, p.factors));
  }

  // The first terms: −a + b = b − a, and two products, or a product and a register, in one instruction.
  Register begin_sum(std::vector<Piece>& pieces, std::size_t& next) {
    if (pieces.size() > 1 && pieces[0].negative && !pieces[1].negative) std::swap(pieces[0], pieces[1]);
    Piece& p = pieces[0];
    next = 2;
    if (pieces.size() > 1) {
      Piece& s = pieces[1];
      const std::size_t m = p.factors.size(), n = s.factors.size();
      if (!p.negative && m == 1) return plus(p.factors[0], s);
      if (!p.negative && n == 1) {
        if (!s.negative) return plus(s.factors[0], p);
        return emit(m == 2 ? Code::mul_sub : Code::mul3_sub, concatenate({s.factors[0]}, p.factors));
      }
      if (m > 1 && n > 1) {
        const Code first = p.negative ? Code::minus_dot_22 : s.negative ? Code::dot_22_minus : Code::dot_22;
        const auto code = static_cast<std::uint32_t>(first) + 2 * (m - 2) + (n - 2);
        return emit(static_cast<Code>(code), concatenate(p.factors, s.factors));
      }
    }
    next = 1;
    multiply(p.factors, 1);
    return p.negative ? emit(Code::neg, {p.factors[0]}) : p.factors[0];
  }

  Register lower_sum(const Node& node) {
    std::vector<Piece> pieces;
    for (const Term& term : node.terms) pieces.push_back(piece(term));
    std::size_t next = 0;
    Register sum = node.value != 0 ? constant(node.value) : begin_sum(pieces, next);
    for (; next < pieces.size(); ++next) sum = plus(sum, pieces[next]);
    return sum;
  }

  // --- functions
  Register lower_function(const Node& node) {
    std::vector<Register> x;
    for (const Term& term : node.terms) x.push_back(lower(term.e));
    const std::uint32_t argument = node.terms[0].e.id;
    if ((node.op == Op::sin || node.op == Op::cos) && sines_.count(argument) && cosines_.count(argument)) {
      const auto cosine = static_cast<Register>(count_++);
      const Register sine = emit(Code::sincos, {x[0], cosine});
      register_of_[sines_[argument].id] = sine;
      register_of_[cosines_[argument].id] = cosine;
      return node.op == Op::sin ? sine : cosine;
    }
    const auto code = static_cast<std::uint32_t>(Code::first_function) + static_cast<std::uint32_t>(node.op);
    return emit(static_cast<Code>(code), std::move(x));
  }

  const Pool& pool_;
  std::unordered_map<std::uint32_t, int> uses_;
  std::unordered_map<std::uint32_t, Expr> sines_, cosines_;  // by argument
  std::unordered_map<std::uint32_t, Register> register_of_;
  std::unordered_map<std::uint64_t, Register> constant_of_, powers_;
  std::vector<double> constants_;
  std::vector<Register> constant_registers_;
  std::vector<std::pair<Register, std::size_t>> input_registers_;
  std::vector<Register> results_;
  std::vector<Instruction> list_;
  std::size_t inputs_ = 0;
  std::size_t count_ = 0;
};

// A register is free after the last instruction that reads it; an instruction reads all operands before it writes.
Program Compiler::finish() {
  Program program;
  program.constants_ = constants_;
  program.inputs_ = inputs_;
  std::vector<Register> place(count_, none);
  for (std::size_t i = 0; i < constants_.size(); ++i) place[constant_registers_[i]] = static_cast<Register>(i);
  for (const auto& [r, index] : input_registers_) place[r] = static_cast<Register>(constants_.size() + index);

  // Operands that are read: not the exponent of a power, not the second result of sincos.
  auto reads = [](const Instruction& i) {
    return i.code == Code::power || i.code == Code::sincos ? std::size_t{1} : i.operands.size();
  };
  constexpr std::size_t never = ~std::size_t{0};
  std::vector<std::size_t> last(count_, 0);
  for (std::size_t k = 0; k < list_.size(); ++k) {
    for (std::size_t j = 0; j < reads(list_[k]); ++j) last[list_[k].operands[j]] = k;
  }
  for (const Register r : results_) last[r] = never;

  const auto first = static_cast<Register>(constants_.size() + inputs_);
  Register used = first;
  std::vector<Register> free;
  auto take = [&](Register r) {
    if (free.empty()) {
      place[r] = used++;
    } else {
      place[r] = free.back();
      free.pop_back();
    }
    return place[r];
  };
  for (std::size_t k = 0; k < list_.size(); ++k) {
    Instruction& i = list_[k];
    for (std::size_t j = 0; j < reads(i); ++j) {
      const Register r = i.operands[j];
      i.operands[j] = place[r];
      if (last[r] != k || place[r] < first) continue;
      last[r] = never;  // an operand may occur twice
      free.push_back(place[r]);
    }
    program.code_.push_back(static_cast<std::uint32_t>(i.code));
    program.code_.push_back(take(i.d));
    if (i.code == Code::sincos) i.operands[1] = take(i.operands[1]);
    program.code_.insert(program.code_.end(), i.operands.begin(), i.operands.end());
  }
  program.code_.push_back(static_cast<std::uint32_t>(Code::halt));
  program.instruction_count_ = list_.size();
  program.registers_ = used;
  for (const Register r : results_) program.outputs_.push_back(place[r]);
  return program;
}

Program compile(const Pool& pool, std::span<const Expr> outputs) { return Compiler(pool, outputs).finish(); }

}  // namespace vinculum::expr
