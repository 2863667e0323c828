// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The trees' share of a step of moreau.cpp (motion/forest.hpp has the scheme, tree_laws.hpp the laws):
//   predict      q_m, q_e, velocities and laws there, the factor of M̂, a first v_f
//   add_blocks   limits, dry friction, springs, couplings and closures join the contact problem, behind the contacts
//   apply        v⁺ = v_f + M̂⁻¹ W Λ
//   correct      forces at the new v̄ give a new v_f; until it stands still the problem is solved again. In between only
//                c changes: with z = L v_f, M̂ = LᵀL, by J Δz. What hardly moves any more is brought together with the
//                impulses held
//   end          q_{k+1} before the projection
#pragma once

#include "vinculum/contact/bond_space.hpp"
#include "vinculum/integrators/corrections.hpp"
#include "vinculum/integrators/places.hpp"
#include "vinculum/integrators/undetermined.hpp"
#include "vinculum/integrators/warm_start.hpp"
#include "vinculum/solvers/anderson.hpp"

namespace vinculum::integrators {

class TreeStep {
 public:
  TreeStep(const system::System& system, const Settings& settings);

  contact::TreeRows& rows() { return rows_; }
  motion::ForestMotion& motion() { return trees_; }

  /// Asks the controller of the settings, or the scene, for the controls of the step: once, before `predict`, which may
  /// be repeated.
  void set_controls(const system::State& state);
  void predict(const system::State& state, Places& at);
  /// What follows a correction: nothing; forces and v⁺ are brought together with the impulses held; a solve to the end;
  /// a solve, and the next correction.
  enum class Next { nothing, hold, solve_to_end, solve };
  /// L v_f for the v⁺ at hand. `last`: that was a solve to the end, which leaves half the tolerance, the first of a
  /// step a hundredth.
  Next correct(const Places& at, bool last);
  /// Whether the last solve changed v⁺ by more than the correction before it can have: v_f has to follow.
  bool moved_on();
  /// After the last solve: how far the forces are from those of its v⁺, as `correct` measures it; 0 where that is
  /// surely below the limit.
  double imbalance(const Places& at, double limit);
  /// With the impulses of the last solve held, brings forces and v⁺ together, where solves and corrections by turns do
  /// not: the balance holds then, and what that costs the laws is to be measured. False, and nothing is changed, where
  /// even this does not settle.
  bool hold_impulses(const Places& at);
  void release_impulses();  // v⁺ is again that of the last solve
  /// After a small correction: v⁺ takes it over, the impulses are held.
  void take_correction();
  /// v_f, and the velocities of bodies with it into `free`; with v⁺ into `after`.
  void look_free(Places& at);
  void look_after(Places& at);

  /// The impulses of the last step; after those of contacts and rods, whose keys are smaller.
  void find_impulses(WarmStart& warm_start);
  /// Modes of the laws; limits that could close in this step become active. Appends their blocks and first guesses.
  void add_blocks(const Places& at, contact::ContactProblem& problem, std::vector<Vec3>& Lambda);
  /// After `all` rods were added behind: their `rods`, 0 or all, take part when redundant bonds are reduced.
  void close_blocks(std::size_t rods, std::size_t all, contact::ContactProblem& problem);
  /// The free parts of all blocks for a new v_f; nothing else of the problem depends on it.
  void update_free_part(contact::ContactProblem& problem);
  /// Brings Λ of redundant bonds to its least norm and clears the generalised impulses, which then take those of the
  /// contacts (`impulses`) and of the laws (`add_impulses`); `apply` makes v⁺ of them.
  void begin_impulses(std::vector<Vec3>& Lambda);
  Impulses impulses(std::vector<Vec3>& p, std::vector<Vec3>& l) { return {&p, &l, &tau_, &trees_}; }
  void add_impulses(const std::vector<Vec3>& Lambda, const Impulses& to) const;
  void apply();
  /// All of that where everything that moves is linked: τ = Lᵀ z with z = JᵀΛ, so that v⁺ = L⁻¹ (L v_f + z).
  void apply(const contact::ContactProblem& problem, const std::vector<Vec3>& Lambda);
  /// True if the solve would close limits that were left out; they become active.
  bool activate_missed(const Places& at);

  /// What the next solve starts from, of Λ as kept.
  void keep(const std::vector<Vec3>& Lambda);
  void keep_warm_start(WarmStart& warm_start) const;
  void write_record(const Places& at, const std::vector<Vec3>& Lambda, StepRecord& record) const;
  /// Throws Diverged where a joint goes round many times in a step: its midpoint means nothing, and errors grow.
  void demand_sense(double t) const;
  /// `rods`: those that take part.
  Undetermined undetermined(std::span<const TreeLaw> rods) const;
  void end(const Places& at, system::State& state, Ledger& ledger);

