// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Interior point in contact space with exact linearisation of De Saxcé's term (theory/solving-friction.md 5), for
// Coulomb contacts, W symmetric or not. With m = diag(1, μ, μ), Ŵ = m W m, q̂ = m q and L the Lorentz cone
//   x = (r_N, r_T/μ) ∈ L,   y = Ŵ x + q̂ + s e₀ ∈ L,   s = √(|y_T|² + ε²),   x ∘ y = τ e → 0
// Newton: C = I − e₀ (0, y_T/s)ᵀ,  X = arw x,  Y = arw y,  g = Ŵ x + q̂ + s e₀ − y:
//   (Ŵ + C X⁻¹ Y) dx = C X⁻¹ c − g,   dy = X⁻¹ (c − Y dx)
// Frictionless contacts are the ray r_N ≥ 0. The best way to the neighbourhood of a solution from a cold start: 6 to 20
// steps, each one factorisation. It may stall where the problem is not monotone; the caller then goes on otherwise.
#pragma once

#include "vinculum/algebra/types.hpp"
#include "vinculum/solvers/explicit_space.hpp"

namespace vinculum::solvers {

class ContactInterior {
 public:
  struct Outcome {
    bool reached = false;
    double error = 0;  // scaled
    int steps = 0;
  };

  /// Moves into the cone from the admissible r and starts there. `far`: a hundred times as far inside and with less
  /// smoothing, so that wedged bodies are pressed and most contacts stick (portfolio_factors.cpp, from_inside).
  void start(const ContactSpace<3>& space, ContactMatrix<3>& matrix, const std::vector<double>& r, bool far = false);

  /// Goes on from where it was until the scaled error is below `target`; leaves the last point, made admissible, in r.
  Outcome run(double target, int steps, std::vector<double>& r);

 private:
  using Vec3 = algebra::Vec3;
  using Mat3 = algebra::Mat3;
  struct Block {
    bool lorentz;
    double mu;
    Vec3 x, y, dx, dy, g, c, dx_kept, dy_kept;
    Mat3 inverse_X, Y, CX;
  };

  bool linearise();
  bool direction();
  double try_centre(double tau, double t);
  double longest_step() const;
  double complementarity(double t) const;
  double error_of_x();

  const ContactSpace<3>* space_ = nullptr;
  ContactMatrix<3>* matrix_ = nullptr;
  std::vector<Block> block_;
  std::vector<double> r_, u_, dx_;
  int steps_ = 0, since_gain_ = 0;
  double best_ = 0, gained_ = 0;
  double smooth_ = 0;  // ε/√τ
};

}  // namespace vinculum::solvers
