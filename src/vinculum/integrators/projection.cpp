// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/projection.hpp"

#include "vinculum/contact/frame.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vinculum::integrators {

using collide::Contact;
using collide::ContactSet;
using system::Configuration;

namespace {

constexpr int repetitions = 12;            // each one about squares the violation
constexpr int settle_repetitions = 200;    // from far away the first ones only halve it
constexpr double contradiction = 100;      // Π so many times those of single laws: their linearisations contradict
constexpr double lost = 1e4;               // Π so many times those: the move is what their rounding leaves of it
constexpr std::size_t reduced_rods = 200;  // as in the step
constexpr double swept_to = 0.3;           // of the tolerance: error of a lift by sweeps
constexpr double held_reach = 100;         // of the tolerance: gaps of what presses and is held (decisions/trees.md)
constexpr double hidden = 10;              // gaps that are violated may be less than all by this
constexpr double first_look = 1e4;         // times the tolerance: overlaps of moving trees, mostly
constexpr double least_part = 1e-3;        // of a move; below it the linearisation is no guide
constexpr double most_turn = 1;            // rad, of a link in one repetition
constexpr double nudge_move = 1e-2;        // of joints by that, rad or lengths of the bodies
constexpr int nudges = 2;                  // each leaves O(dt |v|)

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

/// G_ii (1 + softness) on the diagonal of the last block: as for springs, by an entry on a node of its own.
void soften_last(double softness, contact::ContactProblem& problem) {
  contact::JBlock own = contact::JBlock::Zero();
  for (int k = 0; k < 3; ++k) {
    double G = 0;
    for (int e = problem.row[problem.size() - 1]; e < problem.row[problem.size()]; ++e) {
      G += problem.J[e].row(k).squaredNorm();
    }
    own(k, k) = std::sqrt(softness * G);
  }
  problem.node.push_back(static_cast<int>(problem.nodes++));
  problem.J.push_back(own);
  problem.row.back() = static_cast<int>(problem.node.size());
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

/// Of the norm of all gaps in the solver's unit-free measure: the part of those that are violated. A gap that is open
/// and can hardly move, between links of one chain, weighs so much there that the others are lost in the tolerance.
double Projection::violated_part() const {
  double all = 0, violated = 0;
  for (std::size_t i = 0; i < problem_.size(); ++i) {
    double G = 0;
    for (int e = problem_.row[i]; e < problem_.row[i + 1]; ++e) G += problem_.J[e].squaredNorm();
    if (!(G > 0)) continue;
    const double square = problem_.c[i].squaredNorm() / G;
    all += square;
    if (problem_.law[i] != laws::Kind::unilateral || problem_.c[i].x() < 0) violated += square;
  }
  return all > 0 ? std::sqrt(violated / all) : 1;
}

/// With trees: contacts of the step that carry something.
void Projection::find_pressed(const std::vector<ContactRecord>& records) {
  pressed_.clear();
  for (const ContactRecord& record : records) {
    if (record.shape_a < 0 || is_lift(record.mode) || !(record.Lambda.x() > 0)) continue;
    pressed_.push_back({record.shape_a, record.shape_b, record.feature_id});
  }
  if (!std::is_sorted(pressed_.begin(), pressed_.end())) std::sort(pressed_.begin(), pressed_.end());
}

bool Projection::is_held(const Contact& contact) const {
  return holds_ && contact.at.gap <= held_reach * tolerance(contact) &&
         std::binary_search(pressed_.begin(), pressed_.end(),
                            ContactKey{contact.shape_a, contact.shape_b, contact.feature_id});
}

/// One linearised projection at q: its δq. Contacts that are open by more than a few times the worst violation cannot
/// close and stay outside the problem.
void Projection::improve(const ContactSet& contacts, double worst, double tol, double softness,
                         const Configuration& q) {
  if (trees_) {
    trees_->settle(q.tree);
    trees_->factor(0, 0, q.tree, Eigen::VectorXd());
  }
  problem_.clear();
  problem_.nodes = system_.node_count();
  contact::make_turns(system_, q, turn_);
  frames_.clear();
  chosen_.clear();
  double deepest = 0;
  for (const Contact& contact : contacts) {
    if (contact.shape_a >= 0) deepest = std::max(deepest, worst * tolerance(contact));
  }
  held_any_ = false;
  auto add = [&](std::size_t i, laws::Kind law) {
    const Contact& contact = contacts[i];
    const bool held = law == laws::Kind::unilateral && is_held(contact);
    held_any_ = held_any_ || held;
    frames_.push_back(contact::make_frame(contact.at, contact.body_a, contact.body_b, q));
    chosen_.push_back(i);
    const double slack = law == laws::Kind::unilateral ? allowed_.of(contact.at.gap, tolerance(contact)) : 0;
    contact::add_block(system_, turn_, frames_.back(), held ? laws::Kind::bilateral : law, 1, 0,
                       {held ? std::min(contact.at.gap, 0.0) : contact.at.gap + slack, 0, 0},
                       tree_rows_ ? &*tree_rows_ : nullptr, problem_);
    if (softness > 0) soften_last(softness, problem_);
  };
  const std::size_t rods = system_.rods.size(), first_rod = contacts.size() - rods;
  for (std::size_t i = 0; i < first_rod; ++i) {
    if (contacts[i].at.gap <= near_by * deepest) add(i, laws::Kind::unilateral);
  }
  contacts_ = chosen_.size();
  bond_rows_.clear();
  chosen_laws_.clear();
  if (trees_) add_tree_laws(worst, softness);
  for (std::size_t i = first_rod; i < contacts.size(); ++i) add(i, laws::Kind::bilateral);
  bond_rows_.insert(bond_rows_.end(), rods, 1);
  if (rods > reduced_rods) bond_rows_.clear();
  bond_space_.reduce(problem_.size() - bond_rows_.size(), bond_rows_, problem_);
  solution_.Lambda.assign(problem_.size(), Vec3::Zero());
  solver_->solve(problem_,
                 {.tol = tol * std::min(1.0, hidden * violated_part()),
                  .over_c = std::max(1e-3, tol),
                  .max_iterations = 2000,
                  .passing = trees_ != nullptr,
                  .polish = false},
                 solution_);

  bond_space_.project(std::span(solution_.Lambda).last(bond_rows_.size()));
  // What the solver leaves on open contacts is its own round-off, no lift.
  double largest = 0;
  for (const Vec3& Pi : solution_.Lambda) largest = std::max(largest, std::abs(Pi.x()));
  for (Vec3& Pi : solution_.Lambda) Pi.x() = std::abs(Pi.x()) > 1e-10 * largest ? Pi.x() : 0;
  push();
}

/// The momenta that Π would give, and δq of the joints.
void Projection::push() {
  if (trees_) tau_.setZero(system_.forest->nv());
  if (trees_ && system_.forest->free_bodies == 0) {
    add_whitened(*system_.forest, problem_, solution_.Lambda, nodes_, tau_);
    return trees_->unwhiten(tau_);
  }
  dp_.assign(system_.body_count(), Vec3::Zero());
  dl_.assign(system_.body_count(), Vec3::Zero());
  const Impulses impulses{&dp_, &dl_, trees_ ? &tau_ : nullptr, trees_};
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    add_impulse(system_, frames_[i], {impulse_of(i).x(), 0, 0}, impulses);
  }
  for (std::size_t i = 0; i < chosen_laws_.size(); ++i) {
    add_impulse(system_, chosen_laws_[i], solution_.Lambda[contacts_ + i], impulses);
  }
  if (trees_) trees_->solve(tau_);
}

/// q ⊕ part · δq.
void Projection::move(const Configuration& q, double part, Configuration& trial) {
  trial.x.resize(q.x.size());
  trial.R.resize(q.R.size());
  for (std::size_t b = 0; b < system_.body_count(); ++b) {
    if (system_.linked(static_cast<int>(b))) continue;
    if (dp_[b].isZero(0) && dl_[b].isZero(0)) {
      trial.x[b] = q.x[b];
      trial.R[b] = q.R[b];
      continue;
    }
    trial.x[b] = q.x[b] + part * (dp_[b] / system_.bodies.mass[b]);
    const algebra::Quat& R = q.R[b];
    const Vec3 turn = part * (system_.bodies.inertia_inverse[b] * (R.conjugate() * dl_[b]));  // body axes
    trial.R[b] = (R * algebra::Quat(1, 0.5 * turn.x(), 0.5 * turn.y(), 0.5 * turn.z())).normalized();
  }
  if (!trees_) return;
  tree_move_ = part * tau_;
  system_.forest->integrate(q.tree, tree_move_, trial.tree);
  trees_->place(trial);
}

/// Bonds of the trees and limits that are exceeded or as near as that, at q; the factor there is of M alone.
void Projection::add_tree_laws(double worst, double softness) {
  for (const TreeLaw& law : laws_) {
    if (!has_gap(law)) continue;
    if (!is_bond(law) && law.gap.x() > near_by * worst * law_tolerance()) continue;
    chosen_laws_.push_back(law);
    if (is_bond(law)) bond_rows_.push_back(law.rows);  // bonds come last
    add_tree_law(system_, turn_, law, 0, law.gap, *tree_rows_, problem_);
    if (softness > 0) soften_last(softness, problem_);
  }
}

/// Records the Π of an accepted repetition, which is linearised at the configuration where `contacts` were found.
void Projection::remember(const ContactSet& contacts, Mode mode, int round, double part,
                          std::vector<ContactRecord>& records) const {
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    const double Pi = part * impulse_of(i).x();
    if (Pi == 0) continue;
    const Contact& contact = contacts[chosen_[i]];
    const contact::Frame& frame = frames_[i];
    records.push_back({contact.shape_a, contact.shape_b, contact.feature_id, mode, contact.feature, frame.point,
                       frame.F.col(0), frame.F.col(1), contact.at.gap, Vec3::Zero(), Vec3(Pi, 0, 0), round});
  }
  for (std::size_t i = 0; i < chosen_laws_.size(); ++i) {
    const Vec3 Pi = part * solution_.Lambda[contacts_ + i];
    if (Pi.isZero(0)) continue;
    const TreeLaw& law = chosen_laws_[i];
    ContactRecord entry;
    entry.shape_a = tree_law_code(law.kind);
    entry.shape_b = law.index;
    entry.mode = mode;
    entry.point = law.frame.point;
    entry.n = Vec3::UnitX();
    entry.t1 = Vec3::UnitY();
    entry.gap = law.gap.x();
    entry.Pi = Pi;
    entry.round = round;
    records.push_back(entry);
  }
}

/// Largest |Π_i| over what law i alone would need for the worst gap of all.
double Projection::amplification() const {
  double gap = 0, push = 0;
  for (std::size_t i = 0; i < problem_.size(); ++i) {
    gap = std::max(gap, problem_.c[i].cwiseAbs().maxCoeff());
    double G = 0;
    for (int e = problem_.row[i]; e < problem_.row[i + 1]; ++e) G = std::max(G, problem_.J[e].squaredNorm());
    push = std::max(push, solution_.Lambda[i].norm() * G);
  }
  return gap > 0 ? push / gap : 0;
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
