// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/projection.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vinculum::integrators {

using collide::Contact;
using collide::ContactSet;
using system::Configuration;

namespace {

constexpr int repetitions = 12;          // each one about squares the violation
constexpr int settle_repetitions = 200;  // from far away the first ones only halve it
constexpr double contradiction = 100;    // Π so many times those of single laws: their linearisations contradict
constexpr double lost = 1e4;             // Π so many times those: the move is what their rounding leaves of it
constexpr double swept_to = 0.3;         // of the tolerance: error of a lift by sweeps
constexpr double first_look = 1e4;       // times the tolerance: overlaps of moving trees, mostly
constexpr double least_part = 1e-3;      // of a move; below it the linearisation is no guide
constexpr double most_turn = 1;          // rad, of a link in one repetition
constexpr double nudge_move = 1e-2;      // of joints by that, rad or lengths of the bodies
constexpr int nudges = 2;                // each leaves O(dt |v|)

/// The largest of all bodies.
double shift_between(const system::System& system, const Configuration& q0, const Configuration& q1) {
  double shift = 0;
  for (std::size_t b = 0; b < q0.x.size(); ++b) shift = std::max(shift, displacement(system, q0, q1, b));
  return shift;
}

/// Of a gap, or of a rod that is too long or too short.
double violation_of(const Contact& contact) { return contact.shape_a < 0 ? std::abs(contact.at.gap) : -contact.at.gap; }
double violation_of(const TreeLaw& law) { return is_bond(law) ? law.gap.norm() : -law.gap.x(); }

double deepest(const ContactSet& contacts) {
  double depth = 0;
  for (const Contact& contact : contacts) depth = std::max(depth, violation_of(contact));
  return depth;
}

}  // namespace

Contact rod_contact(const system::System& system, std::size_t rod, const Configuration& q) {
  const system::Rod& r = system.rods[rod];
  Contact contact;
  contact.shape_a = -1;
  contact.shape_b = static_cast<int>(rod);
  contact.body_a = r.a;
  contact.body_b = r.b;
  contact.feature.kind = collide::FeatureKind::point_point;
  contact.feature.P_a = r.point_a;
  contact.feature.P_b = r.point_b;
  contact.feature.rounding_a = r.length;
  contact.at = collide::evaluate(contact.feature, q.pose(r.a), q.pose(r.b));
  return contact;
}

Projection::Projection(const system::System& system, const Settings& settings, motion::ForestMotion* trees)
    : system_(system),
      tol_(settings.tol),
      solver_(settings.solver->make()),
      anew_(system, settings.tol),
      lift_(system),
      trees_(trees) {
  if (trees_) tree_rows_.emplace(*trees_);
}

/// Of a law of the trees: lengths in units of the bodies, angles in radians.
double Projection::law_tolerance() const { return 0.1 * tol_ * std::min(1.0, system_.length_scale); }

double Projection::tolerance(const Contact& contact) const { return anew_.tolerance(contact.body_a, contact.body_b); }

/// Largest violation in units of its tolerance.
double Projection::worst_ratio(const ContactSet& contacts) const {
  double worst = within_;
  double of_laws = 0;
  const std::size_t limits = trees_ ? std::min(laws_.size(), 2 * system_.forest->limits.size()) : 0;  // come first
  for (std::size_t i = 0; i < limits; ++i) of_laws = std::max(of_laws, -laws_[i].gap.x());
  for (std::size_t i = limits; i < laws_.size(); ++i) {
    if (has_gap(laws_[i])) of_laws = std::max(of_laws, violation_of(laws_[i]));
  }
  worst = std::max(worst, of_laws / law_tolerance());
  for (const Contact& contact : contacts) {
    const double violation = violation_of(contact);
    if (!(violation <= 0)) worst = std::max(worst, violation / tolerance(contact));
  }
  return worst;
}

/// Codes of the law among `now_` and `laws_` whose violation this is, as a record names it.
std::pair<std::int32_t, std::int32_t> Projection::whose(double worst) const {
  for (const Contact& contact : now_) {
    if (violation_of(contact) / tolerance(contact) == worst) return {contact.shape_a, contact.shape_b};
  }
  for (const TreeLaw& law : laws_) {
    if (has_gap(law) && violation_of(law) / law_tolerance() == worst) return {tree_law_code(law.kind), law.index};
  }
  return {0, 0};
}

