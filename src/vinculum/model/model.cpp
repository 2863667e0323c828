// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/model/model.hpp"

#include <utility>

namespace vinculum::model {

// Row a of the upper triangle starts after rows of n, n − 1, ..., n − a + 1 entries.
const Pair& Model::pair(int a, int b) const {
  if (a > b) std::swap(a, b);
  const std::size_t n = materials.size();
  const auto row = static_cast<std::size_t>(a), column = static_cast<std::size_t>(b);
  VINCULUM_DEMAND(a >= 0 && column < n);
  return pairs[row * n - row * (row + 1) / 2 + column];
}

std::vector<std::vector<Formula>> frame_formulas(const Model& model) {
  std::vector<std::vector<Formula>> all;
  for (const Body& body : model.bodies) {
    if (body.carried()) all.push_back(body.frame);
  }
  return all;
}

}  // namespace vinculum::model
