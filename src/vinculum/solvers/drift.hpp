// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A long step along the way that sweeps creep. A heap has more contacts than its bodies have freedoms: impulses d with
// Jᵀ d ≈ 0 move nothing, sweeps shift them by nearly the same small amount again and again until one reaches the edge
// of its cone, and acceleration by differences of steps (Anderson) has no difference to work with. So, from two runs of
// plain sweeps that changed r by d₁ and then by d₂ ≈ ρ d₁, ρ < 1 close to 1, to the end of the geometric series:
//   r ← PC(r + d₂ ρ/(1 − ρ)),   ρ = d₁ᵀd₂ / d₁ᵀd₁        (Aitken's extrapolation)
// The errors that the step makes are short ones, which the next sweeps remove.
#pragma once

#include "vinculum/solvers/sweep.hpp"

namespace vinculum::solvers {

/// ρ/(1 − ρ), the length of the step in units of d₂; 0 where d₂ turns back.
double drift_length(double d1_d1, double d1_d2);

class Drift {
 public:
  /// Twice `sweeps` sweeps from r, then the long step. Returns the scaled error of the sweeps' result, which `swept`
  /// receives.
  double step(const ScaledProblem& scaled, Sweeper& sweeper, int sweeps, std::vector<Vec3>& r,
              std::vector<Vec3>& swept);

 private:
  std::vector<Vec3> half_, u_;
  std::vector<double> z_;
};

}  // namespace vinculum::solvers
