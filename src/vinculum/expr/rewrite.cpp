// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/expr/rewrite.hpp"

#include <map>
#include <optional>

namespace vinculum::expr {

namespace {

constexpr std::size_t most_terms = 4096;

class Substitution {
 public:
  Substitution(Pool& pool, std::span<const Replacement> replacements) : pool_(pool) {
    for (const Replacement& r : replacements) done_[r.symbol.id] = r.by;
  }

  Expr apply(Expr e) {
    const Node& node = pool_.node(e);
    if (const auto known = done_.find(e.id); known != done_.end()) return known->second;
    if (node.terms.empty()) return e;
    std::vector<Term> terms(node.terms.begin(), node.terms.end());
    for (Term& term : terms) term.e = apply(term.e);
    return done_[e.id] = rebuild(node, std::move(terms));
  }

 private:
  Expr rebuild(const Node& node, std::vector<Term> terms) {
    if (node.kind == Kind::sum) return pool_.sum(node.value, std::move(terms));
    if (node.kind == Kind::product) return pool_.product(1, std::move(terms));
    std::vector<Expr> arguments;
    for (const Term& term : terms) arguments.push_back(term.e);
    return pool_.call(node.op, arguments);
  }

  Pool& pool_;
  std::unordered_map<std::uint32_t, Expr> done_;
};

class Expansion {
 public:
  explicit Expansion(Pool& pool) : pool_(pool) {}

  Expr apply(Expr e) {
    if (const auto known = done_.find(e.id); known != done_.end()) return known->second;
    const Node& node = pool_.node(e);
    Expr result = e;
    if (node.kind == Kind::sum) {
      std::vector<Term> terms(node.terms.begin(), node.terms.end());
      for (Term& term : terms) term.e = apply(term.e);
      result = shorten(pool_.sum(node.value, std::move(terms)));
    } else if (node.kind == Kind::product) {
      result = shorten(multiply_out(node));
    } else if (node.kind == Kind::function) {
      std::vector<Expr> arguments;
      for (const Term& term : node.terms) arguments.push_back(apply(term.e));
      result = pool_.call(node.op, arguments);
    }
    return done_[e.id] = result;
  }

 private:
  std::vector<Term> terms_of(Expr e) const {
    const Node& node = pool_.node(e);
    if (node.kind == Kind::number) return {{node.value, Expr{}}};
    if (node.kind != Kind::sum) return {{1, e}};
    std::vector<Term> terms(node.terms.begin(), node.terms.end());
    if (node.value != 0) terms.push_back({node.value, Expr{}});  // the number 0 marks the constant term
    return terms;
  }

  Expr times(Expr a, Expr b) {
    std::vector<Term> terms;
    const std::vector<Term> left = terms_of(a), right = terms_of(b);
    if (left.size() * right.size() > most_terms) return pool_.mul(a, b);
    double c0 = 0;
    for (const Term& x : left) {
      for (const Term& y : right) {
        const double w = x.weight * y.weight;
        const bool plain_x = x.e == Expr{}, plain_y = y.e == Expr{};
        if (plain_x && plain_y) {
          c0 += w;
        } else {
          terms.push_back({w, plain_x ? y.e : plain_y ? x.e : pool_.mul(x.e, y.e)});
        }
      }
    }
    return pool_.sum(c0, std::move(terms));
  }

  Expr multiply_out(const Node& node) {
    Expr result = pool_.number(1);
    std::vector<Term> rest;  // what is not multiplied out
    for (const Term& term : node.terms) {
      const Expr base = apply(term.e);
      const bool out = pool_.node(base).kind == Kind::sum && term.weight > 0 && term.weight <= 16;
      if (!out) {
        rest.push_back({term.weight, base});
        continue;
      }
      for (int k = 0; k < static_cast<int>(term.weight); ++k) result = times(result, base);
    }
    return times(pool_.product(1, std::move(rest)), result);
  }

