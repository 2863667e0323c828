// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/potentials/kink.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::potentials {

namespace {

/// One-sided slope: the set at a point is an interval; its upper end belongs to the right side.
double slope(const Superpotential& law, double x, bool right) {
  const auto set = law.gradient_set(convex::vec(x));
  return right ? set->support(convex::vec(1)) : -set->support(convex::vec(-1));
}

}  // namespace

std::optional<Kink> find_kink(const Superpotential& law, double low, double high) {
  double before = slope(law, low, false), after = slope(law, high, true);
  const double size = std::max({std::abs(before), std::abs(after), 1e-300});
  if (!(std::abs(after - before) > 1e-9 * size)) return {};
  for (int k = 0; k < 2000 && std::nextafter(low, high) < high; ++k) {
    const double middle = low + 0.5 * (high - low);
    const double left = slope(law, middle, false), right = slope(law, middle, true);
    if (!(std::abs(after - before) > 1e-9 * size)) return {};
    if (std::abs(right - left) > 0.5 * std::abs(after - before)) return Kink{middle, left, right};
    if (std::abs(left - before) >= std::abs(after - right)) {
      high = middle, after = left;
    } else {
      low = middle, before = right;
    }
  }
  if (std::abs(after - before) <= 1e-9 * size) return {};
  return Kink{0.5 * (low + high), before, after};
}

}  // namespace vinculum::potentials
