// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The impulses of the last step by contact, as world vectors, so that the next solve starts from them. Keys are kept in
// ascending order and looked up in ascending order: one merge, no hashing, no allocation once grown.
// The midpoint rule leaves the impulses of trees alternating, with a period of two or four steps; for them four steps
// are remembered, and the next is guessed as the last one would have been guessed best (`best_guess`).
#pragma once

#include "vinculum/algebra/types.hpp"

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace vinculum::integrators {

struct ContactKey {
  std::int32_t a = 0, b = 0;
  std::uint32_t feature = 0;
  auto operator<=>(const ContactKey&) const = default;
};

class WarmStart {
 public:
  static constexpr std::size_t kept = 5;  // steps, with history
  struct Entry {
    ContactKey key;
    algebra::Vec3 impulse;  // where the next solve starts
    std::array<algebra::Vec3, kept> past = {algebra::Vec3::Zero(), algebra::Vec3::Zero(), algebra::Vec3::Zero(),
                                            algebra::Vec3::Zero(),
                                            algebra::Vec3::Zero()};  // of the last steps, the newest first
  };

  explicit WarmStart(bool history = false) : history_(history) {}

  /// Begins a round of look-ups with ascending keys.
  void rewind() { cursor_ = 0; }
  /// What is remembered of a contact; zeros of a new one.
  const Entry& find(const ContactKey& key);
  const Entry& nothing() const { return none_; }
  /// All from this key on.
  std::span<const Entry> behind(const ContactKey& key) const;

  void begin_update() { count_ = 0; }
  /// `impulse` of this step, `found` what was remembered before it.
  void add(const ContactKey& key, const algebra::Vec3& impulse, const Entry& found);
  void end_update();

  /// In ascending order.
  std::vector<Entry>& entries() { return entries_; }
  /// Adds entries with keys of their own.
  void insert(std::span<const Entry> more);

  std::vector<double> save() const;
  void restore(std::span<const double> memory);

 private:
  Entry& next();
  std::vector<Entry> entries_, next_;
  Entry none_{{}, algebra::Vec3::Zero()};
  bool history_;
  std::size_t cursor_ = 0;
  std::size_t count_ = 0;  // of the update at hand
};

/// How to go on with a sequence that ends in x, after p[0], p[1], ... p[4] (the newest first): as x and p[0] would have
/// been found best.
///   same x,   alternating p[0],   of period four p[2],   straight 2 x − p[0],   leaning x + p[0] − p[1]
/// The last one is exact for a straight line with an alternating part.
enum class Guess : std::uint8_t { same, alternating, of_four, straight, leaning };
/// x and p are of n numbers each.
inline Guess best_guess(const double* x, const std::array<const double*, 5>& p, std::ptrdiff_t n) {
  constexpr double clearly = 1.0 / 16;  // squares: four times nearer
  double same = 0, alternating = 0, of_four = 0, straight = 0, leaning = 0;
  const auto add = [](double& sum, double a, double b) { sum += a * a + b * b; };
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    const double first = x[i] - p[0][i], second = p[0][i] - p[1][i], third = p[1][i] - p[2][i],
                 fourth = p[2][i] - p[3][i];
    add(same, first, second);
    add(alternating, first + second, second + third);
    add(of_four, x[i] - p[3][i], p[0][i] - p[4][i]);
    add(straight, first - second, second - third);
    add(leaning, first - third, second - fourth);
  }
  double best = clearly * same;
  Guess guess = Guess::same;
  const auto look = [&](Guess candidate, double error) {
    if (error < best) best = error, guess = candidate;
  };
  look(Guess::alternating, alternating);
  look(Guess::of_four, of_four);
  look(Guess::straight, straight);
  look(Guess::leaning, leaning);
  return guess;
}

}  // namespace vinculum::integrators
