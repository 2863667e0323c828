// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// How many of what, as one says it: 1 body, 2 bodies, 0 rods.
#pragma once

#include <fmt/core.h>
#include <string>
#include <string_view>

namespace vinculum::cli {

inline std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}
inline std::string counted(std::size_t count, const std::string& one) { return counted(count, one, one + "s"); }
inline std::string bodies(std::size_t count) { return counted(count, "body", "bodies"); }

}  // namespace vinculum::cli
