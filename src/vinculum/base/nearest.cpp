// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// "Did you mean": the edit distance of Levenshtein, with the swap of two neighbouring letters as one edit.
#include "vinculum/base/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace vinculum::base {

namespace {

// D(i, j) = distance of the first i letters of a to the first j letters of b; three rows suffice.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

}  // namespace

std::string nearest(std::string_view word, std::span<const std::string_view> candidates) {
  constexpr std::size_t longest = 64;  // a word longer than that is not a slip of the finger
  if (word.size() > longest) return {};
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > longest) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance >= best_distance || distance >= candidate.size()) continue;
    best = candidate;
    best_distance = distance;
  }
  return std::string(best);
}

}  // namespace vinculum::base
