// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The registered superpotentials, each with its named parameters, so that a reader of scenes can check
//   [[law]] type = "dry_friction"  load = 2.0
// without knowing any of them.
#pragma once

#include "vinculum/potentials/superpotential.hpp"

#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace vinculum::potentials {

/// One number that a law asks for. Allowed: low ≤ value ≤ high, without the ends that are `open`; whole if `integer`.
struct Parameter {
  std::string_view name;
  std::string_view unit;  // "N", "m/s", "1"
  std::string_view text;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool open = false;
  bool integer = false;
  std::optional<double> fallback = {};  // none: must be given
};

using Values = std::map<std::string, double, std::less<>>;

/// A file name.cpp of a law defines `LawFactory name_factory()`.
struct LawFactory {
  Level level;
  std::span<const Parameter> parameters;
  LawPtr (*make)(const Values& values);  // values complete and in range; throws InputError on bad combinations
};

struct PotentialType {
  std::string_view name;
  std::string_view text;
  LawFactory factory;
};

/// All registered laws, in registry order.
std::span<const PotentialType> potential_types();
/// By name; nullptr if there is none.
const PotentialType* find_potential(std::string_view name);

/// What was expected, if the value is not allowed: "a number >= 0 (N)". Each fault has its own message.
std::optional<std::string> fault_of(const Parameter& parameter, double value);

/// The law of this name. InputError `dry_friction.load: found -2, expected a number >= 0 (N)` for an unknown name or
/// key, a missing, infinite, NaN or forbidden value.
LawPtr make_potential(std::string_view name, const Values& values);

}  // namespace vinculum::potentials
