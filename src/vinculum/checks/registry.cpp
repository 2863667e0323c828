// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/checks/check.hpp"

#include <array>

namespace vinculum::checks {

#define CHECK(name, text) std::unique_ptr<Check> make_##name();
#include "vinculum/checks/registry.inc"
#undef CHECK

std::span<const CheckType> check_types() {
  static const std::array types = {
#define CHECK(name, text) CheckType{#name, text, &make_##name},
#include "vinculum/checks/registry.inc"
#undef CHECK
  };
  return types;
}

std::string_view to_string(Status status) {
  switch (status) {
    case Status::pass:
      return "pass";
    case Status::fail:
      return "fail";
    case Status::not_applicable:
      return "not applicable";
    case Status::not_regular:
      return "not regular";
    case Status::impact_instant:
      return "impact instant";
  }
  return "unknown";
}

}  // namespace vinculum::checks
