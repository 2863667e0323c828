// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Proximal semi-smooth Newton in contact space (theory/solving-friction.md 4), W symmetric or not.
// Outer step at r: find x with the law holding for (x, ũ), ũ = u(x) + α (x − r). α vanishes from the solution.
// Inner problem F(x, ũ) = 0 in the form of explicit_law.hpp, dF = P dũ + Q dx; Newton matrix by blocks
//   N_ij = P_i (W_ij + α δ_ij) + Q_i δ_ij
// Open contacts have rows of the identity, which the factorisation leaves out.
#pragma once

#include "vinculum/solvers/explicit_law.hpp"
#include "vinculum/solvers/explicit_space.hpp"

namespace vinculum::solvers {

template <int Rows>
class ContactProx {
 public:
  struct Limits {
    double aim = 3e-9;    // unit-free error, for Errors::miss
    double alpha = 0.1;   // cold .1; near a solution 1e-3 or less
    int outer = 1 << 30;  // outer steps
    int failures = 1 << 30;
    int newton_steps = 1 << 30;
  };
  struct Outcome {
    bool reached = false;
    bool idle = false;                                // gave up for lack of gain, not of budget
    typename ContactSpace<Rows>::Errors errors = {};  // of the point returned
    double alpha = 0;                                 // reached, to go on from
    int newton_steps = 0;
  };

  /// Starts at the admissible r; leaves the best point found there.
  Outcome run(const ContactSpace<Rows>& space, ContactMatrix<Rows>& matrix, const Limits& limits,
              std::vector<double>& r);

 private:
  static constexpr int stride = ContactSpace<Rows>::stride;
  double residual(double t);
  bool direction();
  bool solve_inner(double alpha, double rho, int most_steps);

  const ContactSpace<Rows>* space_ = nullptr;
  ContactMatrix<Rows>* matrix_ = nullptr;
  double alpha_ = 0, rho_ = 3;
  int inner_steps_ = 0;
  std::vector<double> r_, u_;            // centre and its velocity
  std::vector<double> x_, v_, dx_, dv_;  // inner point, its velocity, Newton direction (to be subtracted)
  std::vector<LawPoint<Rows>> point_;
};

}  // namespace vinculum::solvers
