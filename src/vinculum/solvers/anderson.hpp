// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Anderson acceleration of a fixed-point map g (here: one sweep), depth 5:
//   f = g(x) − x,   γ = argmin |f − ΔF γ|² + 1e-12 tr(ΔFᵀΔF) |γ|²,   x ← g(x) − ΔG γ
// Memory is dropped when |f| doubles. Good for the first hundred sweeps; on long runs it can cycle where plain sweeps
// converge (theory/solving-friction.md 3).
#pragma once

#include "vinculum/algebra/types.hpp"

#include <array>
#include <vector>

namespace vinculum::solvers {

class Anderson {
 public:
  static constexpr int depth = 5;

  void reset(std::size_t blocks) { reset_numbers(3 * blocks); }
  void reset_numbers(std::size_t n);

  /// Takes x and g(x); replaces g by the accelerated point.
  void accelerate(const std::vector<algebra::Vec3>& x, std::vector<algebra::Vec3>& g) {
    if (n_ > 0) accelerate(x.data()->data(), g.data()->data());
  }
  void accelerate(const double* x, double* g);

 private:
  void remember(const double* g);

  std::size_t n_ = 0;           // numbers
  int columns_ = 0, next_ = 0;  // columns in use; where the next one goes
  double f_square_ = -1;        // |f|² of the last call, < 0 before the first
  std::array<std::vector<double>, depth> dF_, dG_;
  std::vector<double> f_, f_last_, g_last_;
  double gram_[depth][depth] = {};
};

}  // namespace vinculum::solvers
