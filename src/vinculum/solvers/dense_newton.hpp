// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A small problem, in contact space and dense: one robot on the ground. On unit-free variables (scaled.hpp), rows of
// all blocks behind one another,
//   u = G x + c',   G = J' J'ᵀ
//   F(x) = x − PC(x − ρ u) = 0                                               Alart and Curnier 1991
//   (I − D + ρ D (G + α I)) dx = −F,    D = PC'(x − ρ u)
// G may be singular (more contacts than freedoms). α is a proximal weight around the present point: it bounds the step
// along impulses that move nothing and leaves the solution as it is. Rows whose law lets go (D = 0) have dx = −F and
// stay outside the factor. While the laws keep their state and |F| falls fast the factor is kept: near the solution an
// iteration costs two products. Steps are full ones while the states settle, then damped by |F|; where that does not
// end within the tolerance, once more from the best point with another ρ; then the caller goes on with other methods.
#pragma once

#include "vinculum/solvers/solver.hpp"

#include <vector>

namespace vinculum::solvers {

class DenseNewton {
 public:
  /// Small enough to be written out.
  static bool fits(const contact::ContactProblem& problem);

  /// From the warm start in solution.Lambda to the solution, within settings.tol or, where polish is asked for, to
  /// rounding. Writes Lambda and the report; its errors are |F|. False where it does not converge; nothing is written
  /// then. With settings.same_matrix G and its last factor are kept.
  bool solve(const contact::ContactProblem& problem, const Settings& settings, Solution& solution);
  /// The next problem is a new one, whatever its settings say.
  void forget() { blocks_.clear(); }

 private:
  struct Block {
    const laws::ForceLaw* law;
    bool coulomb;
    int row, rows;
    double mu, scale;  // Λ = scale x
  };

  void write_out(const contact::ContactProblem& problem);
  void read_free_part(const contact::ContactProblem& problem, const std::vector<contact::Vec3>& Lambda);
  static bool sticks(const Block& block, const contact::Vec3& y);
  double evaluate(const double* x, const double* u, double* y, double* F) const;
  bool find_states(const double* y);
  bool factor();
  void find_direction();
  double try_step(double t);
  bool iterate(double target, bool polish);

  std::vector<Block> blocks_;
  std::vector<double> d_;
  int m_ = 0, stride_ = 0;
  std::vector<double> J_, G_, A_;
  std::vector<double> c_, x_, u_, y_, F_, dx_, du_, trial_x_, trial_u_, best_, rhs_, part_, inverse_;
  std::vector<laws::Mat3> D_;
  std::vector<char> state_;        // of each block: lets go, holds, or in between
  std::vector<int> kept_, order_;  // rows in the factor
  double sigma_ = 1;               // |D c|
  double start_ = 0, error_ = 0;   // |F| of the warm start, and of the answer
  double rho_ = 1;
  bool factored_ = false;
  int iterations_ = 0, factorisations_ = 0;
};

}  // namespace vinculum::solvers
