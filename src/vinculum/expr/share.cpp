// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Fewer operations, in two steps.
//   1. Sums, from the leaves up: the common part of terms that saves most multiplications is taken out,
//      x y a + x y b + c = x y (a + b) + c, and again until nothing is worth it (Horner's rule, chosen greedily).
//   2. Products: the pair of factors that occurs in most products becomes a node of its own, again until no pair occurs
//      often enough.
// Ties are broken by the order of appearance: the result depends on the expressions alone.
#include "vinculum/expr/rewrite.hpp"

#include <map>
#include <set>

namespace vinculum::expr {

namespace {

// weight · Π base^power
struct Monomial {
  double weight = 1;
  std::vector<Term> factors;
};

class Factoring {
 public:
  explicit Factoring(Pool& pool) : pool_(pool) {}

  Expr apply(Expr e) {
    const Monomial m = monomial(e);
    const Expr body = product_of(m.factors);
    if (m.weight == 1) return body;
    if (pool_.is_number(body)) return pool_.number(m.weight * pool_.node(body).value);
    const Term term{m.weight, body};
    return pool_.raw_sum(0, {&term, 1});
  }

 private:
  Expr product_of(std::vector<Term> factors) {
    if (factors.empty()) return pool_.number(1);
    if (factors.size() == 1 && factors[0].weight == 1) return factors[0].e;
    return pool_.raw_product(factors);
  }

  // Factors in the order of the normal form, powers of one base with one sign joined.
  void join(std::vector<Term>& factors) const {
    std::sort(factors.begin(), factors.end(), [&](const Term& a, const Term& b) {
      if ((a.weight > 0) != (b.weight > 0)) return a.weight > 0;
      return pool_.compare(a.e, b.e) < 0;
    });
    std::size_t count = 0;
    for (const Term& f : factors) {
      if (count > 0 && factors[count - 1].e == f.e && (factors[count - 1].weight > 0) == (f.weight > 0)) {
        factors[count - 1].weight += f.weight;
      } else {
        factors[count++] = f;
      }
    }
    factors.resize(count);
  }

  const Monomial& monomial(Expr e) {
    if (const auto known = done_.find(e.id); known != done_.end()) return known->second;
    Monomial m = make_monomial(e);
    return done_[e.id] = std::move(m);
  }

  Monomial make_monomial(Expr e) {
    const Node& node = pool_.node(e);
    switch (node.kind) {
      case Kind::number:
        return {node.value, {}};
      case Kind::symbol:
        return {1, {{1, e}}};
      case Kind::function: {
        std::vector<Term> arguments(node.terms.begin(), node.terms.end());
        for (Term& argument : arguments) argument.e = apply(argument.e);
        return {1, {{1, pool_.raw_call(node.op, arguments)}}};
      }
      case Kind::product: {
        Monomial m;
        for (const Term& term : node.terms) {
          const Monomial& base = monomial(term.e);
          const int n = static_cast<int>(term.weight);
          if (base.weight != 1) {
            const double p = integer_power(base.weight, std::abs(n));
            m.weight *= n > 0 ? p : 1 / p;
          }
          for (const Term& f : base.factors) m.factors.push_back({f.weight * n, f.e});
        }
        join(m.factors);
        return m;
      }
      case Kind::sum: {
        std::vector<Monomial> terms;
        for (const Term& term : node.terms) {
          Monomial m = monomial(term.e);
          m.weight *= term.weight;
          terms.push_back(std::move(m));
        }
        return factor(node.value, std::move(terms));
      }
    }
    return {};
  }

  static const Term* find(const Monomial& m, const Term& f) {
    for (const Term& t : m.factors) {
      if (t.e == f.e && (t.weight > 0) == (f.weight > 0)) return &t;
    }
    return nullptr;
  }

  // The common part of two monomials: the factors of both, with the smaller power.
  static std::vector<Term> common_part(const Monomial& a, const Monomial& b) {
    std::vector<Term> common;
    for (const Term& f : a.factors) {
      const Term* const g = find(b, f);
      if (g) common.push_back(std::abs(f.weight) < std::abs(g->weight) ? f : *g);
    }
    return common;
  }
  static bool holds(const Monomial& m, const std::vector<Term>& part) {
    return std::all_of(part.begin(), part.end(), [&](const Term& f) {
      const Term* const g = find(m, f);
      return g && std::abs(g->weight) >= std::abs(f.weight);
    });
  }

