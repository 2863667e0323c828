// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of joints, from the lines of registry.inc.
#include "vinculum/base/error.hpp"
#include "vinculum/joints/joint.hpp"

namespace vinculum::joints {

#define JOINT(name, text) extern const JointType name##_type;
#include "vinculum/joints/registry.inc"
#undef JOINT

std::span<const JointType> joint_types() {
  static const std::vector<JointType> table = [] {
    std::vector<JointType> types;
    const auto add = [&](JointType type, std::string_view name, std::string_view text) {
      VINCULUM_DEMAND(type.name == name);
      type.text = text;
      types.push_back(type);
    };
#define JOINT(name, text) add(name##_type, #name, text);
#include "vinculum/joints/registry.inc"
#undef JOINT
    return types;
  }();
  return table;
}

const JointType& type_of(Kind kind) { return joint_types()[static_cast<std::size_t>(kind)]; }

const JointType* find_joint_type(std::string_view name) {
  for (const JointType& type : joint_types()) {
    if (type.name == name) return &type;
  }
  return nullptr;
}

}  // namespace vinculum::joints