  // --- trigonometry. A term with two factors f(a) g(b), f and g sine or cosine, looks for its partner: the same term
  // with cos a cos b ↔ sin a sin b, sin a cos b ↔ cos a sin b, and a weight of equal size.
  struct Wave {
    bool sine;
    Expr angle;
  };
  std::optional<Wave> wave(const Term& factor) const {
    const Node& node = pool_.node(factor.e);
    if (factor.weight < 1 || node.kind != Kind::function || (node.op != Op::sin && node.op != Op::cos)) return {};
    return Wave{node.op == Op::sin, node.terms[0].e};
  }
  Expr make_wave(bool sine, Expr angle) { return pool_.call(sine ? Op::sin : Op::cos, angle); }

  struct Merge {
    Expr partner, merged;
    double weight;
  };
  std::optional<Merge> find_merge(const std::unordered_map<std::uint32_t, double>& weights, const Term& term) {
    const Node& node = pool_.node(term.e);
    if (node.kind != Kind::product) return {};
    for (std::size_t i = 0; i < node.terms.size(); ++i) {
      const auto f = wave(node.terms[i]);
      for (std::size_t j = i; f && j < node.terms.size(); ++j) {
        const auto g = wave(node.terms[j]);
        if (!g || (i == j && node.terms[i].weight < 2)) continue;
        if (i == j ? f->sine : f->angle == g->angle) continue;  // one square of each pair; sin a cos a has no partner
        std::vector<Term> rest(node.terms.begin(), node.terms.end());
        rest[i].weight -= 1;
        rest[j].weight -= 1;
        const Expr common = pool_.product(1, rest);
        const Expr flipped = pool_.mul(make_wave(!f->sine, f->angle), make_wave(!g->sine, g->angle));
        const Expr partner = pool_.mul(common, flipped);
        const auto other = weights.find(partner.id);
        if (other == weights.end() || std::abs(other->second) != std::abs(term.weight)) continue;
        const bool same = other->second == term.weight;
        if (i == j && !same) continue;
        return merge(*f, *g, common, partner, term.weight, same);
      }
    }
    return {};
  }
  Merge merge(Wave f, Wave g, Expr common, Expr partner, double weight, bool same) {
    const Expr a = f.angle, b = g.angle;
    if (f.sine == g.sine) {  // w (cos cos ± sin sin), or the same seen from sin sin
      const Expr angle = same ? pool_.sub(a, b) : pool_.add(a, b);
      return {partner, pool_.mul(common, make_wave(false, angle)), !same && f.sine ? -weight : weight};
    }
    // w (sin a cos b ± cos a sin b) = w sin(a ± b); if f is the cosine, the roles of a and b are exchanged.
    const Expr first = f.sine ? a : b, second = f.sine ? b : a;
    const Expr angle = same ? pool_.add(first, second) : pool_.sub(first, second);
    return {partner, pool_.mul(common, make_wave(true, angle)), weight};
  }

  Expr shorten(Expr e) {
    for (;;) {
      const Node& node = pool_.node(e);
      if (node.kind != Kind::sum || node.terms.size() < 2) return e;
      std::unordered_map<std::uint32_t, double> weights;
      for (const Term& term : node.terms) weights[term.e.id] = term.weight;
      std::vector<Term> next;
      bool changed = false;
      for (const Term& term : node.terms) {
        if (!weights.count(term.e.id)) continue;
        if (const auto m = find_merge(weights, term); m && m->partner != term.e) {
          weights.erase(term.e.id);
          weights.erase(m->partner.id);
          std::erase_if(next, [&](const Term& t) { return t.e == m->partner; });
          next.push_back({m->weight, m->merged});
          changed = true;
        } else {
          next.push_back(term);
        }
      }
      if (!changed) return e;
      e = pool_.sum(node.value, std::move(next));
    }
  }

  Pool& pool_;
  std::unordered_map<std::uint32_t, Expr> done_;
};

}  // namespace

Expr substitute(Pool& pool, Expr e, std::span<const Replacement> replacements) {
  return Substitution(pool, replacements).apply(e);
}

Expr expand(Pool& pool, Expr e) { return Expansion(pool).apply(e); }

}  // namespace vinculum::expr
