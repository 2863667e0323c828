// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The painter's question: who may hide whom, and hence in which order to draw.
#pragma once

#include "cli/solids.hpp"
#include "cli/view.hpp"

#include <cstddef>
#include <vector>

namespace vinculum::cli {

/// Whether `a` may hide parts of `b` (+1), the other way round (-1), or neither for sure (0). `eye` is a point, or, for
/// an orthographic view, a direction towards the eye with orthographic = true.
int compare_depth(const Solid& a, const Solid& b, const Vec3& eye, bool orthographic);

/// Indices of the solids that are before the eye, farther ones first.
std::vector<std::size_t> depth_order(const std::vector<Solid>& solids, const View& view);

}  // namespace vinculum::cli
