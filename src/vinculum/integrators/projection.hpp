// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Position projection at the end of a step, one-sided, momentum untouched:
//
//   q_{k+1} = argmin { ½ |δq|²_M : g(q* + δq) >= −s },   δq = M⁻¹ W_N Π,  Π >= 0,  Π_i (g_i + s_i) = 0
//
// s, 0 with trees and for rods, lets contacts of free bodies overlap within their tolerance (lift.hpp). It is
// linearised at the present q, repeated on the true gap; a repetition is kept only if the worst violation falls. Where
// the whole δq overshoots, a part α of it is taken, halved until it does not: along δq every violation falls at first,
// g + α Wᵀ δq = (1 − α) g for all that push. It removes the penetration of an inelastic impact inside a step (at most
// dt/2 (1 − e)|γ⁻_N|) and the drift of round-off and solver tolerance; it never moves a body down to a contact. δq is a
// teleport, not motion: the record lists it apart. Rods take part with both signs.
//
// With trees that close no loops, contacts that press (Λ_N > 0 in this step) and are closed, g <= tolerance, take part
// with both signs, too:
//   g_i(q* + δq) = max(g_i, 0),   Π_i of any sign
// The shortest way that lifts one end of a light foot turns the foot and opens its other end, which then has to land,
// is lifted in its turn, and so on for seconds. What stands stays closed instead. Nothing is pulled down by that, for
// these gaps do not fall; where the laws contradict one another then, all of them are one-sided.
//
// Free bodies without rods are lifted
// by sweeps over those pairs alone that the lift reaches (lift.hpp); where these do not end, and with rods and trees,
// the solver is given all that is near.
//
// Where everything that moves is linked, a small violation of what acts in this step is first lifted by the rows and
// masses of the step itself, which are at hand (nudge.hpp, Mode::nudged).
//
// The same brings a scene that starts in violation onto its constraints before its first step (`settle`): robots whose
// zero is outside their limits, loops drawn open, feet drawn inside the floor. There the moves are large, contacts are
// searched anew at every configuration, and a loop drawn at a dead centre makes the linearised laws contradict one
// another: taken at their word they push with 1e5 times what moves the links. Where they do, or where no part of the
// move helps, all laws are softened, G_ii (1 + λ) with λ the worst violation in units of the bodies, at most 1, the
// damping of Levenberg and Marquardt: Π stays below g / (λ G_ii).
#pragma once

#include "vinculum/collide/search.hpp"
#include "vinculum/contact/bond_space.hpp"
#include "vinculum/contact/frame.hpp"
#include "vinculum/integrators/integrator.hpp"
#include "vinculum/integrators/lift.hpp"
#include "vinculum/integrators/nudge.hpp"
#include "vinculum/integrators/tree_laws.hpp"
#include "vinculum/integrators/warm_start.hpp"

#include <optional>

namespace vinculum::integrators {

class Projection {
 public:
  /// `trees` of a system with trees: scratch, left at the last configuration looked at.
  Projection(const system::System& system, const Settings& settings, motion::ForestMotion* trees);

  struct Result {
    double before = 0;     // deepest penetration at q*, m
    double after = 0;      // at q_{k+1}
    double shift = 0;      // largest displacement of a body point, m
    double violation = 0;  // worst left at q_{k+1}, in units of the bodies
    int rounds = 0;        // repetitions so far
  };
  /// Moves q from q* to q_{k+1}. `candidates` were found at q_m and hold every contact that can be closed at q*;
  /// `repeated`: they are those of the last call. `step`: the problem whose blocks are `records` up to now, with the
  /// factor of its M̂ still in the trees; null: not at hand. Appends a record for each Π of each repetition, which
  /// count on from `done`.
  Result project(const system::Configuration& q_m, const collide::ContactSet& candidates,
                 const std::vector<double>& margin, bool repeated, int done, const contact::ContactProblem* step,
                 system::Configuration& q, std::vector<ContactRecord>& records);
  /// Moves the configuration of a start onto its constraints; records of Mode::settled.
  Settling settle(collide::Search& search, system::Configuration& q, std::vector<ContactRecord>& records);
  /// An overlap by no more is left alone.
  double tolerance(const collide::Contact& contact) const;

