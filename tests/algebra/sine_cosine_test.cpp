// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/algebra/sine_cosine.hpp"

#include <gtest/gtest.h>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace {

using vinculum::algebra::sine_cosine;

/// Largest error against the functions for long double, in units of the last place of 1.
double error_at(const std::array<double, 4>& x) {
  std::array<double, 4> s{}, c{};
  sine_cosine(x.data(), 4, s.data(), c.data());
  long double error = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    error = std::max(error, std::abs(s[k] - std::sin(static_cast<long double>(x[k]))));
    error = std::max(error, std::abs(c[k] - std::cos(static_cast<long double>(x[k]))));
  }
  return static_cast<double>(error) / std::numeric_limits<double>::epsilon();
}

}  // namespace

TEST(SineCosine, IsRightToTheLastPlaceOfOne) {
  std::mt19937 generator(7);
  double worst = 0;
  for (const double size : {1e-8, 0.1, 1.0, 4.0, 100.0, 1e5}) {
    std::uniform_real_distribution<double> angle(-size, size);
    for (int n = 0; n < 20000; ++n) {
      worst = std::max(worst, error_at({angle(generator), angle(generator), angle(generator), angle(generator)}));
    }
  }
  EXPECT_LT(worst, 1.0);
}

TEST(SineCosine, HoldsAtTheEdgesOfItsQuadrants) {
  for (int k = -9; k <= 9; ++k) {
    const double x = k * std::numbers::pi / 4;
    EXPECT_LT(error_at({x, std::nextafter(x, 10), std::nextafter(x, -10), -x}), 1.0) << k;
  }
}

TEST(SineCosine, OfZeroIsExactAndOddInSign) {
  std::array<double, 4> s{}, c{};
  sine_cosine(std::array{0.0, 0.3, -0.3, 0.0}.data(), 4, s.data(), c.data());
  EXPECT_EQ(s[0], 0.0);
  EXPECT_EQ(c[0], 1.0);
  EXPECT_EQ(s[1], -s[2]);
  EXPECT_EQ(c[1], c[2]);
}

TEST(SineCosine, TakesAnglesBeyondItsRangeAndKeepsWhatIsNoNumber) {
  EXPECT_LT(error_at({1e5 + 0.1, -3e7, 1e15, 2.0}), 1.0);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::array<double, 4> s{}, c{};
  sine_cosine(std::array{nan, std::numeric_limits<double>::infinity(), 1.0, 2.0}.data(), 4, s.data(), c.data());
  EXPECT_TRUE(std::isnan(s[0]) && std::isnan(c[0]) && std::isnan(s[1]) && std::isnan(c[1]));
}
