// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Performance profile (Dolan & Moré 2002): for each solver the part of the problems that it solves within a factor τ of
// the fastest one, over τ on a logarithmic axis.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace vinculum::bench {

/// times[solver][problem] in seconds, infinite where not solved. Returns a picture (SVG).
std::string performance_profile(const std::map<std::string, std::vector<double>>& times);

}  // namespace vinculum::bench
