// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// One connected problem, by whatever suits it (theory/solving-friction.md 6 and 9). Stages, each from the best point so
// far, until one of them has solved the problem:
//
//   warm start good?  →  near, and to be polished: Newton steps with kept factors  →  loose tolerance and moving:
//   sweeps and patches (patches.hpp)  →  Newton steps from the warm start  →  if it moves: interior point + Newton  →
//   splitting (at rest)  →  20-sweep chunks  →  interior point + Newton  →  interior point from far inside + sweeps
//   with long steps + Newton  →  Newton  →  splitting (packings)  →  Newton  →  plain sweeps to the budget;  at last,
//   what is at rest is polished to rounding
//
// Stages that factor are left out where a factor costs more than many sweeps. The order is in portfolio.cpp, the stages
// in portfolio_sweeps.cpp and portfolio_factors.cpp.
//
// Resting states are stepped 10⁵ times. A warm start that is merely within tol would be accepted again and again while
// the velocity error grows, step by step, to the tolerance: creep. With settings.polish it is accepted only at rounding
// level, estimated from the problem itself, so that the answer depends on nothing but problem, settings and warm start.
#pragma once

#include "vinculum/solvers/anderson.hpp"
#include "vinculum/solvers/drift.hpp"
#include "vinculum/solvers/interior.hpp"
#include "vinculum/solvers/patches.hpp"
#include "vinculum/solvers/prox.hpp"
#include "vinculum/solvers/solver.hpp"
#include "vinculum/solvers/splitting.hpp"
#include "vinculum/solvers/sweep.hpp"

#include <limits>
#include <optional>

namespace vinculum::solvers {

/// Error over |c'| at which a polished warm start needs no further look.
inline constexpr double kRest = 1e-12;
inline constexpr double kRough = 1e-3;  // a few plain sweeps reach a tolerance above it

/// Impulses of a contradiction grow without end, by long steps fast: c is lost in their rounding, and with it the
/// error.
bool runs_away(const std::vector<Vec3>& r);

/// Λ_i of a block that shares no node with others: its local problem, exact at once.
Vec3 solve_alone(const ContactProblem& problem, std::size_t i, const Vec3& guess);

class Portfolio {
 public:
  /// `known`: the errors of the warm start, where they have been measured.
  void solve(const ContactProblem& problem, const Settings& settings, Solution& solution,
             const contact::Errors* known = nullptr);

 private:
  // Of several stages.
  static constexpr int kShortChunk = 10;  // sweeps, in heaps
  static constexpr int kRoughChunk = 4;   // to a rough tolerance
  static constexpr double kNone = std::numeric_limits<double>::infinity();
  static constexpr std::size_t kSmall = 32;  // blocks, that cost nothing
  static constexpr double kLoose = 1e-7;     // a tolerance above it is reached by sweeps sooner than by Newton steps

  void solve_one();
  double rounding_level();
  bool out_of_date();
  bool is_swept_anyway() const;
  bool accept_warm_start();
  bool polish_warm_start();
  void keep_if_better(const std::vector<Vec3>& r, double error, std::string_view method);
  bool judge();
  void look_at_motion();
  bool is_good();
  void judge_start(const contact::Errors* known);
  bool split(double alpha, double omega, int steps, double target);
  bool sweep_chunks(int most, double patience);
  bool sweep_and_patch();
  bool leap(bool patches, int most);
  bool from_inside();
  bool sweep_plain();
  void prepare_sweeps();
  void sweep(int sweeps, bool accelerated);
  double sweep_chunk(int sweeps, bool accelerated);
  bool sweep_roughly();
  bool newton(const std::vector<Vec3>& from, double alpha, int steps);
  bool interior(int steps, bool packing);
  bool solve_by_factors();
  bool factors_are_cheap();
  bool moves();
  void polish();
  void sweep_on();
  int budget() const { return settings_->max_iterations - report_->iterations; }

  const ContactProblem* problem_ = nullptr;
  const Settings* settings_ = nullptr;
  Solution* solution_ = nullptr;
  Report* report_ = nullptr;

  ScaledProblem scaled_;
  BodyMatrix matrix_;
  Sweeper sweeper_;
  Anderson anderson_{2};
  Splitting splitting_;
  ProxNewton newton_;
  InteriorPoint interior_;
  Patches patches_;
  Drift drift_;
  bool sweeper_ready_ = false, matrix_ready_ = false;
  std::optional<bool> moves_;  // at best_, once it was asked for
  bool gained_late_ = false;   // plain sweeps still gained when the budget ended
  double target_ = 0;          // scaled error aimed at, so that the judged error is within tol as well
  double best_error_ = 0;      // scaled
  std::vector<Vec3> start_, best_, r_, before_, inside_, u_;
  std::vector<double> z_, bound_;
};

}  // namespace vinculum::solvers