 private:
  /// What `project` and `settle` do differently.
  struct Way {
    Mode mode = Mode::projected;
    int repetitions = 0;
    double tol = 0;      // of the linearised problem
    bool soft = false;   // may be softened
    bool lifts = false;  // by sweeps over what they reach
    int done = 0;        // repetitions before these
  };
  static constexpr double near_by = 4;  // times the worst violation: gaps that a repetition may close
  double worst_ratio(const collide::ContactSet& contacts) const;
  std::pair<std::int32_t, std::int32_t> whose(double worst) const;
  /// Repetitions from q, where `now_` and `laws_` are those found there; `look(q, out)` finds the contacts elsewhere.
  /// Returns how many there were; `worst` is that of the last.
  template <class Look>
  int descend(const Way& way, const Look& look, system::Configuration& q, double& worst,
              std::vector<ContactRecord>& records);
  bool may_nudge(double worst) const;
  template <class Look>
  bool nudge(const contact::ContactProblem& step, const Look& look, int round, system::Configuration& q, double& worst,
             std::vector<ContactRecord>& records);
  bool collect_nudge(const contact::ContactProblem& step, double worst, const system::Configuration& q,
                     const std::vector<ContactRecord>& records);
  bool lift(double tol, const system::Configuration& q);
  void find_pressed(const std::vector<ContactRecord>& records);
  bool is_held(const collide::Contact& contact) const;
  template <class Look>
  void take_near(const Look& look, const system::Configuration& q, double worst);
  void improve(const collide::ContactSet& contacts, double worst, double tol, double softness,
               const system::Configuration& q);
  void push();
  const Vec3& impulse_of(std::size_t i) const { return solution_.Lambda[i < contacts_ ? i : i + chosen_laws_.size()]; }
  double violated_part() const;
  double amplification() const;
  double first_part();
  template <class Look>
  double search_part(const Look& look, const system::Configuration& q, double& worst);
  void move(const system::Configuration& q, double part, system::Configuration& trial);
  void add_tree_laws(double worst, double softness);
  double law_tolerance() const;
  void remember(const collide::ContactSet& contacts, Mode mode, int round, double part,
                std::vector<ContactRecord>& records) const;

  const system::System& system_;
  double tol_;
  std::unique_ptr<solvers::Solver> solver_;
  ContactsAnew anew_;
  Lift lift_;
  Nudge nudge_;
  std::vector<Vec3> nudges_;           // Π of all blocks of the step
  std::vector<ContactRecord> nudged_;  // what is recorded of them
  contact::ContactProblem problem_;
  solvers::Solution solution_;
  std::vector<contact::Frame> frames_;
  std::vector<std::size_t> chosen_;  // contacts of the problem, the rods last
  std::size_t contacts_ = 0;         // among them that are no rods: in the problem the laws of trees come between
  std::vector<Vec3> dp_, dl_;
  motion::ForestMotion* trees_;
  std::optional<contact::TreeRows> tree_rows_;
  std::vector<TreeLaw> laws_;         // at the configuration last collected
  std::vector<TreeLaw> chosen_laws_;  // of the problem, where it is linearised
  std::vector<int> bond_rows_;        // of the bonds among them, which come last
  contact::BondSpace bond_space_;
  Eigen::VectorXd tau_, tree_move_;  // Wᵀ Π, then δq of the joints; the part of it that is taken
  Eigen::VectorXd nodes_;            // JᵀΠ
  motion::Velocity moved_;           // what δq of the joints does to the bodies
  std::vector<contact::Mat3> turn_;
  std::vector<ContactKey> pressed_;  // contacts that press in this step, in ascending order
  Allowance allowed_;                // of this repetition
  bool holds_ = false;               // those that are closed are to stay so
  bool held_any_ = false;            // there were such in the last problem
  collide::ContactSet now_, then_;
  double within_ = 0;  // worst ratio, at most 1, of what was looked at last and is not among the contacts
  system::Configuration q_star_, trial_;
};

/// The contact of a rod: its end points as a pair of points at distance `length`.
collide::Contact rod_contact(const system::System& system, std::size_t rod, const system::Configuration& q);

}  // namespace vinculum::integrators
