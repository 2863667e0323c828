// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A small problem, in contact space and dense: one robot on the ground. On unit-free variables (scaled.hpp), rows of
// all blocks behind one another,
//   u = G x + c',   G = J' J'ᵀ
//   F(x) = x − PC(x − ρ u) = 0                                               Alart and Curnier 1991
//   (I − D + ρ D K) dx = −F,    D = PC'(x − ρ u),   K = G + α I
// G may be singular (more contacts than freedoms). α is a proximal weight around the present point: it bounds the step
// along impulses that move nothing and leaves the solution as it is.
// Only K is factored, by Cholesky, and once as long as the same laws hold or slip. Rows whose law lets go (D = 0) have
// dx = −F and stay outside. Of the others let w = K dx; where the row of D is that of I (what holds, the normal of what
// slips) w = −F/ρ. The rest, N, the tangents of what slips, are few: with Z = K⁻¹ E_N and y = K⁻¹ of the known w
//   dx = y + Z w_N,    (I − D)(y + Z w_N) + ρ D w = −F on N
// is a small system, new in each step, so that every step is a full Newton step at the price of one pair of triangular
// solves. Steps are full ones while the states settle, then damped by |F|; a step along impulses that move nothing
// ends where the first contact begins to slip. Where that does not end within the tolerance, once more from the best
// point with another ρ; then the caller goes on with other methods.
#pragma once

#include "vinculum/solvers/solver.hpp"

#include <span>
#include <vector>

namespace vinculum::solvers {

class DenseNewton {
 public:
  /// Blocks of a problem, on nodes that are numbered for themselves: node local[a] is node a of the problem.
  struct Part {
    std::span<const int> blocks, local;
    std::size_t nodes;
  };

  /// Small enough to be written out.
  static bool fits(const contact::ContactProblem& problem);
  static bool fits(const contact::ContactProblem& problem, const Part& part);

  /// From the warm start in solution.Lambda to the solution, within settings.tol or, where polish is asked for, to
  /// rounding. Writes Lambda and the report; its errors are |F|. False where it does not converge; nothing is written
  /// then. With settings.same_matrix G and its last factor are kept.
  bool solve(const contact::ContactProblem& problem, const Settings& settings, Solution& solution);
  /// The same for a part of it; of Lambda only the blocks of the part are read and written.
  bool solve(const contact::ContactProblem& problem, const Part& part, const Settings& settings, Solution& solution);
  /// The next problem is a new one, whatever its settings say.
  void forget() { blocks_.clear(); }

 private:
  enum class Form : char { coulomb, one_sided, bond, other };  // the first three without a virtual call
  enum State : char { lets_go, holds, between, unknown };
  struct Block {
    const laws::ForceLaw* law;
    Form form;
    int number;  // in the problem
    int row, rows;
    int columns;       // end of its columns in listed_
    double mu, scale;  // Λ = scale x
  };

  void write_out(const contact::ContactProblem& problem, const Part& part);
  void multiply_out();
  void read_free_part(const contact::ContactProblem& problem, const std::vector<contact::Vec3>& Lambda);
  double evaluate(const double* x, const double* u, double* y, double* F);
  bool find_states(const double* y);
  bool factor();
  bool factor_kept();
  void solve_columns();
  bool find_rest(const double* g);
  bool leave_quiet(double quiet);
  void solve_kept();
  bool find_direction(double quiet);
  double try_step(double t);
  double first_crossing(double most) const;
  bool step_along(double quiet, double size, double& t, double& next);
  bool iterate(double target, bool polish, bool again);

  std::vector<int> all_;  // 0, 1, 2, ...
  std::vector<Block> blocks_;
  std::vector<double> d_;
  int m_ = 0, stride_ = 0;
  std::vector<double> columns_;  // of J'; zero between two problems
  std::vector<int> listed_;      // of each block: where those begin in which it is not zero
  std::vector<double> G_, K_, Z_, A_;
  std::vector<double> c_, x_, u_, y_, F_, dx_, du_, trial_x_, trial_u_, best_, w_, part_, corners_;
  std::vector<double> rhs_, rest_, rest_inverse_;  // of the small system
  std::vector<laws::Mat3> D_;
  std::vector<char> state_, next_state_;  // of each block, where the factor was made, and at the point last looked at
  std::vector<int> kept_, place_;         // rows in the factor; place of each row there, −1: outside
  std::vector<int> slipping_;             // blocks in between
  std::vector<int> rest_rows_, order_;    // N, as rows of the problem
  double sigma_ = 1;                      // |D c|
  double start_ = 0, error_ = 0;          // |F| of the warm start, and of the answer
  double left_ = 0;                       // |F| that the last direction leaves on purpose
  double rho_ = 1, alpha_ = 0;
  bool factored_ = false;
  int iterations_ = 0, factorisations_ = 0;
};

}  // namespace vinculum::solvers
