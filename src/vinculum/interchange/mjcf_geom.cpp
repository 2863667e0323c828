// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Geoms: shape, mass, friction. A geom of density ρ (or mass m) in the frame of its body has the mass part
//   m = ρ V,   com = X c,   I = R ρ J Rᵀ
// with V, c, J of the solid. Meshes touch as their convex hull and weigh as the solid inside their surface; ellipsoids
// touch as a polyhedron of 162 corners and weigh as ellipsoids.
#include "vinculum/interchange/mjcf.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace vinculum::interchange::mjcf {

namespace {

shapes::Shape make(std::string_view type, const shapes::ShapeValues& values) {
  return shapes::find_shape_type(type)->make(values);
}

std::vector<double> sizes(const Element& element, std::size_t count) {
  const Attribute size = element.need("size", fmt::format("{} lengths (m)", count));
  std::vector<double> x = size.numbers(1, 3);
  if (x.size() < count) size.fail(fmt::format("{} positive numbers (m)", count));
  for (std::size_t i = 0; i < count; ++i) {
    if (!(x[i] > 0)) size.fail("positive numbers (m)");
  }
  return x;
}

struct Solid {
  std::optional<shapes::Shape> shape;
  shapes::VolumeMoments moments;
  Pose X;
};

// Capsules, cylinders, boxes, ellipsoids between two points: half the length, along z.
std::optional<double> read_fromto(const Element& element, const Pose& frame, Pose& X) {
  const std::optional<Attribute> fromto = element.find("fromto");
  if (!fromto) return std::nullopt;
  const std::vector<double> x = fromto->numbers(6, 6);
  const Vec3 a(x[0], x[1], x[2]), b(x[3], x[4], x[5]);
  if (!((b - a).norm() > 0)) fromto->fail("two different points");
  // The file's z axis of such a geom points from the second point to the first.
  X = frame * Pose{0.5 * (a + b), Quat::FromTwoVectors(Vec3::UnitZ(), a - b).normalized()};
  return 0.5 * (b - a).norm();
}

Solid ellipsoid(const Vec3& half, const Element& element, Notices& notices) {
  Solid solid;
  solid.shape = hull_of(ellipsoid_points(half), element.place(), "geom");
  solid.moments.volume = 4 * std::numbers::pi / 3 * half.prod();
  const Vec3 s = half.cwiseAbs2() * (solid.moments.volume / 5);
  solid.moments.inertia = Vec3(s.y() + s.z(), s.x() + s.z(), s.x() + s.y()).asDiagonal();
  notices.add("geom type ellipsoid", "touches as a polyhedron of 162 corners", element.place());
  return solid;
}

Solid read_solid(const std::string& type, const Element& element, Document& document, const Pose& frame, bool touches,
                 Notices& notices) {
  Solid solid;
  Pose X = frame * read_pose(element, document.compiler);
  const bool slender = type == "capsule" || type == "cylinder" || type == "box" || type == "ellipsoid";
  const std::optional<double> half = slender ? read_fromto(element, frame, X) : std::nullopt;
  const auto primitive = [&](std::string_view name, const shapes::ShapeValues& values) {
    solid.shape = make(name, values);
    solid.moments = shapes::type_of(solid.shape->kind).moments(*solid.shape);
  };
  if (type == "plane") {
    solid.shape = make("plane", {});
  } else if (type == "sphere") {
    primitive("sphere", {{sizes(element, 1)[0]}, {}, {}});
  } else if (type == "capsule" || type == "cylinder") {
    const std::vector<double> x = sizes(element, half ? 1 : 2);
    primitive(type, {{x[0], 2 * half.value_or(x.size() > 1 ? x[1] : 0)}, {}, {}});
  } else if (type == "box" || type == "ellipsoid") {
    const std::vector<double> x = sizes(element, half ? 1 : 3);
    const double a = x[0], b = half && x.size() < 2 ? x[0] : x[1], c = half ? *half : x[2];
    if (type == "box")
      primitive("box", {{}, {Vec3(2 * a, 2 * b, 2 * c)}, {}});
    else
      solid = ellipsoid({a, b, c}, element, notices);
  } else if (type == "mesh") {
    const MeshAsset& asset = document.mesh(element.need("mesh", "the name of a mesh"));
    solid.moments = asset.moments;
    if (touches) solid.shape = hull_of(asset.mesh.points, element.place(), "geom.mesh");
  } else if (type == "hfield") {
    solid.shape = read_height_field(element.need("hfield", "the name of an hfield"), document, notices);
  }
  solid.X = X;
  return solid;
}

MassPart mass_of(const Element& element, const Solid& solid) {
  const std::optional<Attribute> mass = element.find("mass");
  const double density = element.number("density", 1000);
  if (density < 0) element.find("density")->fail("a number >= 0 (kg/m^3)");
  MassPart part;
  const double V = solid.moments.volume;
  part.mass = mass ? mass->number() : density * V;
  if (part.mass < 0) mass->fail("a number >= 0 (kg)");
  if (part.mass == 0 || V == 0) return {};
  const Mat3 R = solid.X.R.toRotationMatrix();
  part.com = solid.X * solid.moments.centroid;
  part.inertia = part.mass / V * (R * solid.moments.inertia * R.transpose());
  return part;
}

}  // namespace