  // The common part of two terms that saves most multiplications, (terms that hold it − 1) · (its factors); of several
  // the first. In long sums only neighbours are compared, which keeps the work linear in pairs.
  std::vector<Term> best_part(const std::vector<Monomial>& terms, double& most) const {
    constexpr std::size_t window = 48;
    std::vector<Term> best;
    most = 0;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      for (std::size_t j = i + 1; j < std::min(terms.size(), i + window); ++j) {
        std::vector<Term> part = common_part(terms[i], terms[j]);
        double size = 0;
        for (const Term& f : part) size += std::abs(f.weight);
        if (size == 0 || size * static_cast<double>(terms.size() - 1) <= most) continue;
        const auto holders =
            std::count_if(terms.begin(), terms.end(), [&](const Monomial& m) { return holds(m, part); });
        const double saved = size * static_cast<double>(holders - 1);
        if (saved <= most) continue;
        most = saved;
        best = std::move(part);
      }
    }
    return best;
  }

  // Taking a part out costs an instruction of its own, about two multiplications.
  static constexpr double worthwhile = 2;

  Monomial factor(double c0, std::vector<Monomial> terms, bool inner = false) {
    for (;;) {
      merge(c0, terms);
      if (terms.empty()) return {c0, {}};
      if (terms.size() == 1 && c0 == 0) return terms[0];
      double saved = 0;
      const std::vector<Term> part = best_part(terms, saved);
      if (saved < worthwhile) return sum_of(c0, terms, inner);
      std::vector<Monomial> group, rest;
      for (Monomial& m : terms) {
        if (!holds(m, part)) {
          rest.push_back(std::move(m));
          continue;
        }
        for (Term& f : m.factors) {
          for (const Term& g : part) {
            if (f.e == g.e && (f.weight > 0) == (g.weight > 0)) f.weight -= g.weight;
          }
        }
        std::erase_if(m.factors, [](const Term& f) { return f.weight == 0; });
        group.push_back(std::move(m));
      }
      Monomial taken = factor(0, std::move(group), true);
      taken.factors.insert(taken.factors.end(), part.begin(), part.end());
      join(taken.factors);
      rest.insert(rest.begin(), std::move(taken));
      terms = std::move(rest);
    }
  }

  // Like terms, and numbers into c0. Factors that were different nodes may have become one.
  void merge(double& c0, std::vector<Monomial>& terms) const {
    auto same = [](const Monomial& a, const Monomial& b) {
      return std::equal(a.factors.begin(), a.factors.end(), b.factors.begin(), b.factors.end(),
                        [](const Term& x, const Term& y) { return x.e == y.e && x.weight == y.weight; });
    };
    std::vector<Monomial> merged;
    for (Monomial& m : terms) {
      if (m.factors.empty()) {
        c0 += m.weight;
        continue;
      }
      const auto like = std::find_if(merged.begin(), merged.end(), [&](const Monomial& n) { return same(m, n); });
      if (like == merged.end()) {
        merged.push_back(std::move(m));
      } else {
        like->weight += m.weight;
      }
    }
    std::erase_if(merged, [](const Monomial& m) { return m.weight == 0; });
    terms = std::move(merged);
  }

  // c0 + Σ terms as one factor; a weight that all share is taken out, and from a sum inside a product the sign.
  Monomial sum_of(double c0, const std::vector<Monomial>& terms, bool inner) {
    double g = std::abs(terms[0].weight);
    bool equal = c0 == 0 || std::abs(c0) == g;
    bool negative = inner && c0 <= 0;
    for (const Monomial& m : terms) {
      equal = equal && std::abs(m.weight) == g;
      negative = negative && m.weight < 0;
    }
    if (!equal) g = 1;
    if (negative) g = -g;
    std::vector<Term> list;
    for (const Monomial& m : terms) list.push_back({m.weight / g, product_of(m.factors)});
    return {g, {{1, pool_.raw_sum(c0 / g, list)}}};
  }

  Pool& pool_;
  std::unordered_map<std::uint32_t, Monomial> done_;
};

class Pairing {
 public:
  Pairing(Pool& pool, std::span<const Expr> outputs) : pool_(pool) {
    for (const Expr e : outputs) collect(e);
    while (extract()) {
    }
  }

  Expr apply(Expr e) {
    if (const auto known = done_.find(e.id); known != done_.end()) return known->second;
    const Node& node = pool_.node(e);
    Expr result = e;
    if (node.kind == Kind::product) {
      const Product& p = products_[index_of_[e.id]];
      std::vector<Term> terms;
      for (const Item item : p.above) terms.push_back(term(item, 1));
      for (const Item item : p.below) terms.push_back(term(item, -1));
      const bool alone = terms.size() == 1 && terms[0].weight == 1;
      result = alone ? terms[0].e : pool_.raw_product(terms);
    } else if (!node.terms.empty()) {
      std::vector<Term> terms(node.terms.begin(), node.terms.end());
      for (Term& t : terms) t.e = apply(t.e);
      result = node.kind == Kind::sum ? pool_.raw_sum(node.value, terms) : pool_.raw_call(node.op, terms);
    }
    return done_[e.id] = result;
  }

