// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/projection.hpp"

#include "vinculum/contact/frame.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::integrators {

using collide::Contact;
using collide::ContactSet;
using collide::FeatureKind;
using system::Configuration;
using system::world;

namespace {

constexpr int repetitions = 12;   // each one about squares the violation
constexpr double settled = 1e-6;  // a move by less than this part of its size leaves a body's features as they were

/// Features of smooth surfaces stay the nearest ones however the bodies move; those of a first touch stay the ones that
/// met.
bool is_lasting(const Contact& contact) {
  return contact.feature.kind == FeatureKind::point_point || collide::is_swept(contact.feature_id);
}

/// Bound on the displacement of any point of a body.
double moved(const system::System& system, const Configuration& q0, const Configuration& q1, int body) {
  if (body == world) return 0;
  const auto b = static_cast<std::size_t>(body);
  const double angle = 2 * (q0.R[b].conjugate() * q1.R[b]).vec().norm();
  return (q1.x[b] - q0.x[b]).norm() + angle * system.bodies.size[b];
}

double size_of(const system::System& system, int body) {
  return body == world ? std::numeric_limits<double>::infinity() : system.bodies.size[static_cast<std::size_t>(body)];
}

}  // namespace

Contact rod_contact(const system::System& system, std::size_t rod, const Configuration& q) {
  const system::Rod& r = system.rods[rod];
  Contact contact;
  contact.shape_a = -1;
  contact.shape_b = static_cast<int>(rod);
  contact.body_a = r.a;
  contact.body_b = r.b;
  contact.feature.kind = FeatureKind::point_point;
  contact.feature.P_a = r.point_a;
  contact.feature.P_b = r.point_b;
  contact.feature.rounding_a = r.length;
  contact.at = collide::evaluate(contact.feature, q.pose(r.a), q.pose(r.b));
  return contact;
}

Projection::Projection(const system::System& system, const Settings& settings)
    : system_(system), tol_(settings.tol), solver_(settings.solver->make()) {}

/// A tenth of the tolerance times the smaller body.
double Projection::tolerance(const Contact& contact) const {
  const double size = std::min(size_of(system_, contact.body_a), size_of(system_, contact.body_b));
  return 0.1 * tol_ * (size > 0 && std::isfinite(size) ? size : system_.length_scale);
}

/// The contacts at q: those of q_m evaluated anew where the features cannot have changed, searched again elsewhere.
void Projection::collect(const Configuration& q_m, const ContactSet& candidates, const std::vector<double>& margin,
                         const Configuration& q, ContactSet& out) const {
  out.clear();
  for (std::size_t begin = 0, end = 0; begin < candidates.size(); begin = end) {
    const Contact& first = candidates[begin];
    bool lasting = true;
    for (end = begin; end < candidates.size() && candidates[end].shape_a == first.shape_a &&
                      candidates[end].shape_b == first.shape_b;
         ++end) {
      lasting = lasting && is_lasting(candidates[end]);
    }
    const double move = moved(system_, q_m, q, first.body_a) + moved(system_, q_m, q, first.body_b);
    const double size = std::min(size_of(system_, first.body_a), size_of(system_, first.body_b));
    if (lasting || move <= settled * size) {
      for (std::size_t i = begin; i < end; ++i) {
        out.push_back(candidates[i]);
        Contact& contact = out.back();
        contact.at = evaluate(contact.feature, q.pose(contact.body_a), q.pose(contact.body_b));
      }
    } else {
      const double reach = (first.body_a == world ? 0 : margin[static_cast<std::size_t>(first.body_a)]) +
                           (first.body_b == world ? 0 : margin[static_cast<std::size_t>(first.body_b)]);
      find_pair(system_, first.shape_a, first.shape_b, q, reach, out);
    }
  }
  for (std::size_t r = 0; r < system_.rods.size(); ++r) out.push_back(rod_contact(system_, r, q));
}

/// Largest violation in units of its tolerance.
double Projection::worst_ratio(const ContactSet& contacts) const {
  double worst = 0;
  for (const Contact& contact : contacts) {
    const double violation = contact.shape_a < 0 ? std::abs(contact.at.gap) : -contact.at.gap;
    worst = std::max(worst, violation / tolerance(contact));
  }
  return worst;
}

