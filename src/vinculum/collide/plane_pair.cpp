// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A convex body is above a plane exactly if its vertices are: they are all reported, each with its own gap, so there is
// nothing to choose and nothing that can flicker. n = −z of the plane (from a to the plane b).
#include "vinculum/collide/plane_pair.hpp"

namespace vinculum::collide {

void collide_core_plane(const shapes::Shape& a, Emitter& out) {
  const auto add_at = [&](int k, const Vec3& P_a, const Vec3& x, double rounding) {  // x: P_a in the plane's frame
    if (x.z() - rounding > out.margin() + 1e-9 * (1 + std::abs(x.z()))) return;      // far above: do not even evaluate
    out.face_b(feature_id(Meeting::vertex_on_face_b, k, 0), -Vec3::UnitZ(), Vec3(x.x(), x.y(), 0), P_a, rounding);
  };
  if (a.kind == shapes::Kind::sphere) {
    return add_at(0, Vec3::Zero(), out.X_b().R.conjugate() * (out.X_a().p - out.X_b().p), a.radius);
  }
  const Pose X_BA = relative_pose(out.X_b(), out.X_a());
  const auto add = [&](int k, const Vec3& P_a, double rounding) { add_at(k, P_a, X_BA * P_a, rounding); };
  if (a.polytope) {
    for (std::size_t k = 0; k < a.polytope->vertices.size(); ++k) add(static_cast<int>(k), a.polytope->vertices[k], 0);
  } else {
    add(0, Vec3(0, 0, -a.half_length), a.radius);
    add(1, Vec3(0, 0, a.half_length), a.radius);
  }
}

}  // namespace vinculum::collide
