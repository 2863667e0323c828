// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The sets that other sets must recognise to be added exactly. Private to this folder.
#pragma once

#include "vinculum/convex/set.hpp"

namespace vinculum::convex {

/// [low_1, high_1] × …; empty if some low > high. Points, rays, lines and the whole space are boxes.
struct Box final : Set {
  Vec low, high;

  Box(const Vec& lows, const Vec& highs) : Set(static_cast<int>(lows.size())), low(lows), high(highs) {}
  bool empty() const override { return (low.array() > high.array()).any(); }
  bool is_point() const override { return (low.array() == high.array()).all(); }
  bool is_bounded() const override { return low.allFinite() && high.allFinite(); }
  Vec project(const Vec& x) const override;
  double support(const Vec& d) const override;
  SetPtr face(const Vec& d, double tol) const override;
  std::string text() const override;
};

/// { y : |y − center| ≤ radius }, radius > 0.
struct Ball final : Set {
  Vec center;
  double radius;

  Ball(const Vec& c, double r) : Set(static_cast<int>(c.size())), center(c), radius(r) {}
  bool is_bounded() const override { return true; }
  Vec project(const Vec& x) const override;
  double support(const Vec& d) const override { return center.dot(d) + radius * d.norm(); }
  SetPtr face(const Vec& d, double tol) const override;
  std::string text() const override;
};

/// `(1, 2, 3)`; one row without brackets.
std::string to_text(const Vec& x);

}  // namespace vinculum::convex
