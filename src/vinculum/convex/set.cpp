// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What all sets share, and the set without elements.
#include "vinculum/convex/set.hpp"

#include "vinculum/convex/members.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace vinculum::convex {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

struct Empty final : Set {
  using Set::Set;
  bool empty() const override { return true; }
  bool is_bounded() const override { return true; }
  Vec project(const Vec&) const override { return Vec::Constant(dimension(), std::nan("")); }
  double support(const Vec&) const override { return -kInf; }
  SetPtr face(const Vec&, double) const override { return shared_from_this(); }
  std::string text() const override { return "empty"; }
};

}  // namespace

double Set::distance(const Vec& x) const { return empty() ? kInf : (x - project(x)).norm(); }

Vec vec(double x) { return Vec::Constant(1, x); }

Vec vec(double x, double y) {
  Vec v(2);
  v << x, y;
  return v;
}

Vec vec(double x, double y, double z) {
  Vec v(3);
  v << x, y, z;
  return v;
}

std::string to_text(const Vec& x) {
  if (x.size() == 1) return fmt::format("{:.6g}", x[0]);
  std::string text = "(";
  for (int i = 0; i < x.size(); ++i) text += fmt::format("{}{:.6g}", i ? ", " : "", x[i]);
  text += ")";
  return text;
}

SetPtr make_empty(int dimension) { return std::make_shared<Empty>(dimension); }

}  // namespace vinculum::convex