void notice_friction(const std::string& tag, int condim, const Element& element, Notices& notices) {
  if (condim > 3)
    notices.add(tag + ".friction, torsional (condim 4 and 6)", "not used: contacts do not resist spin",
                element.place());
  if (condim > 4)
    notices.add(tag + ".friction, rolling (condim 6)", "not used: contacts do not resist rolling", element.place());
}

Geom read_geom(const Element& element, Document& document, const Pose& frame, Notices& notices) {
  Geom geom;
  geom.name = element.text("name");
  geom.place = element.place();
  std::string type = element.word(
      "type", "sphere", {"plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf"});
  if (type != "mesh" && element.own("mesh")) {
    notices.add("geom.mesh with another type", "touches and weighs as the mesh, no fitted shape", element.place());
    type = "mesh";
  }
  geom.group = static_cast<int>(element.number("group", 0));
  const auto mask = [&](std::string_view name) {
    const std::optional<Attribute> found = element.find(name);
    if (!found) return 1u;
    const double x = found->number();
    if (x < 0 || x != std::floor(x) || x > 4294967295.0) found->fail("an integer from 0 to 2^32 - 1");
    return static_cast<std::uint32_t>(x);
  };
  geom.contype = mask("contype");
  geom.conaffinity = mask("conaffinity");
  const bool touches = geom.contype != 0 || geom.conaffinity != 0 || document.paired_geoms.contains(geom.name);
  if (type == "sdf") {
    notices.add("geom type sdf", "not supported: it touches nothing and weighs nothing", element.place());
  } else {
    const Solid solid = read_solid(type, element, document, frame, touches, notices);
    geom.X = solid.X;
    geom.part = mass_of(element, solid);
    if (touches) geom.shape = solid.shape;
  }
  if (const auto friction = element.find("friction")) geom.friction.mu = friction->numbers(1, 3)[0];
  if (geom.friction.mu < 0) element.find("friction")->fail("numbers >= 0");
  const int condim = static_cast<int>(element.number("condim", 3));
  if (condim != 1 && condim != 3 && condim != 4 && condim != 6) element.find("condim")->fail("1, 3, 4 or 6");
  notice_friction("geom", condim, element, notices);
  geom.friction.none = condim == 1;
  geom.friction.priority = static_cast<int>(element.number("priority", 0));
  notice_unused(element,
                {"type", "size", "fromto", "pos", "quat", "axisangle", "xyaxes", "zaxis", "euler", "mass", "density",
                 "friction", "condim", "priority", "contype", "conaffinity", "mesh", "hfield"},
                notices);
  return geom;
}

std::optional<MassPart> read_inertial(const Element& element, const Compiler& compiler, Notices& notices) {
  MassPart part;
  const Attribute mass = element.need("mass", "a mass (kg)");
  part.mass = mass.number();
  if (part.mass < 0) mass.fail("a number >= 0 (kg)");
  const Pose X = read_pose(element, compiler);
  part.com = X.p;
  Mat3 I = Mat3::Zero();
  if (const auto full = element.find("fullinertia")) {  // Ixx, Iyy, Izz, Ixy, Ixz, Iyz
    const std::vector<double> x = full->numbers(6, 6);
    I << x[0], x[3], x[4], x[3], x[1], x[5], x[4], x[5], x[2];
  } else if (part.mass > 0) {
    I = element.need("diaginertia", "moments of inertia (kg m^2), or fullinertia").vector().asDiagonal();
  }
  const Mat3 R = X.R.toRotationMatrix();
  part.inertia = X.R.isApprox(Quat::Identity(), 0) ? I : Mat3(R * I * R.transpose());
  part.inertia = (0.5 * (part.inertia + part.inertia.transpose())).eval();
  notice_unused(element, {"mass", "pos", "quat", "axisangle", "xyaxes", "zaxis", "euler", "diaginertia", "fullinertia"},
                notices);
  return part;
}

}  // namespace vinculum::interchange::mjcf
