// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The one problem, small and dense, with any convex sets:
//
//   find (ξ, Λ):   ξ = G Λ + c,    −ξ_i ∈ N_{C_i}(Λ_i)   <=>   Λ_i = P_{C_i}(Λ_i − ρ ξ_i) for every ρ > 0
//
// For symmetric G and fixed convex C_i it is the dual of least constraint:  min ½ Λᵀ G Λ + cᵀ Λ over Λ_i ∈ C_i.
// A block of Coulomb friction coupled to its own normal force is no projection onto one set; it answers by PC(y) of
// laws::ForceLaw and has no dual program, but the equation Λ = PC(Λ − ρ ξ) is the same.
#pragma once

#include "vinculum/algebra/types.hpp"
#include "vinculum/convex/set.hpp"

#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace vinculum::principles {

using algebra::Mat3;
using algebra::Vec3;

enum class BlockKind : std::uint8_t {
  box,   // lower <= Λ <= upper, row by row: bonds, unilateral rows, friction with a given load on a line, given forces
  disc,  // |Λ| <= radius
  set,   // any set of convex/: −Λ ∈ minus_set
  coulomb,       // rows N, T1, (T2): sticks, |Λ_T| <= mu Λ_N
  coulomb_slip,  // rows N, T1, (T2): slides along `slip`, Λ_T = −mu Λ_N slip
};

/// One block of at most three rows.
struct Block {
  BlockKind kind = BlockKind::box;
  int rows = 1;
  Vec3 lower = Vec3::Zero(), upper = Vec3::Zero();
  double radius = 0;
  convex::SetPtr minus_set;
  double mu = 0;
  Vec3 slip = Vec3::Zero();  // unit vector in rows 1, 2

  bool convex() const { return kind != BlockKind::coulomb && kind != BlockKind::coulomb_slip; }
  Vec3 project(const Vec3& y) const;
  Mat3 derivative(const Vec3& y) const;  // of project
};

struct SmallProblem {
  Eigen::MatrixXd G;
  Eigen::VectorXd c;
  std::vector<Block> blocks;  // rows in order

  Eigen::Index rows() const { return c.size(); }
  bool convex() const;
};

struct SmallReport {
  bool solved = false;
  int newton_steps = 0, sweeps = 0;
  double residual = 0;  // |Λ − P(Λ − ρ ξ)| over max(|c|, |Λ|), all in units of energy^(1/2)
};

/// Semi-smooth Newton inside proximal or augmented Lagrangian steps (small_solver.cpp). Keeps its scratch memory: no
/// allocation while problems do not grow.
class SmallSolver {
 public:
  /// Λ: in the guess, out the answer. ξ = G Λ + c.
  SmallReport solve(const SmallProblem& problem, double tol, Eigen::VectorXd& Lambda, Eigen::VectorXd& xi);

 private:
  double natural_map(const SmallProblem& problem, const Eigen::VectorXd& Lambda);
  bool newton_step(const SmallProblem& problem, const Eigen::VectorXd& Lambda);
  void sweep(const SmallProblem& problem, Eigen::VectorXd& Lambda);
  bool eliminate();
  double lagrangian(const SmallProblem& problem, const Eigen::VectorXd& eta, double kappa);
  bool lagrangian_step(const SmallProblem& problem, double kappa);
  void augmented_step(const SmallProblem& problem, double kappa, Eigen::VectorXd& Lambda, SmallReport& report);

  Eigen::VectorXd rho_, weight_, xi_, map_, step_, trial_, centre_, best_, gradient_;
  Eigen::MatrixXd J_;
  std::vector<Mat3> D_;
  double delta_ = 0;  // weight of the proximal term, in units of 1/rho
};

/// |Λ − P(Λ − ρ ξ)| over max(|c|, |Λ|) in units of energy^(1/2), by its definition; no solver code.
double judge(const SmallProblem& problem, const Eigen::VectorXd& Lambda);

}  // namespace vinculum::principles
