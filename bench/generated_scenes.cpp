// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "generated_scenes.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

namespace vinculum::bench {

namespace {

constexpr double r = 0.01;  // m: half the size of a body

std::string board(const std::string& name, const std::string& body, const Vec3& size, const Vec3& p, const Quat& R) {
  return fmt::format(
      "[[shape]]\nname = \"{}\"\n{}type = \"box\"\nsize = [{}, {}, {}]\nposition = [{}, {}, {}]\n"
      "quaternion = [{}, {}, {}, {}]\n",
      name, body.empty() ? "" : fmt::format("body = \"{}\"\n", body), size.x(), size.y(), size.z(), p.x(), p.y(), p.z(),
      R.w(), R.x(), R.y(), R.z());
}

std::string head(const char* name, double dt, double mu) {
  return fmt::format("[scene]\nname = \"{}\"\n[run]\ndt = {}\n[[contact]]\nmu = {}\n", name, dt, mu);
}

/// Prototypes are the last bodies of the scene, with one shape each: they are taken out and set in turn at the places.
model::Model fill(model::Model model, std::size_t prototypes, const std::vector<Vec3>& places) {
  const std::size_t kept = model.bodies.size() - prototypes;
  const std::vector<model::Body> bodies(model.bodies.begin() + static_cast<std::ptrdiff_t>(kept), model.bodies.end());
  std::vector<model::Shape> shapes(prototypes), others;
  for (const model::Shape& shape : model.shapes) {
    const bool ours = shape.body >= static_cast<int>(kept);
    ours ? void(shapes[static_cast<std::size_t>(shape.body) - kept] = shape) : others.push_back(shape);
  }
  model.bodies.resize(kept);
  model.shapes = std::move(others);
  for (std::size_t k = 0; k < places.size(); ++k) {
    const std::size_t which = (k * 7 + k / 3) % prototypes;  // mixed, but always the same
    model.bodies.push_back(bodies[which]);
    model.bodies.back().X_WB.p = places[k];
    model.bodies.back().name = fmt::format("body {}", k);
    model.shapes.push_back(shapes[which]);
    model.shapes.back().body = static_cast<int>(model.bodies.size()) - 1;
    model.shapes.back().name = model.bodies.back().name;
  }
  return model;
}

/// The lowest `count` points of a grid over [−x, x] × [−y, y] × [bottom, ∞) that lie `inside`, each moved a little.
std::vector<Vec3> places(std::size_t count, double spacing, double x, double y, double bottom, double top,
                         const std::function<bool(const Vec3&)>& inside) {
  std::mt19937 random(1);
  const double play = 0.5 * (spacing - 2 * r) - 1e-5;
  std::vector<Vec3> list;
  for (double z = bottom; z < top && list.size() < count; z += spacing) {
    for (double b = -y; b <= y && list.size() < count; b += spacing) {
      for (double a = -x; a <= x && list.size() < count; a += spacing) {
        auto draw = [&] { return play * (2 * static_cast<double>(random()) / std::mt19937::max() - 1); };
        const double da = draw(), db = draw(), dz = draw();
        const Vec3 p(a + da, b + db, z + dz);
        if (inside(p)) list.push_back(p);
      }
    }
  }
  return list;
}

}  // namespace

model::Model make_wall(int rows) {
  return model::parse_scene(
      head("wall", 5e-3, 0.5) +
          fmt::format(
              "[[shape]]\nname = \"floor\"\ntype = \"plane\"\n[[body]]\nname = \"box\"\nposition = [0, 0, 0.05]\n"
              "density = 1000\nshape = {{ type = \"box\", size = [0.1, 0.1, 0.1] }}\n"
              "copies = {{ pyramid = {}, spacing = [0.11, 0.1] }}\n",
              rows),
      "wall");
}

model::Model make_drum(int bodies) {
  constexpr int boards = 24;
  constexpr double spacing = 2 * r + 1e-3, thick = 0.05, omega = 2, mass = 1e6;
  // The load fills two fifths of a drum that is 1.9 times as long as its radius.
  const double R = std::cbrt(bodies * std::pow(spacing, 3) / (0.4 * std::numbers::pi * 1.9)), length = 1.9 * R;
  std::string text = head("drum", 1e-3, 0.4);
  text += fmt::format(
      "[[body]]\nname = \"drum\"\nmass = {}\ninertia = [{}, {}, {}]\nangular_velocity = [0, {}, 0]\n"
      "[[force]]\nname = \"bearing\"\nbody = \"drum\"\nforce = [0, 0, {}]\n",
      mass, mass * R * R, mass * R * R, mass * R * R, omega, 9.81 * mass);
  const double width = 2 * (R + thick) * std::tan(std::numbers::pi / boards);
  for (int k = 0; k < boards; ++k) {
    const Quat turn(Eigen::AngleAxisd(2 * std::numbers::pi * k / boards, Vec3::UnitY()));
    text += board(fmt::format("board {}", k), "drum", {width, length + 2 * thick, thick},
                  turn * Vec3(0, 0, -(R + 0.5 * thick)), turn);
  }
  for (const double side : {-1.0, 1.0}) {
    text += board(side < 0 ? "front" : "back", "drum", {2 * R + thick, thick, 2 * R + thick},
                  {0, side * 0.5 * (length + thick), 0}, Quat::Identity());
  }
  for (const char* shape : {"type = \"sphere\", radius = 0.01", "type = \"box\", size = [0.02, 0.02, 0.02]",
                            "type = \"capsule\", radius = 0.006, length = 0.008"}) {
    text += fmt::format("[[body]]\nname = \"{}\"\ndensity = 2500\nshape = {{ {} }}\n", shape[8], shape);
  }
  model::Model model = model::parse_scene(text, "drum");
  const double free = R - r * std::sqrt(2.0) - 1e-3;  // of a cube, whose edges lie along y
  return fill(
      std::move(model), 3,
      places(static_cast<std::size_t>(bodies), spacing, R, 0.5 * length - 0.5 * spacing, -R, R, [&](const Vec3& p) {
        return std::hypot(p.x(), p.z()) < free && std::abs(p.y()) < 0.5 * length - r - 1e-4;
      }));
}

model::Model make_hopper(int bodies) {
  constexpr double spacing = 2 * r + 2e-4, opening = 0.04, thick = 0.05, slope = 1;  // 45°
  const double half = 0.5 * spacing * std::cbrt(bodies) + r;                         // of the bin
  const double depth = slope * (half - opening), high = 4 * half;
  std::string text = head("hopper", 1e-3, 0.3);
  for (int k = 0; k < 4; ++k) {
    const Quat turn(Eigen::AngleAxisd(0.5 * std::numbers::pi * k, Vec3::UnitZ()));
    text += board(fmt::format("wall {}", k), "", {thick, 2 * half + 2 * thick, high},
                  turn * Vec3(half + 0.5 * thick, 0, 0.5 * high), turn);
    // Its upper face runs from (opening, −depth) to (half, 0) and some way on below the wall.
    const Quat lean = turn * Quat(Eigen::AngleAxisd(-std::atan(slope), Vec3::UnitY()));
    const double run = std::hypot(half - opening, depth);
    text += board(fmt::format("slope {}", k), "", {run, 2 * half + 2 * thick, thick},
                  turn * Vec3(0.5 * (half + opening), 0, -0.5 * depth) - lean * Vec3(0, 0, 0.5 * thick), lean);
  }
  text += "[[body]]\nname = \"ball\"\ndensity = 2500\nshape = { type = \"sphere\", radius = 0.01 }\n";
  const double steep = std::sqrt(1 + slope * slope), play = 1e-4;
  auto inside = [&](const Vec3& p) {
    const double out = std::max(std::abs(p.x()), std::abs(p.y()));
    return out < half - r - play && (p.z() - slope * (out - half)) / steep > r + play;
  };
  return fill(model::parse_scene(text, "hopper"), 1,
              places(static_cast<std::size_t>(bodies), spacing, half, half, -depth, high, inside));
}

model::Model restart(model::Model model, const Motion& motion) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    model::Body& body = model.bodies[b];
    body.X_WB.R = motion.q.R[b];
    body.X_WB.p = motion.q.x[b] - motion.q.R[b] * body.com;
    body.v_WB = motion.v[b];
    body.w_WB = motion.w[b];
  }
  model.allow_penetration = true;
  return model;
}

}  // namespace vinculum::bench
