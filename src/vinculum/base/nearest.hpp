// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// "Did you mean": the word of a list that a slip of the finger turns into the given one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace vinculum::base {

/// The candidate nearest to `word` by edit distance, empty when none is near (more than a third of the letters differ).
std::string nearest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace vinculum::base
