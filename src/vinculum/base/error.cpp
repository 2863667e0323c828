// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/base/error.hpp"

#include <fmt/core.h>

namespace vinculum::base {

std::string to_string(const Place& place) {
  if (place.line == 0) return place.file;
  return fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

InputError::InputError(const Place& place, std::string_view path, std::string_view found, std::string_view expected)
    : std::runtime_error(fmt::format("{}: {}: found {}, expected {}", to_string(place), path, found, expected)) {}

void fail_demand(const char* condition, const char* file, int line) {
  throw std::logic_error(fmt::format("internal error: {} does not hold ({}:{})", condition, file, line));
}

}  // namespace vinculum::base
