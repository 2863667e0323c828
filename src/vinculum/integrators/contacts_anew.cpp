// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integrators/contacts_anew.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::integrators {

using collide::Contact;
using collide::ContactSet;
using system::Configuration;
using system::world;

namespace {

constexpr double settled = 1e-6;      // a move by less than this part of its size leaves a body's features as they were
constexpr double settled_rim = 1e-9;  // the same where a standing cylinder may tilt onto another point of its rim
constexpr double distance_part = 0.99;  // of the smallest gap: less than the distance, whatever the features round off
constexpr double all = std::numeric_limits<double>::infinity();

/// Features that stay the right ones however the bodies move: centres of two balls, those of a first touch, and what
/// lies over a plane, where every vertex in reach is a contact. Their gaps change by no more than the bodies move.
bool is_lasting(const system::System& system, const Contact& contact) {
  if (collide::is_swept(contact.feature_id)) return true;
  const shapes::Kind a = system.shapes[static_cast<std::size_t>(contact.shape_a)].geometry.kind;
  const shapes::Kind b = system.shapes[static_cast<std::size_t>(contact.shape_b)].geometry.kind;
  return (a == shapes::Kind::sphere && b == shapes::Kind::sphere) ||
         (a == shapes::Kind::plane && b != shapes::Kind::cylinder) ||
         (b == shapes::Kind::plane && a != shapes::Kind::cylinder);
}

bool has_rim(const system::System& system, const Contact& contact) {
  return system.shapes[static_cast<std::size_t>(contact.shape_a)].geometry.kind == shapes::Kind::cylinder ||
         system.shapes[static_cast<std::size_t>(contact.shape_b)].geometry.kind == shapes::Kind::cylinder;
}

double size_of(const system::System& system, int body) {
  return body == world ? all : system.bodies.size[static_cast<std::size_t>(body)];
}

/// h(d) = max d·x over a shape, from the centre of mass of its body.
double reach(const system::Collider& shape, const algebra::Quat& R, const Vec3& d) {
  const Vec3 d_B = R.conjugate() * d;
  const double centre = d_B.dot(shape.X_BS.p);
  if (shape.geometry.kind == shapes::Kind::sphere) return centre + shape.geometry.radius * d.norm();
  const bool turned = shape.X_BS.R.x() != 0 || shape.X_BS.R.y() != 0 || shape.X_BS.R.z() != 0;
  const Vec3 d_S = turned ? Vec3(shape.X_BS.R.conjugate() * d_B) : d_B;
  if (shape.geometry.kind == shapes::Kind::box) return centre + d_S.cwiseAbs().dot(shape.geometry.half_extents);
  if (shape.geometry.kind == shapes::Kind::capsule)
    return centre + shape.geometry.half_length * std::abs(d_S.z()) + shape.geometry.radius * d.norm();
  return centre + d_S.dot(shapes::support(shape.geometry, d_S));
}

double of_body(const std::vector<double>& values, int body) {
  return body == world ? 0 : values[static_cast<std::size_t>(body)];
}

}  // namespace

double displacement(const system::System& system, const Configuration& q0, const Configuration& q1, std::size_t body) {
  const double angle = 2 * (q0.R[body].conjugate() * q1.R[body]).vec().norm();
  return (q1.x[body] - q0.x[body]).norm() + angle * system.bodies.size[body];
}

double ContactsAnew::size(int body_a, int body_b) const {
  return std::min(size_of(system_, body_a), size_of(system_, body_b));
}

double ContactsAnew::tolerance(int body_a, int body_b) const {
  const double smaller = size(body_a, body_b);
  return 0.1 * tol_ * (smaller > 0 && std::isfinite(smaller) ? smaller : system_.length_scale);
}

double ContactsAnew::largest_tolerance() const {
  double largest = 0;
  for (const Contact& contact : *candidates_) largest = std::max(largest, tolerance(contact.body_a, contact.body_b));
  return largest;
}

