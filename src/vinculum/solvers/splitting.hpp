// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Douglas-Rachford splitting with one factor and the exact laws (theory/solving-friction.md 9), on scaled variables:
//   r = PC(y),   r̂ = (2r − y) − u(r̂)/α   by   (I + JᵀJ/α) z = Jᵀ(2r − y − c/α),  u = J z + c,   y ← y + ω (r̂ − r)
// At a fixed point r̂ = r and α(r − y) = u, so r = PC(r − u/α). A step costs one product with J, one with Jᵀ and one
// solve. Each 20 steps α is balanced: q = α|Δr|/|Δu| far from 1 moves it.
#pragma once

#include "vinculum/solvers/body_matrix.hpp"

namespace vinculum::solvers {

class Splitting {
 public:
  struct Limits {
    double target = 1e-8;  // scaled error to reach
    double alpha = 1e-4;   // 1e-4 for stacks at rest, .03 for packings
    double omega = 1;
    int steps = 100;
    int patience = 40;      // steps without halving the error before giving up
    int balance_every = 0;  // steps between corrections of α; 0: α stays
  };
  struct Outcome {
    bool reached = false;
    double error = 0;
    int steps = 0;
  };

  /// Starts at the admissible r with zero velocity; leaves the best point found in r.
  Outcome run(const ScaledProblem& scaled, BodyMatrix& matrix, const Limits& limits, std::vector<Vec3>& r);

 private:
  bool step(double omega);
  bool balance();
  double error_of_p();

  const ScaledProblem* scaled_ = nullptr;
  BodyMatrix* matrix_ = nullptr;
  double alpha_ = 0;
  std::vector<laws::Mat3> D_;
  std::vector<double> z_;
  std::vector<Vec3> y_, p_, u_, p_last_, w_last_;
};

}  // namespace vinculum::solvers
