// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A pair that Search::sweep holds at the features of its first touch, seen later: what else of it overlaps.
#include "vinculum/collide/core_pair.hpp"
#include "vinculum/collide/search_buffers.hpp"

#include <algorithm>

namespace vinculum::collide {

namespace {

constexpr double same_way = 0.1;     // cosine above which a feature faces the way of the touch
constexpr double along_face = 0.95;  // cosine from which a face looks along the normal of the touch

/// What of b sank in below the face of a that looks along n, however deep. False where none looks that way.
bool add_below_face(const shapes::Shape& a, const shapes::Shape& b, const Vec3& n, Emitter out) {
  CorePair& cores = CorePair::scratch();
  const Pose X_AB = relative_pose(out.X_a(), out.X_b());
  cores.a.place(a);
  cores.b.place(b, X_AB);
  const Vec3 n_A = out.X_a().R.conjugate() * n;
  const int face = facing(cores.a, n_A);
  if (face < 0 || cores.a.normals[face].dot(n_A) <= along_face) return false;
  add_face_patch(cores.a, face, cores.b, X_AB, out);
  return true;
}

/// For thin bodies that turned about their first touch, through each other elsewhere.
void add_below_faces(const system::System& system, const Contact& met, const Vec3& n, const system::Configuration& q,
                     double margin, ContactSet& out) {
  const system::Collider& a = system.shapes[static_cast<std::size_t>(met.shape_a)];
  const system::Collider& b = system.shapes[static_cast<std::size_t>(met.shape_b)];
  if (!has_core(a.geometry.kind) || !has_core(b.geometry.kind)) return;
  const Pose X_a = q.pose(a.body), X_b = q.pose(b.body), X_WA = X_a * a.X_BS, X_WB = X_b * b.X_BS;
  const std::size_t first = out.size();
  if (!add_below_face(a.geometry, b.geometry, n, Emitter(X_WA, X_WB, margin, false, out)))
    add_below_face(b.geometry, a.geometry, -n, Emitter(X_WB, X_WA, margin, true, out));
  for (std::size_t i = first; i < out.size(); ++i) {
    Contact& contact = out[i];
    set_pair(met.shape_a, met.shape_b, a, b, contact);
    move_to_body(a, b, contact);
    contact.at = evaluate(contact.feature, X_a, X_b);
  }
}

}  // namespace

/// Features of the far side face the other way, those of the flanks aside: where the touch is deep they mean nothing.
double find_beside(const system::System& system, std::span<const Contact> touch, const system::Configuration& q,
                   double margin, ContactSet& out) {
  const Vec3 n = evaluate(touch[0].feature, q.pose(touch[0].body_a), q.pose(touch[0].body_b)).n;
  const auto first = static_cast<std::ptrdiff_t>(out.size());
  find_pair(system, touch[0].shape_a, touch[0].shape_b, q, margin, out);
  double hidden = 0;
  const auto faces_away = [&](const Contact& contact) {
    if (contact.at.n.dot(n) > same_way) return false;
    hidden = std::max(hidden, -contact.at.gap);
    return true;
  };
  out.erase(std::remove_if(out.begin() + first, out.end(), faces_away), out.end());
  if (hidden > 0) add_below_faces(system, touch[0], n, q, margin, out);
  return hidden;
}

}  // namespace vinculum::collide
