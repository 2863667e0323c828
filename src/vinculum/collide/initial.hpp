// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A scene must not start with overlapping shapes or with rods of the wrong length, unless it says so.
#pragma once

#include "vinculum/collide/contact_set.hpp"

namespace vinculum::collide {

/// Overlaps deeper than this part of the smaller body's size are refused; smaller ones are lifted by the first step.
constexpr double overlap_tolerance = 1e-6;

/// Throws base::InputError that names the pair and the depth, or the rod, unless model.allow_penetration.
void check_initial_overlap(const model::Model& model, const system::System& system, const system::State& state);

}  // namespace vinculum::collide
