// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A contact is evaluated in the order of the caller, so that evaluate() reproduces it bit for bit.
#include "vinculum/collide/emitter.hpp"

#include <cmath>
#include <utility>

namespace vinculum::collide {

Feature flip(const Feature& feature) {
  Feature other = feature;
  std::swap(other.P_a, other.P_b);
  std::swap(other.dir_a, other.dir_b);
  std::swap(other.rounding_a, other.rounding_b);
  switch (feature.kind) {
    case FeatureKind::face_a:
      other.kind = FeatureKind::face_b;
      other.dir_b = -feature.dir_a;
      break;
    case FeatureKind::face_b:
      other.kind = FeatureKind::face_a;
      other.dir_a = -feature.dir_b;
      break;
    case FeatureKind::face_a_rim_b:
      other.kind = FeatureKind::face_b_rim_a;
      other.dir_b = -feature.dir_a;
      break;
    case FeatureKind::face_b_rim_a:
      other.kind = FeatureKind::face_a_rim_b;
      other.dir_a = -feature.dir_b;
      break;
    case FeatureKind::edge_a_point_b:
      other.kind = FeatureKind::point_a_edge_b;
      break;
    case FeatureKind::point_a_edge_b:
      other.kind = FeatureKind::edge_a_point_b;
      break;
    case FeatureKind::point_point:
    case FeatureKind::edge_edge:
      break;
  }
  return other;
}

double Emitter::add(std::uint32_t id, const Feature& feature) {
  out_.emplace_back();
  Contact& contact = out_.back();
  contact.feature_id = id;
  contact.feature = flipped_ ? flip(feature) : feature;
  contact.at = flipped_ ? evaluate(contact.feature, X_b_, X_a_) : evaluate(contact.feature, X_a_, X_b_);
  const double gap = contact.at.gap;
  const bool avoided =
      avoided_radius_ >= 0 && (0.5 * (contact.at.p_a + contact.at.p_b) - avoided_).norm() <= avoided_radius_;
  if (!(gap <= margin_) || avoided) out_.pop_back();
  return gap;
}

// A meeting of edges and the clipped point of a patch tilted against it by 0.05 are less than 0.1 gap apart.
void Emitter::avoid_last() {
  if (out_.size() == first_) return;
  const Kinematics& last = out_.back().at;
  avoided_ = 0.5 * (last.p_a + last.p_b);
  avoided_radius_ = 0.1 * std::abs(last.gap) + 1e-9;
}

double Emitter::face_a(std::uint32_t id, const Vec3& n_a, const Vec3& P_a, const Vec3& P_b, double rounding_b) {
  Feature feature;
  feature.kind = FeatureKind::face_a;
  feature.dir_a = n_a;
  feature.P_a = P_a;
  feature.P_b = P_b;
  feature.rounding_b = rounding_b;
  return add(id, feature);
}

double Emitter::face_b(std::uint32_t id, const Vec3& n_b, const Vec3& P_b, const Vec3& P_a, double rounding_a) {
  Feature feature;
  feature.kind = FeatureKind::face_b;
  feature.dir_b = n_b;
  feature.P_b = P_b;
  feature.P_a = P_a;
  feature.rounding_a = rounding_a;
  return add(id, feature);
}

}  // namespace vinculum::collide