/// The largest part of δq for which all laws are still what they are at q: no link turns by more than a radian or moves
/// by more than the largest shape, beyond which nothing was searched.
double Projection::first_part() {
  if (!trees_) return 1;
  moved_.v.resize(system_.body_count());
  moved_.w.resize(system_.body_count());
  trees_->velocity(tau_, moved_);
  const double size = *std::max_element(system_.bodies.size.begin(), system_.bodies.size.end());
  double most = 1;
  for (const int body : system_.forest->body_of_link) {
    const auto b = static_cast<std::size_t>(body);
    most = std::max(most, moved_.w[b].norm() / most_turn);
    if (size > 0) most = std::max(most, moved_.v[b].norm() / size);
  }
  return 1 / most;
}

/// The part of δq after which the worst violation has fallen, and how far: `trial_`, `then_`. 0: there is none.
template <class Look>
double Projection::search_part(const Look& look, const Configuration& q, double& worst) {
  const double first = first_part();
  for (double part = first; part > least_part * first; part *= 0.5) {
    move(q, part, trial_);
    look(trial_, then_);
    const double next = worst_ratio(then_);
    if (!(next < (part < 1 ? 1 - 0.1 * part : 1) * worst)) continue;
    worst = next;
    return part;
  }
  return 0;
}

/// From now on all contacts are looked at that are not open by more than takes part in a repetition; the violation only
/// falls.
template <class Look>
void Projection::take_near(const Look& look, const Configuration& q, double worst) {
  anew_.take(near_by * worst * anew_.largest_tolerance());
  look(q, now_);
}

/// δq at q by sweeps over what overlaps and what it is lifted against. False if they did not end.
bool Projection::lift(double tol, const Configuration& q) {
  contact::make_turns(system_, q, turn_);
  if (!lift_.solve(anew_, q, turn_, allowed_, tol)) return false;
  now_.swap(lift_.contacts);
  frames_.swap(lift_.frames);
  contacts_ = now_.size();
  chosen_.resize(contacts_);
  std::iota(chosen_.begin(), chosen_.end(), std::size_t{0});
  solution_.Lambda.assign(contacts_, Vec3::Zero());
  for (std::size_t i = 0; i < contacts_; ++i) solution_.Lambda[i].x() = lift_.Pi[i];
  push();
  return true;
}

/// One small lift by what the step has (nudge.hpp); kept if what is left of the violation is nothing or hardly
/// anything.
template <class Look>
bool Projection::nudge(const contact::ContactProblem& step, const Look& look, int round, Configuration& q,
                       double& worst, std::vector<ContactRecord>& records) {
  if (!collect_nudge(step, worst, q, records) || !nudge_.solve(step)) return false;
  nudges_.assign(step.size(), Vec3::Zero());
  for (const Nudge::Law& law : nudge_.laws()) nudges_[law.block].x() = law.Pi;
  tau_.setZero(system_.forest->nv());
  add_whitened(*system_.forest, step, nudges_, nodes_, tau_);
  trees_->unwhiten(tau_);
  if (!(tau_.lpNorm<Eigen::Infinity>() <= nudge_move * std::min(1.0, system_.length_scale))) return false;
  move(q, 1, trial_);
  look(trial_, then_);
  const double next = worst_ratio(then_);
  if (!(next <= std::max(1.0, 0.1 * worst))) {
    evaluate_tree_laws(system_, q, laws_);
    return false;
  }
  worst = next;
  for (std::size_t i = 0; i < nudged_.size(); ++i) {
    if (nudge_.laws()[i].Pi == 0) continue;
    ContactRecord& entry = records.emplace_back(nudged_[i]);
    entry.mode = Mode::nudged;
    entry.Lambda.setZero();
    entry.Pi = Vec3(nudge_.laws()[i].Pi, 0, 0);
    entry.round = round;
  }
  std::swap(q, trial_);
  now_.swap(then_);
  return true;
}

