// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The principles of d'Alembert (A), Jourdain (J), Gauss (G) and least constraint (Z) along a recorded motion of a
// Lagrangian part (Glocker 1998, section 4), with the mean acceleration a = (u_{k+1} − u_k)/dt and the mean forces λ =
// Λ/dt of a step:
//
//   A  −λ_i ∈ ∂V_i(x_i)          at the node that the step reaches
//   J  −λ_i ∈ ∂Φ_i(ξ_i)          at the velocity that the scheme answers for
//   G  −λ_i ∈ ∂Ψ_i(γ̇_i)         at the middle, γ̇ = Wᵀ a + w with the drift w of (q̄, ū): curvature and turning rows
//   Z  Σ Ψ_i(γ̇_i) + λ_i·γ̇_i = 0   duality gap of the least constraint: no a has less
//
// A and J hold to the tolerance of the trace. G and Z compare a mean over the step with an instant; they may differ by
// what the drift itself changes in the step and by the square of what the directions W turn.
#pragma once

#include "vinculum/checks/check.hpp"

namespace vinculum::checks {

enum class Principle { dalembert, jourdain, gauss, least_constraint };

/// Keeps the worst of one principle over all steps.
class PrincipleCheck final : public Check {
 public:
  explicit PrincipleCheck(Principle principle);
  void look(const Replay& step) override;

 private:
  void look_at(const Coordinates& at, const LawView& view, const VectorXd& w, const MatrixXd& W, double slack);

  Principle principle_;
  std::size_t impacts_ = 0;
  double largest_ = 0;  // acceleration of the rows so far
};

}  // namespace vinculum::checks
