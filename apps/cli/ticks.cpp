// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/ticks.hpp"

#include "cli/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace vinculum::cli {

namespace {

// A typographic minus.
std::string label_of(double x, int decimals) {
  std::string out = fmt::format("{:.{}f}", x, decimals);
  if (out.find_first_not_of("-0.") == std::string::npos && out[0] == '-') out.erase(0, 1);
  if (out[0] == '-') out = "−" + out.substr(1);
  return out;
}

int exponent_of(double x) { return static_cast<int>(std::floor(std::log10(x) + 1e-9)); }

// The smallest of 1, 2, 5 × 10ⁿ that is at least x.
double round_up(double x) {
  const double unit = std::pow(10.0, exponent_of(x));
  for (const double m : {1.0, 2.0, 5.0}) {
    if (m * unit >= x * (1 - 1e-9)) return m * unit;
  }
  return 10 * unit;
}

}  // namespace

Ticks linear_ticks(double low, double high, int wanted) {
  Ticks out;
  const double step = round_up((high - low) / wanted);
  // A large constant with small changes on top (an energy that hardly drifts) is taken out of the labels.
  double offset = 0;
  if (std::max(std::abs(low), std::abs(high)) > 1e5 * (high - low)) {
    const double grid = 100 * step;
    offset = std::round(0.5 * (low + high) / grid) * grid;
    out.offset = fmt::format("{} {:.12g}", offset < 0 ? "−" : "+", std::abs(offset));
  }
  const double most = std::max(std::abs(low - offset), std::abs(high - offset));
  const int size = exponent_of(most);
  const int power = size >= 5 || size <= -3 ? size : 0;
  if (power != 0) out.factor = "×" + power_of_ten(power);
  const double scale = std::pow(10.0, power);
  const int decimals = std::max(0, power - exponent_of(step));
  for (double k = std::ceil((low - offset) / step - 1e-6); k * step <= high - offset + 1e-6 * step; ++k) {
    out.ticks.push_back({offset + k * step, label_of(k * step / scale, decimals)});
  }
  return out;
}

Ticks log_ticks(double low, double high, int wanted) {
  Ticks out;
  const int first = static_cast<int>(std::floor(std::log10(low) + 1e-9));
  const int last = static_cast<int>(std::ceil(std::log10(high) - 1e-9));
  const int every = std::max(1, static_cast<int>(round_up(static_cast<double>(last - first) / wanted)));
  for (int e = first; e <= last; ++e) {
    const double decade = std::pow(10.0, e);
    const bool labelled = ((e % every) + every) % every == 0;
    if (decade >= low * (1 - 1e-9) && decade <= high * (1 + 1e-9)) {
      out.ticks.push_back({decade, labelled ? power_of_ten(e) : std::string()});
    }
    if (last - first > 4) continue;
    for (int m = 2; m <= 9; ++m) {
      if (m * decade < low || m * decade > high) continue;
      // Within a decade or two the powers alone say little.
      const bool named = last - first <= 1 ? m == 2 || m == 5 : last - first == 2 && m == 5 && wanted > 4;
      out.ticks.push_back({m * decade, named ? fmt::format("{}·{}", m, power_of_ten(e)) : std::string()});
    }
  }
  return out;
}

}  // namespace vinculum::cli
