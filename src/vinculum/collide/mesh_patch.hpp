// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What the triangles of a mesh found, gathered over the whole pair: doubles removed, patches reduced to their corners.
#pragma once

#include "vinculum/collide/emitter.hpp"

namespace vinculum::collide {

/// A contact that one triangle found.
struct MeshContact {
  std::uint64_t key = 0;  // names the features: the same contact found by another triangle has the same
  int facet = -1;         // its normal is that of this facet; −1: of an edge or vertex
  Feature feature;
  Kinematics at;
};

constexpr std::uint64_t make_key(Meeting meeting, int of_mesh, int of_other) {
  return static_cast<std::uint64_t>(meeting) << 60 | static_cast<std::uint64_t>(of_mesh) << 30 |
         (static_cast<std::uint64_t>(of_other) & 0x3fffffffu);
}

/// Removes contacts found twice, and of every facet's patch all points but the corners of its convex hull.
///
/// Nothing is lost: the points of a patch share n, their gaps are values of one affine function (a face of the other
/// body over a plane), and velocities are affine in the point. So a point x = Σ w_i x_i, w >= 0, Σ w = 1, has the gap
/// and local velocity Σ w_i (...)_i, which the corners keep >= 0, and its impulse Λ ∈ K does what the impulses w_i Λ ∈
/// K do at the corners: force and moment are the same, and the cone K is the same everywhere on the patch.
void reduce_patches(double size, std::vector<MeshContact>& contacts);

}  // namespace vinculum::collide