void ContactsAnew::begin(const Configuration& q_m, const ContactSet& candidates, const std::vector<double>& margin,
                         bool repeated) {
  q_m_ = &q_m;
  candidates_ = &candidates;
  margin_ = &margin;
  widest_ = 0;
  looked_ = false;
  if (repeated) return;
  pairs_.clear();
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Contact& contact = candidates[i];
    const bool same =
        i > 0 && contact.shape_a == candidates[i - 1].shape_a && contact.shape_b == candidates[i - 1].shape_b;
    if (!same)
      pairs_.push_back({i, i, contact.body_a, contact.body_b, all, true, has_rim(system_, contact),
                        collide::is_swept(contact.feature_id), false, 0, 0});
    Pair& pair = pairs_.back();
    pair.end = i + 1;
    pair.gap = std::min(pair.gap, contact.at.gap);
    pair.lasting = pair.lasting && is_lasting(system_, contact);
  }
  takes_part_.assign(q_m.x.size(), 0);
  for (const Pair& pair : pairs_) {
    if (pair.body_a != world) takes_part_[static_cast<std::size_t>(pair.body_a)] = 1;
    if (pair.body_b != world) takes_part_[static_cast<std::size_t>(pair.body_b)] = 1;
  }
}

double ContactsAnew::moved(const Pair& pair) const {
  return of_body(moved_, pair.body_a) + of_body(moved_, pair.body_b);
}

/// The same of what the points of one body moved as seen from the other. With x(q) = x_i(q) + D_i (x(q_m) − x_i(q_m)),
/// D_i its turn since q_m, a point of b goes from c_b + r to x_a + D_a⁻¹ (c_b' − x_a') + D_a⁻¹ D_b r for somebody who
/// moves with a (centres at q primed), and |D_a⁻¹ D_b r − r| <= 2 |D_b − D_a| |r|, as quaternions. b is the smaller.
double ContactsAnew::moved_apart(const Pair& pair, const Configuration& q) const {
  int a = pair.body_a, b = pair.body_b;
  if (size_of(system_, a) < size_of(system_, b)) std::swap(a, b);
  if (a == world) return of_body(moved_, b);
  const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
  const Vec3 seen = q_m_->x[i] + turns_[i].conjugate() * (q.x[j] - q.x[i]);
  return (seen - q_m_->x[j]).norm() + 2 * (turns_[j].coeffs() - turns_[i].coeffs()).norm() * system_.bodies.size[j];
}

/// Does the normal of the contact separate its two shapes at q by more than `distance`, or by 0 up to the tolerance? By
/// `apart`, then. That at q_m is at hand; where it shows an overlap, that at q may not.
bool ContactsAnew::is_apart(const Contact& contact, const Configuration& q, double distance, double& apart) const {
  const system::Collider& a = system_.shapes[static_cast<std::size_t>(contact.shape_a)];
  const system::Collider& b = system_.shapes[static_cast<std::size_t>(contact.shape_b)];
  auto convex = [](const system::Collider& shape) {
    return shape.geometry.kind != shapes::Kind::plane && !shape.geometry.mesh;
  };
  if (!convex(a) || !convex(b)) return false;
  const Pose X_a = q.pose(a.body), X_b = q.pose(b.body);
  const auto depth_along = [&](const Vec3& n) {
    return reach(a, X_a.R, n) + reach(b, X_b.R, -n) - n.dot(X_b.p - X_a.p);
  };
  double depth = depth_along(contact.at.n);
  if (!(depth <= -distance)) depth = std::min(depth, depth_along(evaluate(contact.feature, X_a, X_b).n));
  if (!(depth <= (distance > 0 ? -distance : tolerance(a.body, b.body)))) return false;
  apart = -depth;
  return true;
}

void ContactsAnew::note(Pair& pair, double depth) {
  pair.depth = std::max(pair.depth, depth);
  depth_ = std::max(depth_, depth);
  depth_ratio_ = std::max(depth_ratio_, depth / tolerance(pair.body_a, pair.body_b));
}

/// Returns the smallest gap of the features, or a bound on it; what overlaps unseen counts.
double ContactsAnew::evaluate_again(const Pair& pair, const Configuration& q, double move, double widest,
                                    ContactSet& out) const {
  double smallest = all;
  for (std::size_t i = pair.begin; i < pair.end; ++i) {
    const Contact& contact = (*candidates_)[i];
    if ((pair.lasting || move == 0) && contact.at.gap - move > widest) {
      smallest = std::min(smallest, contact.at.gap - move);
      continue;
    }
    const auto at = move == 0 ? contact.at : evaluate(contact.feature, q.pose(contact.body_a), q.pose(contact.body_b));
    smallest = std::min(smallest, at.gap);
    if (at.gap > widest) continue;
    out.push_back(contact);
    out.back().at = at;
  }
  if (!pair.swept) return smallest;
  const std::span touch = std::span(*candidates_).subspan(pair.begin, pair.end - pair.begin);
  return std::min(smallest, -find_beside(system_, touch, q, std::min(reach_of(pair), widest), out));
}

