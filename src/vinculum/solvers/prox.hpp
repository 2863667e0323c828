// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Proximal semi-smooth Newton in body space (theory/solving-friction.md 4 and 9), on scaled variables.
// Outer step at r:  find r⁺ with  law(u(r⁺) + α (r⁺ − r), r⁺),  that is  r⁺ = PC(r − u(r⁺)/α).
// With δ = Jᵀ(r⁺ − r) as unknown, six per node, and u = u(r) + J δ:
//   G(δ) = δ − Jᵀ (PC(r − (u(r) + J δ)/α) − r) = 0,     G' = I + Jᵀ (PC'/α) J   (unsymmetric, block LU)
// α is a proximal weight and vanishes from the solution. Working with δ instead of z = Jᵀ r⁺ keeps all quantities of
// the size of the correction, so that steps with small α refine down to rounding.
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
  /// factors. Returns the scaled error; r never gets worse.
  double polish(const ScaledProblem& scaled, BodyMatrix& matrix, int factorisations, std::vector<Vec3>& r);

  int newton_steps = 0;  // of the last call

 private:
  void centre(const std::vector<Vec3>& r);
  void evaluate(const std::vector<Vec3>& r, const std::vector<double>& delta);
  bool solve_inner(const std::vector<Vec3>& r, double alpha, int most_steps);
  bool search_line(const std::vector<Vec3>& r, double reference);

  const ScaledProblem* scaled_ = nullptr;
  BodyMatrix* matrix_ = nullptr;
  double alpha_ = 0;
  double merit_ = 0, moved_ = 0, error_ = 0;  // |G|², |r⁺ − r|², scaled error of the centre
  int inner_steps_ = 0;
  std::vector<double> z_, delta_, trial_, G_, d_;
  std::vector<Vec3> u_, y_, p_, r_;
  std::vector<laws::Mat3> D_;
};

}  // namespace vinculum::solvers
