// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Three kinds of trouble.
//   The user's input is wrong:  InputError, thrown at the edge; one line "place: path: found X, expected Y"; exit
//   status 2. We are wrong:               VINCULUM_ASSERT (development builds), VINCULUM_DEMAND (always); exit
//   status 4. The numbers are hard:       not an error; the result says so (solvers::Report, audit verdicts).
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace vinculum::base {

/// Where in a text file something was found. Line and column count from 1; line 0 means "the file as a whole".
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
};

/// Formats a place as `file:line:column`, or `file` when the line is 0.
std::string to_string(const Place& place);

/// Wrong input. what() is one complete line without a trailing newline.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& line) : std::runtime_error(line) {}
  /// `file:line:column: path: found X, expected Y`
  InputError(const Place& place, std::string_view path, std::string_view found, std::string_view expected);

  /// The wrong text with a caret below it, two lines, where there is one: shown on a terminal below what().
  std::string detail;
};

[[noreturn]] void fail_demand(const char* condition, const char* file, int line);

}  // namespace vinculum::base

/// An invariant of ours; always checked.
#define VINCULUM_DEMAND(condition) \
  (static_cast<bool>(condition) ? void(0) : ::vinculum::base::fail_demand(#condition, __FILE__, __LINE__))

/// An invariant of ours; checked in development builds.
#ifdef VINCULUM_ASSERTIONS
#define VINCULUM_ASSERT(condition) VINCULUM_DEMAND(condition)
#else
#define VINCULUM_ASSERT(condition) void(0)
#endif
