// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The contact problem of one step: rows of the active candidates, of the laws of trees behind them and of the rods at
// the end, what its solution starts from, the solution, and what the next one starts from.
#pragma once

#include "vinculum/integrators/candidates.hpp"
#include "vinculum/integrators/patch.hpp"
#include "vinculum/integrators/tree_step.hpp"

namespace vinculum::integrators {

class StepProblem {
 public:
  /// `trees`: null where there are none.
  StepProblem(const system::System& system, const Settings& settings, Candidates& candidates, TreeStep* trees)
      : system_(system),
        settings_(settings),
        candidates_(candidates),
        trees_(trees),
        solver_(settings.solver->make()) {}

  /// The problem of all active contacts, and where its solution starts. `repeated`: candidates and q_m are those of the
  /// last problem; where besides the same of them act, its rows are there already.
  void assemble(const Places& at, bool repeated);
  /// From the impulses at hand. `same_matrix`: only the free part is new.
  void solve(double tol, bool polish, bool same_matrix);
  /// Where impulses run away along a self-stress that the laws contradict (wedge.hpp), its contacts become wedged, and
  /// the problem is to be assembled and solved again: true.
  bool release_wedges();
  /// The errors of the impulses at hand, after the free part has changed; true if they are within the tolerance.
  bool measure();
  /// p += W Λ; of trees v⁺.
  void apply(std::vector<Vec3>& p, std::vector<Vec3>& l);

  /// The next solve starts from here, be it of this step or of the next. At rest an accepted warm start Λ° + x leaves a
  /// velocity error e = G x, which the polished answer of the next step takes back with Λ° − x; as a warm start that
  /// would leave −e, and so on for ever. Their mean is Λ°.
  void keep_impulses();
  /// The next solve is of this step: with more contacts.
  void start_from_kept();
  /// For the step to come, of row k, in ascending order; or for a repeated search, all of them.
  void keep_warm_start(std::size_t k, WarmStart& warm_start) const {
    warm_start.add(block(k).key, block(k).frame.F * impulse_of(kept_, k), *block(k).past);
  }
  void keep_warm_start(WarmStart& warm_start) const;

  contact::ContactProblem& problem() { return problem_; }
  const contact::ContactProblem& problem() const { return problem_; }
  const std::vector<Vec3>& Lambda() const { return solution_.Lambda; }
  /// What the last solve started from.
  const std::vector<Vec3>& guess() const { return guess_; }
  const solvers::Report& report() const { return solution_.report; }
  /// Contacts and rods that take part.
  std::size_t size() const { return rows_.size(); }
  const Block& block(std::size_t k) const { return candidates_.blocks()[rows_[k]]; }
  const Vec3& impulse(std::size_t k) const { return impulse_of(solution_.Lambda, k); }
  /// Of rods without trees.
  int redundant() const { return rod_space_.redundant(); }
  Undetermined undetermined() const;

 private:
  double exact_over_c() const;
  void add_block(const Places& at, Block& block);
  void agree_on_patches(const Places& at);
  Vec3 free_part(const Places& at, Block& block);
  void reduce_rods();
  /// Where the impulse of row k is: contacts come first, rods, as bonds, last.
  const Vec3& impulse_of(const std::vector<Vec3>& Lambda, std::size_t k) const {
    return Lambda[k + candidates_.rods() < rows_.size() ? k : Lambda.size() + k - rows_.size()];
  }

  const system::System& system_;
  Settings settings_;
  Candidates& candidates_;
  TreeStep* trees_;
  std::unique_ptr<solvers::Solver> solver_;
  std::vector<std::size_t> rows_, last_rows_;  // active blocks, of this problem and of the one before
  std::vector<int> rod_rows_;
  contact::BondSpace rod_space_;  // without trees
  contact::ContactProblem problem_;
  solvers::Solution solution_;
  std::vector<double> z_;
  double node_square_ = 0, free_square_ = 0;  // sums over the rows: relative velocities at the node, free parts
  std::vector<Vec3> guess_, kept_;            // the warm start of the last solve, and of the next
  std::vector<Vec3> stress_;                  // of contacts that run away
  std::vector<std::size_t> resting_;          // rows that rest, by pairs of bodies
  Patch patch_;
};

}  // namespace vinculum::integrators
