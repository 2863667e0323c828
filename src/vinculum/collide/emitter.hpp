// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Where pair functions put their contacts: one call per feature pair, which is evaluated, kept when its gap is within
// the margin, and turned around when the pair was handed over in the other order.
#pragma once

#include "vinculum/collide/contact_set.hpp"

namespace vinculum::collide {

/// The other order of the bodies. Directions of faces point from a to b, so they change sign; the sign of an edge pair
/// does not, because  −(e_a × e_b) = e_b × e_a.
Feature flip(const Feature& feature);

/// Which features meet; the upper bits of a feature id.
enum class Meeting : std::uint32_t {
  vertex_on_face_a,  // (vertex or point of b, face of a)
  vertex_on_face_b,  // (vertex or point of a, face of b)
  crossing_a,        // edge of b cut by the border of a face of a: (edge of b, edge of a)
  crossing_b,        // edge of a cut by the border of a face of b: (edge of a, edge of b)
  corner,            // corner of the reference face over the other face: (corner, 0)
  edges,             // nearest edges: (edge of a, edge of b)
  end_on_edge_a,     // (end of b, edge of a)
  end_on_edge_b,     // (end of a, edge of b)
  ends,              // nearest vertices or ends: (end of a, end of b)
  curved,            // rims and sides of cylinders: (what of a, what of b)
};

/// 4 + 14 + 14 bits. Indices of polytopes fit (shapes/convex_hull.cpp bounds them).
constexpr std::uint32_t feature_id(Meeting meeting, int i, int j) {
  return static_cast<std::uint32_t>(meeting) << 28 | (static_cast<std::uint32_t>(i) & 0x3fffu) << 14 |
         (static_cast<std::uint32_t>(j) & 0x3fffu);
}

class Emitter {
 public:
  /// X_a, X_b: poses in the order of the pair function; `flipped` when that is not the order of the caller.
  Emitter(const Pose& X_a, const Pose& X_b, double margin, bool flipped, std::vector<Contact>& out)
      : X_a_(X_a), X_b_(X_b), margin_(margin), flipped_(flipped), out_(out) {}

  double margin() const { return margin_; }
  const Pose& X_a() const { return X_a_; }
  const Pose& X_b() const { return X_b_; }

  /// The same with the two bodies in the other order.
  Emitter turned() const {
    Emitter other(X_b_, X_a_, margin_, !flipped_, out_);
    other.avoided_ = avoided_;
    other.avoided_radius_ = avoided_radius_;
    return other;
  }

  /// Adds the contact if its gap is at most the margin; returns the gap.
  double add(std::uint32_t id, const Feature& feature);

  /// From now on leaves out contacts at the place of the last one added: the same meeting seen with another normal.
  void avoid_last();

  // The kinds by name. Points and directions in the frames of their shapes; n from a to b.
  double face_a(std::uint32_t id, const Vec3& n_a, const Vec3& P_a, const Vec3& P_b, double rounding_b = 0);
  double face_b(std::uint32_t id, const Vec3& n_b, const Vec3& P_b, const Vec3& P_a, double rounding_a = 0);

 private:
  const Pose &X_a_, &X_b_;
  double margin_;
  bool flipped_;
  std::vector<Contact>& out_;
  std::size_t first_ = out_.size();
  Vec3 avoided_ = Vec3::Zero();
  double avoided_radius_ = -1;
};

}  // namespace vinculum::collide
