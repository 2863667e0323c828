// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Actuators, and the keyframes with their controls:
//   position   kp (ctrl − x) − kv ẋ        velocity   kv (ctrl − ẋ)        damper   −kv ẋ ctrl
//   general    (gainprm_0 + gainprm_1 x + gainprm_2 ẋ) ctrl + biasprm_0 + biasprm_1 x + biasprm_2 ẋ
#include "vinculum/interchange/mjcf_references.hpp"

#include <algorithm>

namespace vinculum::interchange::mjcf {

using model::unbounded;

namespace {

// Quaternions of the file are normalised, as MuJoCo does.
void normalise(const model::Model& model, std::vector<double>& q) {
  std::size_t at = 0;
  for (const model::Joint& joint : model.joints) {
    const bool free = joint.type == model::JointType::free;
    if (free || joint.type == model::JointType::spherical) {
      Quat R(q[at + (free ? 3 : 0)], q[at + (free ? 4 : 1)], q[at + (free ? 5 : 2)], q[at + (free ? 6 : 3)]);
      R = R.norm() > 0 ? R.normalized() : Quat::Identity();
      const double x[] = {R.w(), R.x(), R.y(), R.z()};
      std::copy(x, x + 4, q.begin() + static_cast<std::ptrdiff_t>(at + (free ? 3 : 0)));
    }
    at += joint.q.size();
  }
}

}  // namespace

// gain and bias; false when the actuator does something else.
bool References::read_force(const Element& element, model::Actuator& actuator) {
  using Kind = model::Actuator::Kind;
  const std::string tag = element.tag();
  const auto parameters = [&](std::string_view key, double first) {
    std::array<double, 3> x{first, 0, 0};
    if (const auto given = element.find(key)) {
      const std::vector<double> y = given->numbers(1, 10);
      std::copy(y.begin(), y.begin() + std::min<std::ptrdiff_t>(3, std::ssize(y)), x.begin());
    }
    return x;
  };
  const std::array<double, 3> gain = parameters("gainprm", 1), bias = parameters("biasprm", 0);
  if (tag == "motor") {
    actuator.kind = Kind::torque;
  } else if (tag == "position") {
    actuator.kind = Kind::position;
    actuator.gain[0] = element.number("kp", gain[0]);
    actuator.bias = {0, -actuator.gain[0], -element.number("kv", -bias[2])};
  } else if (tag == "velocity") {
    actuator.kind = Kind::velocity;
    actuator.gain[0] = element.number("kv", gain[0]);
    actuator.bias = {0, 0, -actuator.gain[0]};
  } else if (tag == "damper") {
    actuator.kind = Kind::general;
    actuator.gain = {0, 0, -element.number("kv", -gain[2])};
  } else if (tag == "general") {
    const std::string law = element.word("gaintype", "fixed", {"fixed", "affine", "muscle", "user"});
    const std::string type = element.word("biastype", "none", {"none", "affine", "muscle", "user"});
    const bool still = element.text("dyntype").empty() || element.text("dyntype") == "none";
    if (!still || (law != "fixed" && law != "affine") || (type != "none" && type != "affine")) return false;
    actuator.kind = Kind::general;
    actuator.gain = {gain[0], law == "affine" ? gain[1] : 0, law == "affine" ? gain[2] : 0};
    if (type == "affine") actuator.bias = bias;
  } else {
    return false;
  }
  return true;
}

bool References::read_actuator(const Element& element, Document& document, Scope& scope) {
  model::Actuator actuator;
  const bool joint = element.find("joint") || element.find("jointinparent");
  const bool outermost = &document == b_.instances.front().document.get();
  if ((!joint && !element.find("tendon")) || !read_force(element, actuator)) {
    b_.notices.add(fmt::format("<{}> actuator", element.tag()),
                   "not supported in this form (joint or tendon, affine gain and bias, no dynamics): left out",
                   element.place());
    if (outermost) kept_.push_back(false);
    return true;
  }
  const std::string_view key = element.find("joint") ? "joint" : "jointinparent";
  const int* target =
      joint ? scope.find(b_.joints, element, key, "joint") : scope.find(b_.tendons, element, "tendon", "tendon");
  if (!scope.complete()) return false;
  std::size_t count = 1;
  if (joint) {
    actuator.joint = *target;
    count = b_.model.joints[static_cast<std::size_t>(*target)].axes.size();
  } else {
    actuator.tendon = *target;
  }
  actuator.gear.assign(count, 0);
  actuator.gear[0] = 1;
  if (const auto gear = element.find("gear")) {
    const std::vector<double> x = gear->numbers(1, 6);
    std::copy(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(std::min(count, x.size())), actuator.gear.begin());
  }
  const auto range = [&](std::string_view limited, std::string_view name, double& lower, double& upper) {
    if (!is_limited(element, limited, name, document.compiler)) return;
    const std::vector<double> x = element.find(name)->numbers(2, 2);
    if (!(x[0] < x[1])) element.find(name)->fail("the lower end first");
    lower = x[0], upper = x[1];
  };
  range("ctrllimited", "ctrlrange", actuator.ctrl_lower, actuator.ctrl_upper);
  range("forcelimited", "forcerange", actuator.force_lower, actuator.force_upper);
  const double inherit = element.number("inheritrange", 0);
  if (inherit > 0 && joint) {
    const model::JointAxis& axis = b_.model.joints[static_cast<std::size_t>(*target)].axes[0];
    const double middle = (axis.upper + axis.lower) / 2, half = inherit * (axis.upper - axis.lower) / 2;
    if (!(half < unbounded)) element.fail("inheritrange on a joint without limits", "a joint with a range");
    actuator.ctrl_lower = middle - half, actuator.ctrl_upper = middle + half;
  }
  const std::string file_name = scope.affixed(element.text("name"));
  actuator.name = b_.unique("actuator", file_name, fmt::format("actuator[{}]", b_.model.actuators.size()));
  actuator.place = element.place();
  notice_unused(element,
                {"joint", "jointinparent", "tendon", "gear", "ctrlrange", "ctrllimited", "forcerange", "forcelimited",
                 "kp", "kv", "gainprm", "biasprm", "gaintype", "biastype", "dyntype", "inheritrange"},
                b_.notices);
  if (!file_name.empty()) b_.actuators[file_name] = static_cast<int>(b_.model.actuators.size());
  if (outermost) kept_.push_back(true);
  b_.model.actuators.push_back(std::move(actuator));
  return true;
}

void References::read_keyframes() {
  Document& document = *b_.instances.front().document;
  for (std::size_t i = 1; i < b_.instances.size(); ++i) {
    if (b_.instances[i].document.get() == &document) continue;
    for (const Element& section : b_.instances[i].document->sections("keyframe"))
      notice_element(section, "keyframes of an attached model are left out", b_.notices);
  }
  std::vector<double> q_0, v_0;
  for (const model::Joint& joint : b_.model.joints) {
    q_0.insert(q_0.end(), joint.q.begin(), joint.q.end());
    v_0.insert(v_0.end(), joint.v.begin(), joint.v.end());
  }
  for (const Element& section : document.sections("keyframe")) {
    for (const Element& element : document.children(section)) {
      model::Keyframe key;
      key.place = element.place();
      key.name = b_.unique("keyframe", element.text("name"), fmt::format("keyframe[{}]", b_.model.keyframes.size()));
      key.q = q_0, key.v = v_0;
      if (const auto q = element.find("qpos")) key.q = q->numbers(q_0.size(), q_0.size());
      if (const auto v = element.find("qvel")) key.v = v->numbers(v_0.size(), v_0.size());
      normalise(b_.model, key.q);
      key.ctrl.assign(b_.model.actuators.size(), 0);
      if (const auto ctrl = element.find("ctrl")) {
        const std::vector<double> x = ctrl->numbers(kept_.size(), kept_.size());
        std::size_t at = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
          if (kept_[i]) key.ctrl[at++] = x[i];
        }
      }
      notice_unused(element, {"qpos", "qvel", "ctrl", "time"}, b_.notices);
      b_.model.keyframes.push_back(std::move(key));
    }
  }
}

}  // namespace vinculum::interchange::mjcf
