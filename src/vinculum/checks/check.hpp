// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A check looks at every recorded step and keeps the worst it saw.
#pragma once

#include "vinculum/checks/replay.hpp"

#include <initializer_list>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace vinculum::checks {

/// The largest of some numbers; NaN if one of them is.
inline double largest(std::initializer_list<double> values) {
  double most = -std::numeric_limits<double>::infinity();
  for (const double value : values) {
    if (!(value <= most)) most = value;
    if (value != value) return value;
  }
  return most;
}

enum class Status {
  pass,
  fail,
  not_applicable,
  not_regular,     // a law without a regular potential here: the principle proves nothing
  impact_instant,  // the laws acted in impacts only, of which the principle does not speak
};
/// Pass or fail: something was looked at.
inline bool is_decided(Status status) { return status == Status::pass || status == Status::fail; }
std::string_view to_string(Status status);

struct Outcome {
  std::string_view name;
  Status status = Status::not_applicable;  // until something was looked at
  double residual = 0;                     // the worst, in units of `unit`
  double tolerance = 0;                    // that applied there
  std::string_view unit;
  double time = 0;        // of the step where it occurred, s
  std::string where;      // body or contact
  std::string why_not;    // not applicable: the reason
  std::size_t count = 0;  // how many residuals were looked at
};

class Check {
 public:
  virtual ~Check() = default;
  virtual void look(const Replay& step) = 0;
  Outcome outcome;

 protected:
  /// Notes one residual with its tolerance. NaN fails.
  void note(double residual, double tolerance, double time, const std::string& where) {
    const bool first = !is_decided(outcome.status);
    ++outcome.count;
    const bool bad = !(residual <= tolerance);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const double ratio = tolerance > 0 && residual == residual ? residual / tolerance : (bad ? infinity : 0);
    if (first) outcome.status = Status::pass;
    if (bad) outcome.status = Status::fail;
    if (!first && !(ratio > worst_)) return;
    worst_ = ratio;
    outcome.residual = residual;
    outcome.tolerance = tolerance;
    outcome.time = time;
    outcome.where = where;
  }

 private:
  double worst_ = 0;
};

struct CheckType {
  std::string_view name;
  std::string_view text;
  std::unique_ptr<Check> (*make)();
};

std::span<const CheckType> check_types();

}  // namespace vinculum::checks
