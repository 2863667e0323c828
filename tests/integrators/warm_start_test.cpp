// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/warm_start.hpp"

#include <gtest/gtest.h>
#include <functional>

namespace vinculum::integrators {
namespace {

using algebra::Vec3;

/// What the next solve would start from after steps 0 … last of a sequence.
Vec3 expected_after(const std::function<Vec3(int)>& sequence, int last) {
  WarmStart warm(true);
  const ContactKey key{1, 2, 3};
  for (int k = 0; k <= last; ++k) {
    warm.rewind();
    const WarmStart::Entry& found = warm.find(key);
    warm.begin_update();
    warm.add(key, sequence(k), found);
    warm.end_update();
  }
  warm.rewind();
  return warm.find(key).impulse;
}

TEST(WarmStart, goes_on_with_sequences_as_they_run) {
  const Vec3 a(1, 2, -0.5), b(0.3, -0.1, 0.7);
  const auto sign = [](int k) { return k % 2 == 0 ? 1.0 : -1.0; };
  const auto still = [&](int) { return a; };
  const auto straight = [&](int k) { return Vec3(a + k * b); };
  const auto alternating = [&](int k) { return Vec3(a + sign(k) * b); };
  const auto leaning = [&](int k) { return Vec3(k * a + sign(k) * b); };
  const auto of_four = [&](int k) { return Vec3(a + sign(k / 2) * b); };
  for (const std::function<Vec3(int)>& sequence :
       {std::function<Vec3(int)>(still), {straight}, {alternating}, {leaning}, {of_four}}) {
    for (int last = 8; last < 12; ++last) {
      EXPECT_LT((expected_after(sequence, last) - sequence(last + 1)).norm(), 1e-14 * (1 + last)) << last;  // rounding
    }
  }
}

TEST(WarmStart, a_new_contact_starts_from_zero_and_then_from_its_impulse) {
  const Vec3 a(1, 2, -0.5);
  WarmStart warm(true);
  warm.rewind();
  EXPECT_TRUE(warm.find({1, 2, 3}).impulse.isZero(0));
  EXPECT_EQ(expected_after([&](int) { return a; }, 0), a);
}

TEST(WarmStart, its_history_is_part_of_what_is_saved) {
  const ContactKey key{1, 2, 3};
  WarmStart warm(true), other(true);
  for (int k = 0; k < 5; ++k) {
    warm.rewind();
    const WarmStart::Entry& found = warm.find(key);
    warm.begin_update();
    warm.add(key, Vec3(k, k * k, 1), found);
    warm.end_update();
  }
  other.restore(warm.save());
  EXPECT_EQ(other.save(), warm.save());
  warm.rewind(), other.rewind();
  EXPECT_EQ(warm.find(key).past, other.find(key).past);
  EXPECT_EQ(warm.find(key).impulse, other.find(key).impulse);
}

}  // namespace
}  // namespace vinculum::integrators
