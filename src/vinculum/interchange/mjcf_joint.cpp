// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// One joint of an MJCF file: type, axis, limits, spring, friction.
#include "vinculum/interchange/mjcf.hpp"

namespace vinculum::interchange::mjcf {

FileJoint read_joint(const Element& element, const Compiler& compiler, const Pose& frame, Notices& notices) {
  using model::JointType;
  FileJoint result;
  model::Joint& joint = result.joint;
  joint.place = element.place();
  const std::string type =
      element.tag() == "freejoint" ? "free" : element.word("type", "hinge", {"hinge", "slide", "ball", "free"});
  joint.type = type == "hinge"   ? JointType::revolute
               : type == "slide" ? JointType::prismatic
               : type == "ball"  ? JointType::spherical
                                 : JointType::free;
  const model::JointForm& form = model::form_of(joint.type);
  joint.axes.resize(static_cast<std::size_t>(form.nv));
  joint.v.assign(static_cast<std::size_t>(form.nv), 0);
  const bool line = form.nq == 1;
  const auto turned = [&](double x) { return type == "slide" ? x : angle(x, compiler); };
  if (type != "free") joint.point = frame * element.vector("pos").value_or(Vec3::Zero());
  if (line) {
    const Vec3 axis = element.vector("axis").value_or(Vec3::UnitZ());
    if (!(axis.stableNorm() > 0)) element.find("axis")->fail("a direction that is not zero");
    joint.axis = (frame.R * axis.stableNormalized()).normalized();
    result.ref = turned(element.number("ref", 0));
    joint.q = {result.ref};
  } else {
    joint.q = type == "ball" ? std::vector<double>{1, 0, 0, 0} : std::vector<double>{0, 0, 0, 1, 0, 0, 0};
  }
  for (model::JointAxis& axis : joint.axes) {
    axis.friction = element.number("frictionloss", 0);
    axis.damping = element.find("damping") ? element.find("damping")->numbers(1, 3)[0] : 0;
    axis.armature = element.number("armature", 0);
    axis.stiffness = element.find("stiffness") ? element.find("stiffness")->numbers(1, 3)[0] : 0;
    if (line) axis.rest = element.find("springref") ? turned(element.find("springref")->number()) : 0;
  }
  if (type != "free" && is_limited(element, "limited", "range", compiler)) {
    const Attribute range = *element.find("range");
    const std::vector<double> x = range.numbers(2, 2);
    if (!(x[0] < x[1])) range.fail("the lower limit first");
    if (line) joint.axes[0].lower = turned(x[0]);
    joint.axes[0].upper = turned(x[1]);
  }
  if (line && is_limited(element, "actuatorfrclimited", "actuatorfrcrange", compiler)) {
    const Attribute range = *element.find("actuatorfrcrange");
    const std::vector<double> x = range.numbers(2, 2);
    if (x[0] != -x[1] || !(x[1] > 0)) notices.add("joint.actuatorfrcrange", "taken as symmetric", range.place);
    joint.axes[0].effort = std::max(std::abs(x[0]), std::abs(x[1]));
  }
  if (element.tag() == "freejoint")
    notice_unused(element, {"align"}, notices);
  else
    notice_unused(element,
                  {"type", "pos", "axis", "ref", "springref", "range", "limited", "stiffness", "damping", "armature",
                   "frictionloss", "actuatorfrcrange", "actuatorfrclimited"},
                  notices);
  return result;
}

}  // namespace vinculum::interchange::mjcf
