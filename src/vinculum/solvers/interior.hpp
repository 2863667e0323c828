// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Interior point in body space with exact linearisation of De Saxcé's term (theory/solving-friction.md 5 and 9), on
// scaled variables. For a Coulomb block, with Ĵ = diag(1, μ, μ) J and L the Lorentz cone,
//   x = (r_N, r_T/μ) ∈ L,   y = Ĵ z + ĉ + s e₀ ∈ L,   z = Ĵᵀ x,   s = √(|y_T|² + ε²),   x ∘ y = τ e → 0.
// Newton: C = I − e₀ (0, y_T/s)ᵀ,  X = arw x,  Y = arw y,  g = Ĵ z + ĉ + s e₀ − y:
//   (Ĵ Ĵᵀ + C X⁻¹ Y + δ I) dx = C X⁻¹ w − g,   dy = X⁻¹ (w − Y dx),   w = στe − x∘y − dx_a∘dy_a
// and with S = (C X⁻¹ Y + δ I)⁻¹, ζ = Ĵᵀ dx, b = C X⁻¹ w − g
//   (I + Ĵᵀ S Ĵ) ζ = Ĵᵀ S b,   dx = S (b − Ĵ ζ).     δ is proximal (it multiplies the step only).
// S grows like 1/τ, so ζ is refined once with its true residual Ĵᵀ dx − ζ.
// Frictionless blocks are the cone ℝ₊; bonds have no cone, S = I/δ_bond.
//
// Brings a cold start of a hard problem (a packing) near a solution in 10 to 40 factorisations; Newton takes it from
// there.
#pragma once

#include "vinculum/solvers/body_matrix.hpp"

namespace vinculum::solvers {

class InteriorPoint {
 public:
  struct Limits {
    double target = 1e-5;  // scaled error to reach
    int steps = 50;
    double delta = 1e-3;  // proximal weight; a tiny one lets impulses of hyperstatic faces move as far as they must
    double shift = 10;    // the start is moved into the cone by shift/√blocks
  };
  struct Outcome {
    bool reached = false;
    double error = 0;
    int steps = 0;
  };

  /// Moves into the cone from the admissible r and starts there.
  void start(const ScaledProblem& scaled, BodyMatrix& matrix, const Limits& limits, const std::vector<Vec3>& r);

  /// Goes on from where it was, to limits.target; leaves the best point of this call in r.
  Outcome run(const Limits& limits, std::vector<Vec3>& r);

 private:
  enum class Cone : unsigned char { lorentz, ray, none };
  struct Block {
    Cone cone;
    Vec3 x, y, dx, dy, g, w;
    laws::Mat3 inverse_X, Y, CX, S;
  };

  void linearise(double delta);
  bool direction();
  bool back_substitute();
  void refine();
  void add_impulse(std::size_t i, Vec3 p, std::vector<double>& z) const;
  double longest_step() const;
  double complementarity(double t) const;
  double error_of_x();

  const ScaledProblem* scaled_ = nullptr;
  BodyMatrix* matrix_ = nullptr;
  double cones_ = 0;
  std::vector<Block> block_;
  std::vector<laws::Mat3> D_;
  std::vector<double> z_, zeta_, rest_;
  std::vector<Vec3> r_, u_, q_;
};

}  // namespace vinculum::solvers
