// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Two meshes that overlap: neither is convex, so that no axis separates them, and what one triangle of each makes of
// the other says nothing about the solids. What does: where their vertices are, and where their ridges cross.
#pragma once

#include "vinculum/collide/mesh_patch.hpp"
#include "vinculum/shapes/mesh.hpp"

namespace vinculum::collide {

/// Adds the contacts of vertices that are inside the other solid by more than `deep`, and of ridges that cross, inside
/// or up to `margin` apart. b stands at X_AB in the frame of a; `X_a`, `X_b` place both in the world. A sheet has an
/// inside for what is before it.
void add_sunken(const shapes::Mesh& a, const shapes::Mesh& b, const Pose& X_AB, const Pose& X_a, const Pose& X_b,
                double deep, double margin, std::vector<MeshContact>& found);

}  // namespace vinculum::collide
