// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Robot files cut rigid bodies into links that fixed joints hold together, and string joints on links without mass.
// What cannot be a body by itself becomes part of one:
//   a part held by a fixed joint whose inertia no body has (a sensor with moments 0), or that brings the mass which the
//   moving body that holds it lacks, is added to that body, its shapes and joints with it;
//   a moving body without mass that only carries another one leaves its joints to that one:
//     X_PV J_V X_VC J_C = (X_PV X_VC) (X_VC⁻¹ J_V X_VC) J_C
// The motion is the same; the forces in the fixed joints that are gone are not told. Some files have joints that move
// nothing with mass, which have no motion: where asked to, what they move is held at its start.
#pragma once

#include "vinculum/interchange/xml.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum::interchange {

/// Where things of before are now: the frame of body b stands at bodies[b].X in bodies[b].body; joint j is joints[j],
/// or −1.
struct Fused {
  struct Place {
    int body;
    Pose X;
  };
  std::vector<Place> bodies;
  std::vector<int> joints;
};

/// Of bodies, joints and shapes; nothing else may refer to them yet. Every body comes after the one that holds it.
/// `hold`: what moves no mass.
Fused fuse_parts(model::Model& model, bool hold, Notices& notices);

/// Throws base::InputError for what is left without mass or with an inertia that no body has; `thing`: "link".
void check_matter(const model::Model& model, const std::string& thing, const std::string& expected);

/// The inertia of a point becomes that of the body's shapes, if it has any: nobody has measured it. So does that of a
/// rod that is free; one that no body has becomes the nearest that some body has. Noticed.
void mend_inertias(model::Model& model, Notices& notices);

}  // namespace vinculum::interchange
