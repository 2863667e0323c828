// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Proximal semi-smooth Newton in body space (theory/solving-friction.md 4 and 9), on scaled variables.
// Outer step at r: find x with law(ũ, x), ũ = u(x) + α (x − r). α is a proximal weight and vanishes from the solution.
// Inner problem, for any ρ > 0 (Alart-Curnier form):
//   F(x) = x − PC(y) = 0,   y = x − ρ ũ,   D = PC'(y) exact, not symmetric where the law is not associated
// Newton:  (I − (1 − ρα) D) dx + ρ D J ζ = −F,  ζ = Jᵀ dx.  With E = (I − (1 − ρα) D)⁻¹ and S = ρ E D per block
//   (I + Jᵀ S J) ζ = −Jᵀ E F,    dx = −E (F + ρ D J ζ)
// so that the matrix has six rows per node, and along dx the velocity moves by J ζ: a trial point costs no product.
// Right-hand sides are residuals, which is why steps with small α refine down to rounding.
#pragma once

#include "vinculum/solvers/body_matrix.hpp"

namespace vinculum::solvers {

class ProxNewton {
 public:
  struct Limits {
    double target = 1e-8;  // scaled error to reach
    double alpha = 0.1;    // cold .1; near a solution smaller
    int newton_steps = 1000;
    int failures = 30;  // inner problems given up before the run is
  };
  struct Outcome {
    bool reached = false;
    bool idle = false;  // gave up for lack of gain, not of budget
    double error = 0;   // scaled, of the point returned
    int newton_steps = 0;
  };

  /// Starts at the admissible r; leaves the best point found in r.
  Outcome run(const ScaledProblem& scaled, BodyMatrix& matrix, const Limits& limits, std::vector<Vec3>& r);

  /// Near a solution: outer steps with small α while each one halves the error or better, at most `factorisations` new
  /// factors, until the scaled error is `enough`, or `enough_moving` where the problem moves. Returns that error; r
  /// never gets worse.
  double polish(const ScaledProblem& scaled, BodyMatrix& matrix, int factorisations, double enough,
                double enough_moving, std::vector<Vec3>& r);

  int newton_steps = 0;  // of the last call

 private:
  void centre(const std::vector<Vec3>& r);
  double residual(const std::vector<Vec3>& r, double t);
  bool linearise();
  bool direction();
  bool solve_inner(const std::vector<Vec3>& r, double alpha, double rho, int most_steps);

  const ScaledProblem* scaled_ = nullptr;
  BodyMatrix* matrix_ = nullptr;
  double alpha_ = 0, rho_ = 3;
  double error_ = 0;  // scaled error of the centre
  int inner_steps_ = 0;
  bool chord_ = false;  // the factors of an earlier point are used on
  std::vector<double> z_;
  std::vector<Vec3> r_, u_;                    // centre and its velocity
  std::vector<Vec3> x_, v_, dx_, dv_, y_, F_;  // inner point, its velocity, Newton direction
  std::vector<laws::Mat3> D_, S_, E_;
};

}  // namespace vinculum::solvers
