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
//
// Eight problems that are alike (alike.hpp) go through the same steps side by side, one to a lane. In a step those go
// along whose laws do the same as those of the one that is farthest behind, so that they share the rows of K; the
// others wait. One that goes a way of its own is left as it was, to be solved alone. Each has the answer, to the bit,
// that it has alone.
#pragma once

#include "vinculum/solvers/dense_work.hpp"

namespace vinculum::solvers {

/// Blocks of a problem, on nodes that are numbered for themselves: node local[a] is node a of the problem.
struct DensePart {
  std::span<const int> blocks, local;
  std::size_t nodes;
};

template <class K>
class DenseMethod {
 public:
  static constexpr int lanes = K::lanes;

  /// From the warm start in solution.Lambda to the solution of each part, within settings.tol or, where polish is asked
  /// for, to rounding. Writes Lambda, only of the blocks of the parts, and of each part a report; its errors are |F|.
  /// Returns the parts, as bits, that converge; nothing is written of the others. With settings.same_matrix G and its
  /// last factors are kept; parts that are no longer `asked` for stand idle.
  unsigned solve(const contact::ContactProblem& problem, std::span<const DensePart> parts, unsigned asked,
                 const Settings& settings, Solution& solution, std::span<Report> reports);
  /// Of the last solve the parts that are to be solved alone.
  unsigned apart() const { return apart_; }
  /// The next problem is a new one, whatever its settings say.
  void forget() { work_.blocks.clear(); }
  int rows() const { return work_.m; }
  /// Memory for problems of this size.
  void make_room(int rows, std::size_t blocks, std::size_t nodes);

 private:
  using T = typename K::T;

  void read(const contact::ContactProblem& problem, std::span<const DensePart> parts);
  unsigned small(const typename K::Memory& x) const;
  void list_rows(int lane);
  unsigned prepare(unsigned in, int lane);
  unsigned step_along(unsigned in, double quiet, const double* size);
  unsigned go(unsigned in, double target, double quiet);
  void look(unsigned in);
  unsigned iterate(unsigned all, double target, bool polish, bool again);
  void write(unsigned in, const Settings& settings, Solution& solution, std::span<Report> reports) const;

  DenseWork<K> work_;
  // Lanes, as bits.
  unsigned factored_ = 0;   // there is a factor for the states that were last looked at, had each lane its own
  unsigned moved_ = 0;      // since then they ask for other rows
  unsigned ready_ = 0;      // K and Z at hand are those of the lane
  unsigned apart_ = 0;      // goes a way of its own
  unsigned of_matrix_ = 0;  // K is
  double of_alpha_ = 0;     // and for this α
  std::vector<int> rows_before_;
  std::size_t room_[3] = {};  // for rows, blocks and nodes
  // Of each lane.
  double t_[lanes] = {}, next_[lanes] = {};  // how far to go, and |F|² there
  double left_[lanes] = {};                  // |F| that the last direction leaves on purpose
  double merit_[lanes] = {}, best_[lanes] = {}, start_[lanes] = {}, error_[lanes] = {};
  int steps_[lanes] = {}, rises_[lanes] = {}, creeping_[lanes] = {}, iterations_[lanes] = {},
      factorisations_[lanes] = {};
};

/// A bond of one row: the others are zero and take no impulse.
bool has_one_row(const contact::ContactProblem& problem, int block);

/// One problem.
class DenseNewton {
 public:
  using Part = DensePart;

  /// Small enough to be written out.
  static bool fits(const contact::ContactProblem& problem);
  static bool fits(const contact::ContactProblem& problem, const Part& part);

  bool solve(const contact::ContactProblem& problem, const Settings& settings, Solution& solution);
  /// The same for a part of it.
  bool solve(const contact::ContactProblem& problem, const Part& part, const Settings& settings, Solution& solution);
  void forget() { method_.forget(); }
  void make_room(int rows, std::size_t blocks, std::size_t nodes) { method_.make_room(rows, blocks, nodes); }

 private:
  DenseMethod<algebra::One> method_;
  std::vector<int> all_;  // 0, 1, 2, ...
};

/// Up to eight that are alike.
using DenseNewtons = DenseMethod<algebra::Many>;

}  // namespace vinculum::solvers
