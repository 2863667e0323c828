// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A cylinder over a flat piece of another body: a plane, a face of a solid, or the cap of another cylinder.
#pragma once

#include "vinculum/collide/core.hpp"
#include "vinculum/collide/emitter.hpp"

#include <limits>

namespace vinculum::collide {

/// A flat piece of body b, in the frame of the cylinder a: the plane m·x = offset, m outward, restricted to a face of a
/// core, to a disc, or not at all.
struct FlatRegion {
  Vec3 m;
  double offset = 0;
  Vec3 own_normal;             // m in the frame of its body
  const Core* core = nullptr;  // polygon: face `face` of this core
  int face = -1;
  Vec3 centre = Vec3::Zero();  // disc
  double radius = std::numeric_limits<double>::infinity();
  int index = 0;       // for ids
  bool border = true;  // look at the border of the region under a flat cap

  double height(const Vec3& x) const { return m.dot(x) - offset; }
  /// Over the region, or at most `band` beside it.
  bool holds(const Vec3& x, double band) const;
  /// The part t0..t1 of the segment x0..x1 over the region; false when there is none.
  bool clip(const Vec3& x0, const Vec3& x1, double band, double& t0, double& t1) const;
};

/// Adds the contacts of the cylinder a (first body of `out`) over the region; returns the lowest gap over it (infinity
/// when no point of the cylinder that could touch is over it).
double collide_cylinder_region(const shapes::Shape& cylinder, const FlatRegion& region, double band, Emitter& out);

void collide_cylinder_plane(const shapes::Shape& cylinder, Emitter& out);

}  // namespace vinculum::collide
