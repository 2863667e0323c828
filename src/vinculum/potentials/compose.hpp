// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Laws that are made in code, of functions, regions and other laws. Everything else is in the registry.
#pragma once

#include "vinculum/convex/region.hpp"
#include "vinculum/potentials/superpotential.hpp"

#include <functional>
#include <vector>

namespace vinculum::potentials {

/// P in C¹: ∂P = {∇P}. `convex` is the caller's word.
LawPtr make_smooth(Level level, int rows, std::function<double(const Vec&)> value,
                   std::function<Vec(const Vec&)> gradient, bool convex);

/// The indicator of a box [low, high]: ∂P(x) is its normal cone. On velocity level a constraint must be a convex cone,
/// here and below; InputError if it is not.
LawPtr make_box_indicator(Level level, const Vec& low, const Vec& high);

/// The indicator of a region of one to three rows. `regular`: at every point.
LawPtr make_indicator(Level level, convex::RegionPtr region, bool regular);

/// P_1 + P_2 + … of one level and size. ∂ is the sum of the sets, which needs regular terms and a qualification
/// (interiors of the domains meet); of terms that are not regular it is an outer bound.
LawPtr make_sum(std::vector<LawPtr> terms);

}  // namespace vinculum::potentials