/// One linearised projection from q to `trial`. Contacts that are open by more than a few times the worst violation
/// cannot close and stay outside the problem.
void Projection::improve(const ContactSet& contacts, double worst, const Configuration& q, Configuration& trial) {
  problem_.clear();
  problem_.nodes = system_.body_count();
  frames_.clear();
  chosen_.clear();
  double deepest = 0;
  for (const Contact& contact : contacts) {
    if (contact.shape_a >= 0) deepest = std::max(deepest, worst * tolerance(contact));
  }
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Contact& contact = contacts[i];
    const bool rod = contact.shape_a < 0;
    if (!rod && contact.at.gap > 4 * deepest) continue;
    frames_.push_back(contact::make_frame(contact.at, contact.body_a, contact.body_b, q));
    chosen_.push_back(i);
    contact::add_block(system_, q, frames_.back(), rod ? laws::Kind::bilateral : laws::Kind::unilateral, 0,
                       {contact.at.gap, 0, 0}, problem_);
  }
  solution_.Lambda.assign(problem_.size(), Vec3::Zero());
  solver_->solve(problem_, {.tol = 1e-6, .max_iterations = 2000, .polish = false}, solution_);

  // What the solver leaves on open contacts is its own round-off, no lift.
  double largest = 0;
  for (const Vec3& Pi : solution_.Lambda) largest = std::max(largest, std::abs(Pi.x()));
  for (Vec3& Pi : solution_.Lambda) Pi.x() = std::abs(Pi.x()) > 1e-10 * largest ? Pi.x() : 0;

  dp_.assign(system_.body_count(), Vec3::Zero());
  dl_.assign(system_.body_count(), Vec3::Zero());
  for (std::size_t i = 0; i < problem_.size(); ++i) add_impulse(frames_[i], {solution_.Lambda[i].x(), 0, 0}, dp_, dl_);
  trial.x.resize(q.x.size());
  trial.R.resize(q.R.size());
  for (std::size_t b = 0; b < system_.body_count(); ++b) {
    trial.x[b] = q.x[b] + dp_[b] / system_.bodies.mass[b];
    const algebra::Quat& R = q.R[b];
    const Vec3 turn = system_.bodies.inertia_inverse[b] * (R.conjugate() * dl_[b]);  // small, body axes
    trial.R[b] = (R * algebra::Quat(1, 0.5 * turn.x(), 0.5 * turn.y(), 0.5 * turn.z())).normalized();
  }
}

/// Records the Π of an accepted repetition.
void Projection::remember(const ContactSet& contacts, std::vector<ContactRecord>& records) const {
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    const double Pi = solution_.Lambda[i].x();
    if (Pi == 0) continue;
    const Contact& contact = contacts[chosen_[i]];
    const contact::Frame& frame = frames_[i];
    records.push_back({contact.shape_a, contact.shape_b, contact.feature_id, Mode::projected, contact.feature,
                       frame.point, frame.F.col(0), frame.F.col(1), contact.at.gap, Vec3::Zero(), Pi});
  }
}

Projection::Result Projection::project(const Configuration& q_m, const ContactSet& candidates,
                                       const std::vector<double>& margin, Configuration& q,
                                       std::vector<ContactRecord>& records) {
  Result result;
  collect(q_m, candidates, margin, q, now_);
  auto deepest = [](const ContactSet& contacts) {
    double depth = 0;
    for (const Contact& c : contacts) depth = std::max(depth, c.shape_a < 0 ? std::abs(c.at.gap) : -c.at.gap);
    return depth;
  };
  result.before = result.after = deepest(now_);
  double worst = worst_ratio(now_);
  if (worst <= 1) return result;

  q_star_ = q;
  for (int k = 0; k < repetitions && worst > 1; ++k) {
    improve(now_, worst, q, trial_);
    collect(q_m, candidates, margin, trial_, then_);
    const double next = worst_ratio(then_);
    if (!(next < worst)) break;
    remember(now_, records);
    worst = next;
    std::swap(q, trial_);
    now_.swap(then_);
  }
  for (std::size_t b = 0; b < q.x.size(); ++b) {
    result.shift = std::max(result.shift, moved(system_, q_star_, q, static_cast<int>(b)));
  }
  result.after = deepest(now_);
  return result;
}

}  // namespace vinculum::integrators
