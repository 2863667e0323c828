// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/model/keys.hpp"

#include "vinculum/potentials/registry.hpp"

#include <fmt/core.h>
#include <algorithm>

namespace vinculum::model {

const Keys& root_keys() {
  static const Keys keys{"scene",  "run",      "material",   "contact", "body",       "shape", "force",
                         "rod",    "spring",   "no_contact", "joint",   "connect",    "weld",  "coupling",
                         "tendon", "actuator", "keyframe",   "control", "lagrangian", "law",   "frame"};
  return keys;
}

const Keys& scene_keys() {
  static const Keys keys{"name", "description", "gravity", "allow_penetration", "joint_contact", "start"};
  return keys;
}

const Keys& run_keys() {
  static const Keys keys{"dt", "until", "tol", "integrator", "solver", "threads", "record_every"};
  return keys;
}

const Keys& material_keys() {
  static const Keys keys{"name", "density"};
  return keys;
}

const Keys& contact_keys() {
  static const Keys keys{"materials", "shapes", "mu", "e_N", "e_T"};
  return keys;
}

const Keys& body_keys() {
  static const Keys keys{"name",  "position", "quaternion", "rotation", "velocity", "angular_velocity",
                         "mass",  "inertia",  "com",        "density",  "material", "particle",
                         "shape", "copies"};
  return keys;
}

const Keys& frame_keys() {
  static const Keys keys{"name", "position", "axis", "angle"};
  return keys;
}

const Keys& rotation_keys() {
  static const Keys keys{"axis", "degrees", "radians"};
  return keys;
}

const Keys& copies_keys() {
  static const Keys keys{"grid", "pyramid", "line", "spacing", "step", "jitter", "seed"};
  return keys;
}

const Keys& force_keys() {
  static const Keys keys{"name", "body", "force", "torque", "point", "axes", "from", "to"};
  return keys;
}

const Keys& rod_keys() {
  static const Keys keys{"name", "a", "b", "point_a", "point_b", "length"};
  return keys;
}

const Keys& spring_keys() {
  static const Keys keys{"name", "a", "b", "point_a", "point_b", "stiffness", "damping", "rest"};
  return keys;
}

const Keys& no_contact_keys() {
  static const Keys keys{"bodies"};
  return keys;
}

const Keys& joint_keys() {
  static const Keys keys{"name",  "type",     "parent",  "child",    "loop",      "position", "quaternion", "rotation",
                         "point", "axis",     "axis_2",  "pitch",    "q",         "v",        "lower",      "upper",
                         "e_N",   "friction", "damping", "armature", "stiffness", "rest",     "effort"};
  return keys;
}

const Keys& connect_keys() {
  static const Keys keys{"name", "a", "b", "point_a", "point_b"};
  return keys;
}

const Keys& weld_keys() {
  static const Keys keys{"name", "a", "b", "position", "quaternion", "rotation"};
  return keys;
}

const Keys& coupling_keys() {
  static const Keys keys{"name",    "joint_a",  "tendon_a",     "coordinate_a",
                         "joint_b", "tendon_b", "coordinate_b", "coefficients"};
  return keys;
}

const Keys& tendon_keys() {
  static const Keys keys{"name",  "joints",    "coordinates", "coefficients", "lower",
                         "upper", "stiffness", "damping",     "friction",     "rest"};
  return keys;
}

const Keys& actuator_keys() {
  static const Keys keys{"name", "type", "joint", "tendon", "gear",       "kp",
                         "kd",   "gain", "bias",  "ctrl",   "ctrl_range", "force_range"};
  return keys;
}

const Keys& keyframe_keys() {
  static const Keys keys{"name", "q", "v", "ctrl"};
  return keys;
}

const Keys& control_keys() {
  static const Keys keys{"key", "kp", "kd", "table"};
  return keys;
}

const Keys& lagrangian_keys() {
  static const Keys keys{"coordinates", "parameters", "T", "M", "U", "forces", "q", "u"};
  return keys;
}

const Keys& law_keys() {
  static const Keys keys{"name", "type", "gap", "rate", "normal", "e"};
  return keys;
}

Keys shape_keys(const shapes::ShapeType& type, bool inline_shape) {
  Keys keys{"name", "type"};
  if (!inline_shape) keys.push_back("body");
  for (const shapes::ShapeKey& key : type.keys) keys.push_back(key.name);
  keys.insert(keys.end(), {"position", "quaternion", "rotation", "material", "density", "contype", "conaffinity"});
  return keys;
}

std::vector<std::string> known_keys() {
  std::vector<std::string> all;
  const auto add = [&](std::string_view table, const Keys& keys) {
    for (const std::string_view key : keys) all.push_back(fmt::format("{}.{}", table, key));
  };
  add("scene", scene_keys());
  add("run", run_keys());
  add("material", material_keys());
  add("contact", contact_keys());
  add("body", body_keys());
  add("rotation", rotation_keys());
  add("copies", copies_keys());
  for (const shapes::ShapeType& type : shapes::shape_types()) add("shape", shape_keys(type, false));
  add("force", force_keys());
  add("rod", rod_keys());
  add("spring", spring_keys());
  add("no_contact", no_contact_keys());
  add("joint", joint_keys());
  add("connect", connect_keys());
  add("weld", weld_keys());
  add("coupling", coupling_keys());
  add("tendon", tendon_keys());
  add("actuator", actuator_keys());
  add("keyframe", keyframe_keys());
  add("control", control_keys());
  add("lagrangian", lagrangian_keys());
  add("frame", frame_keys());
  add("law", law_keys());
  for (const potentials::PotentialType& type : potentials::potential_types()) {
    for (const potentials::Parameter& parameter : type.factory.parameters) add("law", {parameter.name});
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace vinculum::model
