// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Sets made of sets: product, translate, mirror image. Each operation passes through to the members.
#include "vinculum/base/error.hpp"
#include "vinculum/convex/members.hpp"

#include <fmt/format.h>

namespace vinculum::convex {
namespace {

Vec join(const Vec& a, const Vec& b) {
  Vec x(a.size() + b.size());
  x << a, b;
  return x;
}

struct Product final : Set {
  SetPtr a, b;

  Product(SetPtr first, SetPtr second)
      : Set(first->dimension() + second->dimension()), a(std::move(first)), b(std::move(second)) {}
  Vec head(const Vec& x) const { return x.head(a->dimension()); }
  Vec tail(const Vec& x) const { return x.tail(b->dimension()); }
  bool is_point() const override { return a->is_point() && b->is_point(); }
  bool is_bounded() const override { return a->is_bounded() && b->is_bounded(); }
  Vec project(const Vec& x) const override { return join(a->project(head(x)), b->project(tail(x))); }
  double support(const Vec& d) const override { return a->support(head(d)) + b->support(tail(d)); }
  SetPtr face(const Vec& d, double tol) const override {
    return make_product(a->face(head(d), tol), b->face(tail(d), tol));
  }
  std::string text() const override { return fmt::format("({}) x ({})", a->text(), b->text()); }
};

struct Translate final : Set {
  SetPtr set;
  Vec shift;

  Translate(SetPtr s, const Vec& t) : Set(s->dimension()), set(std::move(s)), shift(t) {}
  bool is_point() const override { return set->is_point(); }
  bool is_bounded() const override { return set->is_bounded(); }
  Vec project(const Vec& x) const override { return set->project(x - shift) + shift; }
  double support(const Vec& d) const override { return set->support(d) + shift.dot(d); }
  SetPtr face(const Vec& d, double tol) const override { return make_translate(set->face(d, tol), shift); }
  std::string text() const override { return fmt::format("{} + ({})", to_text(shift), set->text()); }
};

struct Mirror final : Set {
  SetPtr set;

  explicit Mirror(SetPtr s) : Set(s->dimension()), set(std::move(s)) {}
  bool is_point() const override { return set->is_point(); }
  bool is_bounded() const override { return set->is_bounded(); }
  Vec project(const Vec& x) const override { return -set->project(-x); }
  double support(const Vec& d) const override { return set->support(-d); }
  SetPtr face(const Vec& d, double tol) const override { return make_mirror(set->face(-d, tol)); }
  std::string text() const override { return fmt::format("-({})", set->text()); }
};

}  // namespace

SetPtr make_product(const SetPtr& a, const SetPtr& b) {
  VINCULUM_DEMAND(a->dimension() + b->dimension() <= 3);
  if (a->empty() || b->empty()) return make_empty(a->dimension() + b->dimension());
  const auto* p = dynamic_cast<const Box*>(a.get());
  const auto* q = dynamic_cast<const Box*>(b.get());
  if (p && q) return make_box(join(p->low, q->low), join(p->high, q->high));
  return std::make_shared<Product>(a, b);
}

SetPtr make_translate(const SetPtr& set, const Vec& shift) {
  if (set->empty() || shift.isZero(0)) return set;
  if (const auto* box = dynamic_cast<const Box*>(set.get())) return make_box(box->low + shift, box->high + shift);
  if (const auto* ball = dynamic_cast<const Ball*>(set.get())) return make_ball(ball->center + shift, ball->radius);
  return std::make_shared<Translate>(set, shift);
}

SetPtr make_mirror(const SetPtr& set) {
  if (set->empty()) return set;
  if (const auto* box = dynamic_cast<const Box*>(set.get())) return make_box(-box->high, -box->low);
  if (const auto* ball = dynamic_cast<const Ball*>(set.get())) return make_ball(-ball->center, ball->radius);
  return std::make_shared<Mirror>(set);
}

}  // namespace vinculum::convex