/// Where the search at q_m looked.
double ContactsAnew::reach_of(const Pair& pair) const {
  return of_body(*margin_, pair.body_a) + of_body(*margin_, pair.body_b);
}

void ContactsAnew::search(const Pair& pair, const Configuration& q, double widest, ContactSet& out) const {
  const Contact& first = (*candidates_)[pair.begin];
  find_pair(system_, first.shape_a, first.shape_b, q, std::min(reach_of(pair), widest), out);
}

bool ContactsAnew::keeps_features(const Pair& pair, double move) const {
  if (pair.lasting && move <= reach_of(pair)) return true;  // beyond, other vertices may be in reach of a plane
  const double part = pair.rim ? settled_rim : settled;
  return move <= part * size(pair.body_a, pair.body_b);
}

/// How far those that take part came from q_m, and whether since the last time.
void ContactsAnew::look_at_bodies(const Configuration& q) {
  moved_.resize(q.x.size());
  turns_.resize(q.x.size());
  stays_.assign(q.x.size(), 0);
  for (std::size_t b = 0; b < moved_.size(); ++b) {
    if (!takes_part_[b]) continue;
    stays_[b] = looked_ && last_q_.x[b] == q.x[b] && last_q_.R[b].coeffs() == q.R[b].coeffs();
    if (stays_[b]) continue;
    turns_[b] = q.R[b] * q_m_->R[b].conjugate();
    moved_[b] = displacement(system_, *q_m_, q, b);
  }
  last_q_.x = q.x;
  last_q_.R = q.R;
  looked_ = true;
}

void ContactsAnew::find(const Configuration& q, ContactSet& out) {
  out.clear();
  depth_ = depth_ratio_ = 0;
  look_at_bodies(q);
  for (Pair& pair : pairs_) {
    if (widest_ == 0 && !pair.overlaps && stays(pair.body_a) && stays(pair.body_b)) {
      note(pair, pair.depth);  // as it was
      continue;
    }
    look_at(pair, q, out);
  }
}

void ContactsAnew::look_at(Pair& pair, const Configuration& q, ContactSet& out) {
  const double move = moved(pair), distance = (pair.lasting ? 1 : distance_part) * pair.gap;
  pair.overlaps = false;
  pair.depth = 0;
  pair.apart = distance - move;
  if (!pair.swept && pair.apart > widest_) return;
  if (!pair.swept && distance > widest_) pair.apart = distance - moved_apart(pair, q);
  if (!pair.swept && pair.apart > widest_) return;
  pair.apart = 0;
  const std::size_t before = out.size();
  if (!pair.swept && move == 0 && widest_ == 0 && -pair.gap <= tolerance(pair.body_a, pair.body_b)) {
    note(pair, -pair.gap);  // at rest: most of them
    pair.apart = pair.gap;
  } else if (keeps_features(pair, move)) {
    pair.apart = evaluate_again(pair, q, move, widest_, out);
  } else if (is_apart((*candidates_)[pair.begin], q, widest_, pair.apart)) {
    note(pair, -pair.apart);
  } else {
    search(pair, q, widest_, out);
  }
  double deepest = 0;
  for (std::size_t i = before; i < out.size(); ++i) deepest = std::max(deepest, -out[i].at.gap);
  // Thin bodies that turned through each other: what no contact shows the run cannot mend, and has to say so.
  if (pair.swept && -pair.apart > deepest) note(pair, -pair.apart);
  pair.apart = std::min(pair.apart, deepest > 0 ? -deepest : all);
  pair.overlaps = deepest > tolerance(pair.body_a, pair.body_b);
  if (pair.overlaps || widest_ > 0) return;
  note(pair, deepest);
  out.resize(before);
}

void ContactsAnew::gather(std::size_t pair, const Configuration& q, ContactSet& out) const {
  const double move = moved(pairs_[pair]);
  if (keeps_features(pairs_[pair], move)) {
    evaluate_again(pairs_[pair], q, move, all, out);
  } else {
    search(pairs_[pair], q, all, out);
  }
}

}  // namespace vinculum::integrators
