// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Recursive descent, one function per rule of the grammar.
#include "vinculum/expr/parse.hpp"

#include "vinculum/base/nearest.hpp"

#include <fmt/core.h>
#include <charconv>
#include <numbers>

namespace vinculum::expr {

namespace {

constexpr int deepest = 200;  // nested parentheses, signs, powers: enough for people, no danger for the stack

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0u) == 0x80; }  // of a UTF-8 character

enum class Sign { end, number, name, other };

struct Token {
  Sign sign = Sign::end;
  std::size_t begin = 0;
  std::string_view text = {};  // for `other` one character
  double value = 0;
};

class Parser {
 public:
  Parser(Pool& pool, std::string_view text, const Names& names) : pool_(pool), text_(text), names_(names) { advance(); }

  Expr whole() {
    const Expr e = sum();
    end("an operator or the end");
    return e;
  }

  std::vector<Expr> whole_list() {
    if (!is("[")) return {whole()};
    advance();
    std::vector<Expr> list;
    if (!is("]")) {
      list.push_back(sum());
      while (accept(",")) list.push_back(sum());
    }
    expect("]", "an operator, ',' or ']'");
    end("the end");
    return list;
  }

 private:
  Expr sum() {
    Expr e = product();
    while (is("+") || is("-")) {
      const Token sign = token_;
      advance();
      const Expr b = product();
      e = checked(sign.text == "+" ? pool_.add(e, b) : pool_.sub(e, b), sign);
    }
    return e;
  }

  // All factors at once: a number in front goes to the product, not into the first sum.
  Expr product() {
    const Token start = token_;
    const Expr first = signed_power();
    if (!is("*") && !is("/")) return first;
    std::vector<Term> factors{{1, first}};
    while (is("*") || is("/")) {
      const bool division = is("/");
      advance();
      const Token factor = token_;
      const Expr e = signed_power();
      if (division && pool_.is_number(e, 0)) fail(factor, "a division by 0", "a divisor that is not 0");
      factors.push_back({division ? -1. : 1., e});
    }
    return checked(pool_.product(1, std::move(factors)), start);
  }

  Expr signed_power() {
    const Depth depth(*this);
    if (accept("+")) return signed_power();
    if (accept("-")) return pool_.neg(signed_power());
    const Expr base = atom();
    const Token sign = token_;
    if (!accept("^")) return base;
    return checked(pool_.pow(base, signed_power()), sign);
  }

  Expr atom() {
    const Token token = token_;
    switch (token.sign) {
      case Sign::number:
        advance();
        return pool_.number(token.value);
      case Sign::name:
        return name();
      case Sign::other:
        if (accept("(")) {
          const Expr e = sum();
          expect(")", "an operator or ')'");
          return e;
        }
        break;
      case Sign::end:
        break;
    }
    fail(token, describe(token), "a number, a name or '('");
  }

  Expr name() {
    const Token token = token_;
    advance();
    if (const auto known = names_.find(token.text); known != names_.end()) return known->second;
    if (token.text == "pi") return pool_.number(std::numbers::pi);
    if (const auto op = find_op(token.text)) return call(*op, token);
    fail(token, describe(token), unknown(token.text, is("(")));
  }

  Expr call(Op op, const Token& token) {
    expect("(", fmt::format("'(' after {}", token.text));
    std::vector<Expr> arguments{sum()};
    while (accept(",")) arguments.push_back(sum());
    expect(")", "an operator, ',' or ')'");
    const auto wanted = static_cast<std::size_t>(info(op).arguments);
    const bool open = op == Op::min || op == Op::max;
    if (open ? arguments.size() < wanted : arguments.size() != wanted)
      fail(token, fmt::format("{} argument{}", arguments.size(), arguments.size() == 1 ? "" : "s"),
           fmt::format("{}{} for {}", wanted, open ? " or more" : "", token.text));
    if (!open) return checked(pool_.call(op, arguments), token);
    Expr e = arguments[0];
    for (std::size_t i = 1; i < arguments.size(); ++i) {
      const Expr pair[] = {e, arguments[i]};
      e = pool_.call(op, pair);
    }
    return e;
  }

  std::string unknown(std::string_view word, bool called) const {
    std::vector<std::string_view> known;
    if (!called) {
      for (const auto& [name, e] : names_) known.push_back(name);
      known.push_back("pi");
    }
    for (const OpInfo& op : op_table()) known.push_back(op.name);
    const std::string guess = base::nearest(word, known);
    const std::string_view kind = called ? "a function" : "a known name";
    return guess.empty() ? std::string(kind) : fmt::format("{}; did you mean {}?", kind, guess);
  }

