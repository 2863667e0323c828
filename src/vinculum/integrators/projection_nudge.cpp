// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Which laws of a step a nudge lifts (nudge.hpp).
#include "vinculum/integrators/projection.hpp"

#include <algorithm>

namespace vinculum::integrators {

using collide::Contact;
using system::Configuration;

namespace {

constexpr double nudge_reach = 1e-5;  // of the bodies: violations that the rows of the step may lift

}  // namespace

/// Bonds make rows of their own, and free bodies have other masses at q* than at q_m.
bool Projection::may_nudge(double worst) const {
  return trees_ && system_.forest->free_bodies == 0 && !system_.forest->part && system_.rods.empty() &&
         system_.forest->closures.empty() && system_.forest->couplings.empty() && 0.1 * tol_ * worst <= nudge_reach;
}

/// The laws of the step that are violated at `now_`, held, or near. False if one is violated that does not act in it.
bool Projection::collect_nudge(const contact::ContactProblem& step, double worst, const Configuration& q,
                               const std::vector<ContactRecord>& records) {
  nudge_.clear();
  nudged_.clear();
  double deepest = 0;
  for (const Contact& contact : now_) deepest = std::max(deepest, worst * tolerance(contact));
  holds_ = true;
  for (const Contact& contact : now_) {
    if (!(contact.at.gap <= near_by * deepest)) continue;
    const auto acts = [&](const ContactRecord& record) {
      return record.shape_a == contact.shape_a && record.shape_b == contact.shape_b &&
             record.feature_id == contact.feature_id;
    };
    const double tol = tolerance(contact);
    const auto end = records.begin() + static_cast<std::ptrdiff_t>(step.size());
    const auto own = std::find_if(records.begin(), end, acts);
    if (own == end && contact.at.gap < -tol) return false;
    if (own == end) continue;
    nudge_.add(static_cast<std::size_t>(own - records.begin()), contact.at.gap, tol, is_held(contact));
    ContactRecord& entry = nudged_.emplace_back(*own);
    const auto frame = contact::make_frame(contact.at, contact.body_a, contact.body_b, q, own->t1);
    entry.feature = contact.feature;
    entry.point = frame.point;
    entry.n = frame.F.col(0);
    entry.t1 = frame.F.col(1);
    entry.gap = contact.at.gap;
  }
  for (const TreeLaw& law : laws_) {
    if (!has_gap(law) || !(law.gap.x() <= near_by * worst * law_tolerance())) continue;
    const auto acts = [&](const ContactRecord& record) {
      return record.shape_a == tree_law_code(law.kind) && record.shape_b == law.index;
    };
    const auto end = records.begin() + static_cast<std::ptrdiff_t>(step.size());
    const auto own = std::find_if(records.begin(), end, acts);
    if (own == end && law.gap.x() < -law_tolerance()) return false;
    if (own == end) continue;
    nudge_.add(static_cast<std::size_t>(own - records.begin()), law.gap.x(), law_tolerance(), false);
    ContactRecord& entry = nudged_.emplace_back(*own);
    entry.point = law.frame.point;
    entry.gap = law.gap.x();
  }
  return true;
}

}  // namespace vinculum::integrators
