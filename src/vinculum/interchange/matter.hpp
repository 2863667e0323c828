// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Masses as files give them. With S = ∫ x xᵀ dm about the centre of mass, the inertia is I = tr(S) 1 − S, and any
// positive semidefinite S belongs to some body: no principal moment of I is larger than the sum of the other two.
#pragma once

#include "vinculum/algebra/types.hpp"

#include <span>
#include <string>

namespace vinculum::interchange {

/// Mass, centre and inertia about it, in the axes of a frame.
struct MassPart {
  double mass = 0;
  algebra::Vec3 com = algebra::Vec3::Zero();
  algebra::Mat3 inertia = algebra::Mat3::Zero();
};

MassPart sum_of(std::span<const MassPart> parts);
/// The same in the frame that sees its frame at X.
MassPart moved(const MassPart& part, const algebra::Pose& X);

/// Empty, or why there is no rigid body of this inertia: `found` and `expected` of an error message.
struct Objection {
  std::string found, expected;
  bool empty() const { return found.empty(); }
};
Objection objection_to(const algebra::Mat3& inertia);

/// That of a rod or a point, too: up to rounding.
bool is_semidefinite(const algebra::Mat3& inertia);

/// The inertia of the nearest S that is positive semidefinite: where one moment is larger than the sum of the others,
/// these two grow by half the excess each.
algebra::Mat3 nearest_possible(const algebra::Mat3& inertia);

}  // namespace vinculum::interchange
