// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Smooth potentials handed in as functions: gravity, springs, kinked force curves.       theory/glocker-1998.md, Sec 7
//   ∂P(x) = {∇P(x)} on every level; the principles are equalities (7.4).
#include "vinculum/potentials/compose.hpp"

namespace vinculum::potentials {
namespace {

struct Smooth final : Superpotential {
  Level level_;
  int rows_;
  std::function<double(const Vec&)> value;
  std::function<Vec(const Vec&)> gradient;
  bool convex_;

  Smooth(Level l, int n, std::function<double(const Vec&)> v, std::function<Vec(const Vec&)> g, bool c)
      : level_(l), rows_(n), value(std::move(v)), gradient(std::move(g)), convex_(c) {}
  Level level() const override { return level_; }
  int rows() const override { return rows_; }
  bool is_convex() const override { return convex_; }
  double potential(const Vec& x) const override { return value(x); }
  SetPtr gradient_set(const Vec& x, double) const override { return convex::make_point(gradient(x)); }
};

}  // namespace

LawPtr make_smooth(Level level, int rows, std::function<double(const Vec&)> value,
                   std::function<Vec(const Vec&)> gradient, bool convex) {
  return std::make_shared<Smooth>(level, rows, std::move(value), std::move(gradient), convex);
}

}  // namespace vinculum::potentials