  /// At the start of the step, and of a state, which is kept for the next start.
  const motion::ForestEnergy& start_energy() const { return start_energy_; }
  motion::ForestEnergy energy(system::State& state);

  /// The first v_f was good enough: that of the next step may be, and its first solve the last.
  bool calm() const { return calm_; }
  /// Besides the warm start the next step depends on this, behind what is there. Returns how much it read, from the
  /// end.
  void save(std::vector<double>& memory) const;
  std::size_t restore(std::span<const double> memory);

 private:
  /// A law that takes part.
  struct Block {
    std::size_t number = 0;  // of the law
    TreeLaw law;             // at q_m
    NodeView view;
    Mode mode = Mode::bond;
    double e_N = 0, bound = 0;
    Compliance spring;
  };

  /// The motion of one tree in the fixed point: squares of L v_f − that of before, of L v⁺ − the one that it followed,
  /// of the velocities, of the rounding of L v_f; the largest rate of the first to the second in this step.
  struct Own {
    double change = 0, way = 0, size = 0, rounding = 0, rate = 1;
    bool measured = false;
  };

  void find_runs();
  void describe(const Places& at);
  void add_squares(const Eigen::VectorXd& before, const Eigen::VectorXd& now, double Own::*square);
  bool was_calm() const;
  void find_sizes();
  void find_roundings(const Eigen::VectorXd& q_k);
  double change_of_forces(const Eigen::VectorXd& before);
  double compare();
  double expect(double Own::*square) const;
  void relax();
  void expect_change();
  /// Both limits of one coordinate, the lower one first: most of them do. False where there are other limits.
  bool stay_open(std::size_t lower, double time, const Eigen::VectorXd& v, double closed) const {
    const system::Term& term = limit_terms_[lower];
    if (term.v < 0) return false;
    const double way = time * (term.coefficient * v[term.v]);
    return limit_gaps_[lower] + way >= closed && limit_gaps_[lower + 1] - way >= closed;
  }
  bool may_close(std::size_t i, const Places& at) const;
  double rate_of_limit(std::size_t i, const motion::Velocity& velocity, const Eigen::VectorXd& v) const;
  ContactKey key(std::size_t number) const;
  std::size_t first(const std::vector<Vec3>& Lambda) const { return Lambda.size() - blocks_.size() - rods_; }

  const system::System& system_;
  const system::Forest& forest_;
  Settings settings_;
  motion::ForestMotion trees_;  // at q_m
  contact::TreeRows rows_;
  Eigen::VectorXd v_k_, v_f_, v_1_, v_next_, tau_;
  Eigen::VectorXd z_f_, z_before_, z_0_, z_;  // L v_f: now, before, when the problem was written; on nodes: Δz, JᵀΛ
  Eigen::VectorXd z_k_, z_1_, z_at_;          // L v; L v⁺; the one at which the forces were evaluated
  Eigen::VectorXd z_used_, z_held_;           // of the last solve: L v_f, L M̂⁻¹ W Λ
  Eigen::VectorXd summed_;                    // sizes of the numbers that are summed to L v_f
  std::vector<Own> own_;                      // of each tree
  std::vector<Corrections::Run> runs_;        // of coordinates
  std::vector<Vec3> c_0_;                     // the free parts then
  Eigen::Matrix<double, Eigen::Dynamic, 6> changes_;  // of the velocities: expected in the next step, in the last five
  Corrections corrections_;
  bool calm_ = false;
  std::vector<TreeLaw> laws_k_, laws_m_, laws_e_;
  std::vector<char> active_;
  std::vector<Vec3> impulse_;  // of each law, in the last solve
  std::vector<const WarmStart::Entry*> past_;
  std::vector<system::Term> limit_terms_;  // of the laws that are limits of one coordinate, signed; v < 0: of others
  std::vector<double> limit_gaps_;         // of the laws that are limits, at q_m
  bool along_coordinates_ = false;         // no other laws but limits and friction: their rows are the same everywhere
  std::vector<Block> blocks_;
  std::vector<double> ctrl_;    // of the actuators
  std::vector<int> bond_rows_;  // of the bonds, which come last
  std::size_t rods_ = 0;        // behind the blocks
  contact::BondSpace bond_space_;
  double t_mid_ = 0;
  solvers::Anderson anderson_;
  bool slow_ = false;                     // the fixed point of this step is accelerated
  bool first_round_ = false;              // no correction yet in this step
  double first_size_ = 0;                 // of the first L v_f
  double change_ = 0, first_change_ = 0;  // of L v_f in the last correction, and the first, of the tree where it is
                                          // largest, relative
  motion::ForestEnergy start_energy_, last_energy_;
  Eigen::VectorXd last_q_, last_v_;  // whose energy it is
};

}  // namespace vinculum::integrators
