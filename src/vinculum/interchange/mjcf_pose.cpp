// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Placements, angles and limits of MJCF, and what becomes of attributes that have no meaning here.
#include "vinculum/interchange/mjcf.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace vinculum::interchange::mjcf {

double angle(double x, const Compiler& compiler) { return compiler.degrees ? x * (std::numbers::pi / 180) : x; }

namespace {

Quat turn(const Vec3& axis, double phi) { return Quat(Eigen::AngleAxisd(phi, axis)); }

Vec3 direction(const Attribute& attribute, const Vec3& x) {
  if (!(x.stableNorm() > 0)) attribute.fail("a direction that is not zero");
  return x.stableNormalized();
}

// Lower-case letters: axes that turn along; upper-case: axes that stay.
Quat euler(const Attribute& attribute, const Compiler& compiler) {
  const Vec3 x = attribute.vector();
  Quat R = Quat::Identity();
  for (int i = 0; i < 3; ++i) {
    const char c = compiler.eulerseq[static_cast<std::size_t>(i)];
    const bool moving = c >= 'a';
    const Quat step = turn(Vec3::Unit((moving ? c - 'x' : c - 'X')), angle(x[i], compiler));
    R = moving ? R * step : step * R;
  }
  return R;
}

}  // namespace

Quat read_orientation(const Element& element, const Compiler& compiler, bool& given) {
  given = true;
  if (const auto quat = element.find("quat")) {
    const std::vector<double> x = quat->numbers(4, 4);
    const Quat R(x[0], x[1], x[2], x[3]);
    if (!(R.norm() > 0)) quat->fail("a quaternion that is not zero");
    return R.normalized();
  }
  if (const auto axisangle = element.find("axisangle")) {
    const std::vector<double> x = axisangle->numbers(4, 4);
    return turn(direction(*axisangle, {x[0], x[1], x[2]}), angle(x[3], compiler));
  }
  if (const auto xyaxes = element.find("xyaxes")) {
    const std::vector<double> x = xyaxes->numbers(6, 6);
    Mat3 R;
    R.col(0) = direction(*xyaxes, {x[0], x[1], x[2]});
    const Vec3 y(x[3], x[4], x[5]);
    R.col(1) = direction(*xyaxes, y - R.col(0).dot(y) * R.col(0));
    R.col(2) = R.col(0).cross(R.col(1));
    return Quat(R).normalized();
  }
  if (const auto zaxis = element.find("zaxis"))  // the smallest rotation from z
    return Quat::FromTwoVectors(Vec3::UnitZ(), direction(*zaxis, zaxis->vector())).normalized();
  if (const auto angles = element.find("euler")) return euler(*angles, compiler).normalized();
  given = false;
  return Quat::Identity();
}

Pose read_pose(const Element& element, const Compiler& compiler) {
  bool given = false;
  return {element.vector("pos").value_or(Vec3::Zero()), read_orientation(element, compiler, given)};
}

bool is_limited(const Element& element, std::string_view limited, std::string_view range, const Compiler& compiler) {
  const std::string word = element.word(limited, "auto", {"auto", "true", "false"});
  if (word == "auto") {
    if (element.find(range) && !compiler.autolimits)
      element.need(range, "").fail(fmt::format("{} to be said as well, as autolimits is false", limited));
    return element.find(range).has_value();
  }
  if (word == "true" && !element.find(range)) element.need(range, "a range, as it is said to be limited");
  return word == "true";
}

namespace {

bool is_picture(std::string_view name) {
  constexpr std::string_view names[] = {"rgba", "material", "texcoord", "width",        "user",         "class",
                                        "name", "group",    "fitscale", "content_type", "smoothnormal", "childclass"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

bool is_soft(std::string_view name) {
  return name.starts_with("solref") || name.starts_with("solimp") || name == "margin" || name == "gap" ||
         name == "solmix" || name == "cone" || name == "impratio" || name == "iterations" || name == "ls_iterations" ||
         name == "tolerance" || name == "ls_tolerance" || name == "noslip_iterations" || name == "ccd_iterations" ||
         name == "solver" || name == "jacobian" || name == "torquescale" || name == "noslip_tolerance";
}

}  // namespace

void notice_unused(const Element& element, std::initializer_list<std::string_view> used, Notices& notices) {
  for (const auto& [name, place] : element.attributes()) {
    if (std::find(used.begin(), used.end(), name) != used.end() || is_picture(name)) continue;
    notices.add(fmt::format("{}.{}", element.tag(), name),
                is_soft(name) ? "not used: contact and constraints are exact" : "not supported", place);
  }
}

void notice_element(const Element& element, std::string_view reason, Notices& notices) {
  notices.add(fmt::format("<{}>", element.tag()), std::string(reason), element.place());
}

}  // namespace vinculum::interchange::mjcf
