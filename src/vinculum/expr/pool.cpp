// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Storage: one node per expression (hash consing), terms in blocks that never move, the order of terms.
#include "vinculum/expr/pool.hpp"

#include "vinculum/base/error.hpp"

#include <fmt/core.h>
#include <bit>

namespace vinculum::expr {

namespace {

constexpr std::size_t block_size = 4096;  // terms

// splitmix64's finaliser: every bit of the input reaches every bit of the result.
std::uint64_t mix(std::uint64_t seed, std::uint64_t x) {
  x += seed * 0x9e3779b97f4a7c15u + 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace

bool is_symbol_name(std::string_view name) {
  if (name.empty() || !is_letter(name[0]) || name == "pi" || find_op(name)) return false;
  std::size_t i = 1;
  while (i < name.size() && (is_letter(name[i]) || (name[i] >= '0' && name[i] <= '9') || name[i] == '_')) ++i;
  while (i < name.size() && name[i] == '\'') ++i;
  return i == name.size();
}

Pool::Pool() : table_(1024) { intern({}, {}); }

Expr Pool::number(double value) {
  return intern({.value = value == 0 ? 0. : value}, {});  // no −0: it would be a second zero
}

Expr Pool::symbol(std::string_view name) {
  const auto found = index_of_.find(std::string(name));
  if (found != index_of_.end()) return symbols_[found->second];
  if (!is_symbol_name(name))
    throw base::InputError(fmt::format("found {}, expected a name of letters, digits, _ and a trailing '", name));
  const Expr e = intern({.kind = Kind::symbol, .value = static_cast<double>(names_.size())}, {});
  index_of_.emplace(name, static_cast<std::uint32_t>(names_.size()));
  names_.emplace_back(name);
  symbols_.push_back(e);
  return e;
}

Expr Pool::raw_sum(double c0, std::span<const Term> terms) {
  return intern({.kind = Kind::sum, .value = c0 == 0 ? 0. : c0}, terms);
}

Expr Pool::raw_product(std::span<const Term> terms) { return intern({.kind = Kind::product}, terms); }

Expr Pool::raw_call(Op op, std::span<const Term> arguments) {
  return intern({.kind = Kind::function, .op = op}, arguments);
}

Expr Pool::intern(Node node, std::span<const Term> terms) {
  std::uint64_t hash = mix(static_cast<std::uint64_t>(node.kind) * 64 + static_cast<std::uint64_t>(node.op),
                           std::bit_cast<std::uint64_t>(node.value));
  for (const Term& term : terms) hash = mix(mix(hash, term.e.id), std::bit_cast<std::uint64_t>(term.weight));
  auto same = [&](const Node& other) {
    return other.hash == hash && other.kind == node.kind && other.op == node.op && same_bits(other.value, node.value) &&
           std::equal(other.terms.begin(), other.terms.end(), terms.begin(), terms.end(),
                      [](const Term& a, const Term& b) { return a.e == b.e && same_bits(a.weight, b.weight); });
  };
  std::size_t slot = hash & (table_.size() - 1);
  while (table_[slot] != 0) {
    if (same(nodes_[table_[slot] - 1])) return {table_[slot] - 1};
    slot = (slot + 1) & (table_.size() - 1);
  }
  VINCULUM_DEMAND(nodes_.size() < 0xfffffff0u);
  const auto id = static_cast<std::uint32_t>(nodes_.size());
  node.terms = store(terms);
  node.hash = hash;
  nodes_.push_back(node);
  table_[slot] = id + 1;
  if (2 * nodes_.size() > table_.size()) grow_table();
  return {id};
}

std::span<const Term> Pool::store(std::span<const Term> terms) {
  if (terms.empty()) return {};
  if (terms.size() > block_left_) {
    block_left_ = std::max(block_size, terms.size());
    blocks_.push_back(std::make_unique<Term[]>(block_left_));
    block_next_ = blocks_.back().get();
  }
  Term* const begin = block_next_;
  std::copy(terms.begin(), terms.end(), begin);
  block_next_ += terms.size();
  block_left_ -= terms.size();
  return {begin, terms.size()};
}

void Pool::grow_table() {
  std::vector<std::uint32_t> table(2 * table_.size());
  for (std::uint32_t id = 0; id < nodes_.size(); ++id) {
    std::size_t slot = nodes_[id].hash & (table.size() - 1);
    while (table[slot] != 0) slot = (slot + 1) & (table.size() - 1);
    table[slot] = id + 1;
  }
  table_ = std::move(table);
}

// Kinds in the order of Kind, then lexicographic. Equal nodes are one node, so the descent follows a single path.
int Pool::compare(Expr a, Expr b) const {
  if (a == b) return 0;
  const Node &x = node(a), &y = node(b);
  if (x.kind != y.kind) return x.kind < y.kind ? -1 : 1;
  if (x.op != y.op) return x.op < y.op ? -1 : 1;
  const std::size_t common = std::min(x.terms.size(), y.terms.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (const int order = compare(x.terms[i].e, y.terms[i].e)) return order;
    if (x.terms[i].weight != y.terms[i].weight) return x.terms[i].weight < y.terms[i].weight ? -1 : 1;
  }
  if (x.terms.size() != y.terms.size()) return x.terms.size() < y.terms.size() ? -1 : 1;
  if (x.value != y.value) return x.value < y.value ? -1 : 1;
  return a.id < b.id ? -1 : 1;  // two NaN
}

}  // namespace vinculum::expr
