// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Anderson acceleration of a fixed-point map g (here: one sweep):
//   f = g(x) − x,   γ = argmin |f − ΔF γ|² + 1e-12 tr(ΔFᵀΔF) |γ|²,   x ← g(x) − ΔG γ
// Memory is dropped when |f| doubles. Good for the first hundred sweeps; on long runs it can cycle where plain sweeps
// converge (theory/solving-friction.md 3). Depths 2 to 5 need the same number of sweeps in heaps; each costs a pass
// over memory.
#pragma once

#include "vinculum/algebra/types.hpp"

#include <array>
#include <span>
#include <vector>

namespace vinculum::solvers {

class Anderson {
 public:
  static constexpr int deepest = 5;
  explicit Anderson(int depth = deepest) : depth_(depth) {}

  void reset(std::size_t numbers);

  /// Takes x and g(x); replaces g by the accelerated point and `image` = L g, L linear, by that of the new point.
  void accelerate(const double* x, double* g, std::span<double> image = {});

 private:
  double add_column(const double* x, const double* g, std::span<const double> image);
  bool find_weights(std::array<double, deepest>& weight);

  int depth_;
  std::size_t n_ = 0;           // numbers
  int columns_ = 0, next_ = 0;  // columns in use; where the next one goes
  double f_square_ = -1;        // |f|² of the last call, < 0 before the first
  std::array<std::vector<double>, deepest> dF_, dG_, dL_;
  std::vector<double> f_, g_, L_;  // of the last call
  double gram_[deepest][deepest] = {};
};

}  // namespace vinculum::solvers