template <class Look>
int Projection::descend(const Way& way, const Look& look, Configuration& q, double& worst,
                        std::vector<ContactRecord>& records) {
  bool lifts = way.lifts;
  for (int k = 0; k < way.repetitions; ++k) {
    if (worst <= 1) return k;
    const double before = worst;
    allowed_ = trees_ || way.mode == Mode::settled ? Allowance{} : allowance(way.done + k + 1);
    if (lifts && !lift(std::max(way.tol, swept_to * tol_), q)) {
      lifts = false;
      take_near(look, q, before);
    }
    holds_ = !pressed_.empty();
    if (!lifts) improve(now_, before, way.tol, 0, q);
    double part = 0;
    if (holds_ && held_any_) {
      const bool sound = solution_.report.status == solvers::Status::solved && amplification() <= contradiction;
      if (sound) part = search_part(look, q, worst);
      if (part == 0) {
        holds_ = false;
        if (trees_) evaluate_tree_laws(system_, q, laws_);
        improve(now_, before, way.tol, 0, q);
      }
    }
    if (part == 0)
      part = trees_ && amplification() > (way.soft ? contradiction : lost) ? 0 : search_part(look, q, worst);
    if (part == 0 && way.soft) {
      if (trees_) evaluate_tree_laws(system_, q, laws_);
      improve(now_, before, way.tol, std::min(1.0, 0.1 * tol_ * before), q);
      part = amplification() > lost ? 0 : search_part(look, q, worst);
    }
    if (part == 0) return k;
    remember(now_, way.mode, way.done + k + 1, part, records);
    std::swap(q, trial_);
    now_.swap(then_);
  }
  return way.repetitions;
}

Projection::Result Projection::project(const Configuration& q_m, const ContactSet& candidates,
                                       const std::vector<double>& margin, bool repeated, int done,
                                       const contact::ContactProblem* step, Configuration& q,
                                       std::vector<ContactRecord>& records) {
  Result result;
  result.rounds = done;
  anew_.begin(q_m, candidates, margin, repeated);
  auto look = [&](const Configuration& at, ContactSet& out) {
    anew_.find(at, out);
    within_ = anew_.depth_ratio();
    for (std::size_t r = 0; r < system_.rods.size(); ++r) out.push_back(rod_contact(system_, r, at));
    if (trees_) evaluate_tree_laws(system_, at, laws_);
  };
  const bool lifts = !trees_ && system_.rods.empty();
  // Of trees mostly something does, and is then looked at with all that is near: at once.
  const bool at_once = trees_ && system_.forest->free_bodies == 0;
  if (at_once) anew_.take(near_by * first_look * anew_.largest_tolerance());
  look(q, now_);  // what overlaps: nothing, most of the time
  result.before = result.after = std::max(deepest(now_), anew_.depth());
  double worst = worst_ratio(now_);
  result.violation = 0.1 * tol_ * worst;
  if (worst <= 1) return result;

  if (!lifts && !(at_once && worst <= first_look)) take_near(look, q, worst);
  q_star_ = q;
  // Π of loops exceed those of contacts by orders of magnitude, and the solver's measure is one norm of all.
  const bool loops = trees_ && !(system_.forest->closures.empty() && system_.forest->couplings.empty());
  pressed_.clear();
  if (trees_ && !loops) find_pressed(records);
  for (int k = 0; k < nudges && worst > 1 && step && may_nudge(worst); ++k) {
    if (!nudge(*step, look, result.rounds + 1, q, worst, records)) break;
    ++result.rounds;
  }
  result.rounds +=
      descend({Mode::projected, repetitions, loops ? 1e-9 : std::max(1e-6, 0.1 * tol_), false, lifts, result.rounds},
              look, q, worst, records);
  result.shift = shift_between(system_, q_star_, q);
  result.after = std::max(deepest(now_), anew_.depth());
  result.violation = 0.1 * tol_ * worst;
  return result;
}

Settling Projection::settle(collide::Search& search, Configuration& q, std::vector<ContactRecord>& records) {
  std::vector<double> margin(system_.body_count(), 0.0);
  within_ = 0;
  auto look = [&](const Configuration& at, ContactSet& out) {
    search.find(at, margin, out);
    for (std::size_t r = 0; r < system_.rods.size(); ++r) out.push_back(rod_contact(system_, r, at));
    if (trees_) evaluate_tree_laws(system_, at, laws_);
  };
  look(q, now_);
  double worst = worst_ratio(now_);
  Settling result;
  result.before = result.after = 0.1 * tol_ * worst;
  if (worst <= 1) return result;
  std::tie(result.shape_a, result.shape_b) = whose(worst);

  // What lies within reach of the moves to come: a few times the violation, at most the size of the bodies.
  for (std::size_t b = 0; b < margin.size(); ++b) margin[b] = std::min(1.0, 2 * result.before) * system_.bodies.size[b];
  look(q, now_);
  q_star_ = q;
  pressed_.clear();
  result.rounds = descend({Mode::settled, settle_repetitions, 1e-9, true, false, 0}, look, q, worst, records);
  result.shift = shift_between(system_, q_star_, q);
  result.after = 0.1 * tol_ * worst;
  return result;
}

}  // namespace vinculum::integrators
