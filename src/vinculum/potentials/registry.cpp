// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The table behind potential_types(), and the checks of parameters.
#include "vinculum/potentials/registry.hpp"

#include "vinculum/base/error.hpp"

#include <fmt/format.h>

#include <cmath>

namespace vinculum::potentials {

#define POTENTIAL(name, text) LawFactory name##_factory();
#include "vinculum/potentials/registry.inc"
#undef POTENTIAL

std::span<const PotentialType> potential_types() {
  static const PotentialType types[] = {
#define POTENTIAL(name, text) {#name, text, name##_factory()},
#include "vinculum/potentials/registry.inc"
#undef POTENTIAL
  };
  return types;
}

const PotentialType* find_potential(std::string_view name) {
  for (const PotentialType& type : potential_types()) {
    if (type.name == name) return &type;
  }
  return nullptr;
}

namespace {

std::string range_of(const Parameter& p) {
  const bool below = std::isfinite(p.low), above = std::isfinite(p.high);
  std::string text = p.integer ? "a whole number" : "a number";
  if (below && above) {
    text += fmt::format(" {} {} and {} {}", p.open ? ">" : ">=", p.low, p.open ? "<" : "<=", p.high);
  } else if (below) {
    text += fmt::format(" {} {}", p.open ? ">" : ">=", p.low);
  } else if (above) {
    text += fmt::format(" {} {}", p.open ? "<" : "<=", p.high);
  }
  return p.unit == "1" ? text : fmt::format("{} ({})", text, p.unit);
}

std::string list_names(std::span<const Parameter> parameters) {
  std::string text;
  for (const Parameter& p : parameters) text += fmt::format("{}{}", text.empty() ? "" : ", ", p.name);
  return text.empty() ? "no parameters" : text;
}

void check_keys(const PotentialType& type, const Values& values) {
  for (const auto& [key, value] : values) {
    bool known = false;
    for (const Parameter& p : type.factory.parameters) known = known || p.name == key;
    if (known) continue;
    throw base::InputError(
        fmt::format("{}: found unknown key {}, expected {}", type.name, key, list_names(type.factory.parameters)));
  }
}

}  // namespace

std::optional<std::string> fault_of(const Parameter& p, double value) {
  if (std::isnan(value)) return "a number, not NaN";
  if (std::isinf(value)) return "a finite number";
  const bool low = p.open ? value > p.low : value >= p.low;
  const bool high = p.open ? value < p.high : value <= p.high;
  if (!low || !high || (p.integer && value != std::floor(value))) return range_of(p);
  return std::nullopt;
}

LawPtr make_potential(std::string_view name, const Values& values) {
  const PotentialType* type = find_potential(name);
  if (!type) {
    std::string names;
    for (const PotentialType& t : potential_types()) names += fmt::format("{}{}", names.empty() ? "" : ", ", t.name);
    throw base::InputError(fmt::format("law: found {}, expected one of {}", name, names));
  }
  check_keys(*type, values);
  Values complete = values;
  for (const Parameter& p : type->factory.parameters) {
    const auto given = values.find(p.name);
    if (given == values.end()) {
      if (!p.fallback)
        throw base::InputError(fmt::format("{}.{}: found nothing, expected {}", name, p.name, range_of(p)));
      complete[std::string(p.name)] = *p.fallback;
    } else if (const auto fault = fault_of(p, given->second)) {
      throw base::InputError(fmt::format("{}.{}: found {}, expected {}", name, p.name, given->second, *fault));
    }
  }
  return type->factory.make(complete);
}

}  // namespace vinculum::potentials
