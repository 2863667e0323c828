// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/system/controller.hpp"

#include "vinculum/base/error.hpp"
#include "vinculum/base/nearest.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace vinculum::system {

namespace {

int find(const System& system, std::vector<std::string> Forest::*list, std::string_view name, const std::string& kind) {
  if (!system.forest) throw base::InputError(kind + ": found a scene without joints, expected one that can be driven");
  const std::vector<std::string>& names = (*system.forest).*list;
  const auto at = std::find(names.begin(), names.end(), name);
  if (at != names.end()) return static_cast<int>(at - names.begin());
  const std::string guess = base::nearest(name, std::vector<std::string_view>(names.begin(), names.end()));
  throw base::InputError(kind + ": found \"" + std::string(name) + "\", expected the name of one" +
                         (guess.empty() ? "" : "; did you mean \"" + guess + "\"?"));
}

}  // namespace

int find_q(const System& system, std::string_view name) {
  return find(system, &Forest::q_names, name, "joint coordinate");
}
int find_v(const System& system, std::string_view name) {
  return find(system, &Forest::v_names, name, "joint velocity");
}
int find_actuator(const System& system, std::string_view name) {
  return find(system, &Forest::actuator_names, name, "actuator");
}

}  // namespace vinculum::system
