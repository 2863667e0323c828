// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers on the command line, refused in the words of the rest: what was found, what was expected.
#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <string>

namespace vinculum::cli {

/// A check for CLI11: finite, and above zero or not below it.
inline CLI::Validator number_from_zero(bool zero_too) {
  const auto check = [zero_too](const std::string& text) -> std::string {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool good = error == std::errc() && end == text.data() + text.size() && std::isfinite(value) &&
                      (value > 0 || (zero_too && value == 0));
    return good ? "" : "found " + text + ", expected a number " + (zero_too ? ">= 0" : "> 0");
  };
  return CLI::Validator(check, zero_too ? ">= 0" : "> 0");
}

/// Another one: a whole number above zero.
inline CLI::Validator count_from_one() {
  const auto check = [](const std::string& text) -> std::string {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool good = error == std::errc() && end == text.data() + text.size() && value > 0;
    return good ? "" : "found " + text + ", expected a whole number > 0";
  };
  return CLI::Validator(check, "> 0");
}

}  // namespace vinculum::cli