  // Numbers are folded at once; what has no finite value is refused where it stands.
  Expr checked(Expr e, const Token& at) const {
    const Node& node = pool_.node(e);
    bool finite = std::isfinite(node.value);
    if (node.kind == Kind::sum) {
      for (const Term& term : node.terms) finite = finite && std::isfinite(term.weight);
    }
    if (!finite) fail(at, "a number that is not finite", "a finite value");
    return e;
  }

  bool is(std::string_view text) const { return token_.sign == Sign::other && token_.text == text; }
  bool accept(std::string_view text) {
    if (!is(text)) return false;
    advance();
    return true;
  }
  void expect(std::string_view text, std::string expected) {
    if (!accept(text)) fail(token_, describe(token_), std::move(expected));
  }
  void end(std::string expected) const {
    if (token_.sign != Sign::end) fail(token_, describe(token_), std::move(expected));
  }

  static std::string describe(const Token& token) {
    if (token.sign == Sign::end) return "the end";
    const bool control = token.text.size() == 1 && static_cast<unsigned char>(token.text[0]) < 0x20;
    if (control) return "a control character";
    return token.sign == Sign::other ? fmt::format("'{}'", token.text) : std::string(token.text);
  }

  [[noreturn]] void fail(const Token& at, std::string found, std::string expected) const {
    throw ParseError(text_, at.begin, std::move(found), std::move(expected));
  }

  void advance() {
    while (next_ < text_.size() && is_space(text_[next_])) ++next_;
    token_ = {.begin = next_};
    if (next_ == text_.size()) return;
    const char c = text_[next_];
    std::size_t end = next_ + 1;
    if (is_letter(c)) {
      token_.sign = Sign::name;
      while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]) || text_[end] == '_')) ++end;
      while (end < text_.size() && text_[end] == '\'') ++end;
    } else if (is_digit(c) || (c == '.' && end < text_.size() && is_digit(text_[end]))) {
      token_.sign = Sign::number;
      const auto [stop, error] = std::from_chars(&text_[next_], text_.data() + text_.size(), token_.value);
      end = static_cast<std::size_t>(stop - text_.data());
      token_.text = text_.substr(next_, end - next_);
      if (error != std::errc{}) fail(token_, std::string(token_.text), "a number between 1e-307 and 1e308");
    } else {
      token_.sign = Sign::other;
      while (end < text_.size() && is_continuation(text_[end])) ++end;
    }
    token_.text = text_.substr(next_, end - next_);
    next_ = end;
  }

  struct Depth {
    explicit Depth(Parser& p) : parser(p) {
      if (++parser.depth_ > deepest)
        parser.fail(parser.token_, fmt::format("more than {} levels", deepest), "a flatter expression");
    }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
    ~Depth() { --parser.depth_; }
    Parser& parser;
  };

  Pool& pool_;
  std::string_view text_;
  const Names& names_;
  Token token_;
  std::size_t next_ = 0;
  int depth_ = 0;
};

Names all_symbols(const Pool& pool) {
  Names names;
  for (std::size_t i = 0; i < pool.symbol_count(); ++i) names.emplace(pool.name(i), pool.symbol(i));
  return names;
}

std::string position(std::string_view text, std::size_t offset) {
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
  const std::size_t start = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
  long column = 1;
  for (std::size_t i = start; i < offset; ++i) column += is_continuation(text[i]) ? 0 : 1;
  return text.find('\n') == std::string_view::npos ? fmt::format("column {}", column)
                                                   : fmt::format("line {}, column {}", line, column);
}

}  // namespace

ParseError::ParseError(std::string_view text, std::size_t offset, std::string found, std::string expected)
    : base::InputError(fmt::format("{}: found {}, expected {}", position(text, offset), found, expected)),
      line_(1),
      column_(1),
      found_(std::move(found)),
      expected_(std::move(expected)) {
  std::size_t start = 0;
  for (std::size_t i = 0; i < offset; ++i) {
    if (!is_continuation(text[i])) ++column_;
    if (text[i] != '\n') continue;
    ++line_;
    column_ = 1;
    start = i + 1;
  }
  text_line_ = text.substr(start, text.find('\n', start) - start);
  std::replace_if(
      text_line_.begin(), text_line_.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
}

std::string ParseError::picture(int indent) const {
  return fmt::format("{0:{1}}{2}\n{0:{1}}{0:{3}}^", "", indent, text_line_, column_ - 1);
}

Expr parse(Pool& pool, std::string_view text, const Names& names) { return Parser(pool, text, names).whole(); }
Expr parse(Pool& pool, std::string_view text) { return parse(pool, text, all_symbols(pool)); }

std::vector<Expr> parse_list(Pool& pool, std::string_view text, const Names& names) {
  return Parser(pool, text, names).whole_list();
}
std::vector<Expr> parse_list(Pool& pool, std::string_view text) { return parse_list(pool, text, all_symbols(pool)); }

}  // namespace vinculum::expr
