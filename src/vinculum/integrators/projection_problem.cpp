// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// One linearised repetition of the projection: its problem, Π, δq and what is recorded of it.
#include "vinculum/integrators/projection.hpp"

#include "vinculum/contact/frame.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::integrators {

using collide::Contact;
using collide::ContactSet;
using system::Configuration;

namespace {

constexpr std::size_t reduced_rods = 200;  // as in the step
constexpr double held_reach = 100;         // of the tolerance: gaps of what presses and is held (decisions/trees.md)
constexpr double hidden = 10;              // gaps that are violated may be less than all by this

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

}  // namespace vinculum::integrators