 private:
  // A base with its power, or a pair made here, by number.
  using Item = std::uint32_t;
  struct Product {
    std::vector<Item> above, below;
  };
  struct Origin {
    Term term;           // of a base
    Item first, second;  // of a pair
    bool pair;
    Expr built = {};
    bool is_built = false;
  };

  void collect(Expr e) {
    if (!seen_.insert(e.id).second) return;
    const Node& node = pool_.node(e);
    for (const Term& t : node.terms) collect(t.e);
    if (node.kind != Kind::product) return;
    Product p;
    for (const Term& t : node.terms) {
      const int n = std::abs(static_cast<int>(t.weight));
      auto& list = t.weight > 0 ? p.above : p.below;
      list.insert(list.end(), n <= 3 ? n : 1, item({n <= 3 ? 1. : n, t.e}));  // as the program multiplies
    }
    index_of_[e.id] = products_.size();
    products_.push_back(std::move(p));
  }

  Item item(const Term& t) {
    const auto [entry, is_new] =
        items_.try_emplace({t.e.id, static_cast<int>(t.weight)}, static_cast<Item>(origins_.size()));
    if (is_new) origins_.push_back({t, 0, 0, false});
    return entry->second;
  }

  // One instruction multiplies up to four factors: a pair has to occur this often to be worth one of its own.
  static constexpr std::size_t worthwhile = 4;

  // One pass: all pairs that occur often enough, the most frequent first, each replaced where it is still whole.
  bool extract() {
    std::map<std::pair<Item, Item>, std::vector<std::vector<Item>*>> places;
    for (Product& p : products_) {
      for (std::vector<Item>* list : {&p.above, &p.below}) {
        for (std::size_t i = 0; i < list->size(); ++i) {
          for (std::size_t j = i + 1; j < list->size(); ++j) {
            const auto [low, high] = std::minmax((*list)[i], (*list)[j]);
            auto& lists = places[{low, high}];
            if (lists.empty() || lists.back() != list) lists.push_back(list);
          }
        }
      }
    }
    std::vector<std::pair<std::pair<Item, Item>, std::vector<std::vector<Item>*>*>> order;
    for (auto& [pair, lists] : places) {
      if (lists.size() >= worthwhile) order.push_back({pair, &lists});
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.second->size() > b.second->size(); });
    bool changed = false;
    for (const auto& [pair, lists] : order) {
      auto whole = [first = pair.first, second = pair.second](const std::vector<Item>* list) {
        const auto firsts = std::count(list->begin(), list->end(), first);
        return first == second ? firsts >= 2 : firsts >= 1 && std::count(list->begin(), list->end(), second) >= 1;
      };
      if (static_cast<std::size_t>(std::count_if(lists->begin(), lists->end(), whole)) < worthwhile) continue;
      const auto made = static_cast<Item>(origins_.size());
      origins_.push_back({{}, pair.first, pair.second, true});
      for (std::vector<Item>* list : *lists) {
        if (!whole(list)) continue;
        list->erase(std::find(list->begin(), list->end(), pair.first));
        list->erase(std::find(list->begin(), list->end(), pair.second));
        list->insert(list->begin(), made);
      }
      changed = true;
    }
    return changed;
  }

  Term term(Item i, double sign) {
    if (!origins_[i].pair) return {sign * origins_[i].term.weight, apply(origins_[i].term.e)};
    if (!origins_[i].is_built) {
      const Term parts[] = {term(origins_[i].first, 1), term(origins_[i].second, 1)};
      origins_[i].built = pool_.raw_product(parts);
      origins_[i].is_built = true;
    }
    return {sign, origins_[i].built};
  }

  Pool& pool_;
  std::set<std::uint32_t> seen_;
  std::vector<Product> products_;
  std::unordered_map<std::uint32_t, std::size_t> index_of_;
  std::map<std::pair<std::uint32_t, int>, Item> items_;
  std::vector<Origin> origins_;
  std::unordered_map<std::uint32_t, Expr> done_;
};

}  // namespace

std::vector<Expr> share(Pool& pool, std::span<const Expr> outputs) {
  Factoring factoring(pool);
  std::vector<Expr> factored, result;
  for (const Expr e : outputs) factored.push_back(factoring.apply(e));
  Pairing pairing(pool, factored);
  for (const Expr e : factored) result.push_back(pairing.apply(e));
  return result;
}

}  // namespace vinculum::expr
