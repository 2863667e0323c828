// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Pictures without a browser: curves of a trace over time, or the scene at an instant.
#include "cli/command.hpp"
#include "cli/numbers.hpp"
#include "cli/plot.hpp"
#include "cli/snapshot.hpp"
#include "vinculum/model/model.hpp"
#include "vinculum/trace/trace.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>

namespace vinculum::cli {

namespace {

struct Arguments {
  std::string trace, out;
  std::vector<std::string> quantities;
  double at = -1;                        // time of a snapshot; negative: the end
  double azimuth = -60, elevation = 18;  // degrees
  bool log = false, forces = false, json = false;
};

/// One curve: its value at a recorded step, given the state after it.
struct Quantity {
  std::string name, unit;
  std::function<double(const trace::Row&, const integrators::StepRecord&)> value;
};

const char* const step_quantities =
    "energy, kinetic, potential, forces, impact, friction, bonds, scheme, residual, penetration, shift, contacts, "
    "iterations";
const char* const body_quantities = "x, y, z, vx, vy, vz, wx, wy, wz, speed, spin, angle";

/// Quantities of the whole step; `energy` stands for three curves.
std::vector<Quantity> step_quantity(const std::string& name) {
  using Row = const trace::Row&;
  using Step = const integrators::StepRecord&;
  auto ledger = [](std::string text, double integrators::Ledger::*member) {
    return Quantity{std::move(text), "J", [member](Row, Step s) { return s.ledger.*member; }};
  };
  const Quantity kinetic = ledger("kinetic", &integrators::Ledger::kinetic);
  const Quantity potential = ledger("potential", &integrators::Ledger::potential);
  if (name == "energy") {
    return {kinetic, potential, {"total", "J", [](Row, Step s) { return s.ledger.kinetic + s.ledger.potential; }}};
  }
  if (name == "kinetic") return {kinetic};
  if (name == "potential") return {potential};
  if (name == "forces") return {ledger("work of forces per step", &integrators::Ledger::work_forces)};
  if (name == "impact") return {ledger("work of normal impulses per step", &integrators::Ledger::work_impact)};
  if (name == "friction") return {ledger("work of friction per step", &integrators::Ledger::work_friction)};
  if (name == "bonds") return {ledger("work of bonds per step", &integrators::Ledger::work_bonds)};
  if (name == "scheme") return {ledger("added by the scheme per step", &integrators::Ledger::scheme)};
  if (name == "residual") return {{"residual of the laws", "1", [](Row, Step s) { return s.solver.errors.scaled; }}};
  if (name == "penetration") return {{"deepest penetration", "m", [](Row, Step s) { return s.penetration; }}};
  if (name == "shift") return {{"lift by the projection", "m", [](Row, Step s) { return s.shift; }}};
  if (name == "iterations") {
    return {{"iterations", "1", [](Row, Step s) { return static_cast<double>(s.solver.iterations); }}};
  }
  if (name == "contacts") {
    return {{"contacts", "1", [](Row, Step s) {
               return static_cast<double>(
                   std::count_if(s.contacts.begin(), s.contacts.end(), [](const auto& c) { return !is_lift(c.mode); }));
             }}};
  }
  return {};
}

/// BODY.COMPONENT, e.g. ball.z or box[3].vx.
std::vector<Quantity> body_quantity(const std::string& name, const trace::Header& header) {
  const auto dot = name.rfind('.');
  if (dot == std::string::npos) return {};
  const std::string body = name.substr(0, dot), part = name.substr(dot + 1);
  const auto found = std::find(header.body_names.begin(), header.body_names.end(), body);
  if (found == header.body_names.end()) {
    throw base::InputError(fmt::format("plot: found \"{}\", expected a body of the scene before the last dot", name));
  }
  const auto b = static_cast<std::size_t>(found - header.body_names.begin());
  using Row = const trace::Row&;
  using Step = const integrators::StepRecord&;
  for (int i = 0; i < 3; ++i) {
    const std::string axis(1, "xyz"[i]);
    if (part == axis) return {{name, "m", [b, i](Row r, Step) { return r.x[b][i]; }}};
    if (part == "v" + axis) return {{name, "m/s", [b, i](Row r, Step) { return r.v[b][i]; }}};
    if (part == "w" + axis) return {{name, "rad/s", [b, i](Row r, Step) { return r.w[b][i]; }}};
  }
  if (part == "speed") return {{name, "m/s", [b](Row r, Step) { return r.v[b].norm(); }}};
  if (part == "spin") return {{name, "rad/s", [b](Row r, Step) { return r.w[b].norm(); }}};
  if (part == "angle") {
    return {{name, "rad", [b](Row r, Step) { return 2 * std::atan2(r.R[b].vec().norm(), std::abs(r.R[b].w())); }}};
  }
  return {};
}

/// A coordinate of the Lagrangian part or its velocity: phi, phi'.
std::vector<Quantity> coordinate_quantity(const std::string& name, const trace::Header& header) {
  using Row = const trace::Row&;
  using Step = const integrators::StepRecord&;
  for (std::size_t i = 0; i < header.coordinates.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    if (name == header.coordinates[i]) return {{name, "1", [k](Row r, Step) { return r.lagrangian_q[k]; }}};
    if (name == header.coordinates[i] + "'") return {{name, "1/s", [k](Row r, Step) { return r.lagrangian_u[k]; }}};
  }
  return {};
}

std::vector<Quantity> quantities_of(const Arguments& a, const trace::Header& header) {
  std::vector<Quantity> all;
  for (const std::string& name : a.quantities) {
    std::vector<Quantity> some = coordinate_quantity(name, header);
    if (some.empty()) some = step_quantity(name);
    if (some.empty()) some = body_quantity(name, header);
    if (some.empty()) {
      throw base::InputError(
          fmt::format("plot: found \"{}\", expected snapshot, one of {}, BODY.{{{}}}, or a coordinate", name,
                      step_quantities, body_quantities));
    }
    for (Quantity& q : some) all.push_back(std::move(q));
  }
  for (const Quantity& q : all) {
    if (q.unit != all.front().unit) {
      throw base::InputError(
          fmt::format("plot: found {} in {} beside {} in {}, expected curves of one unit (make two plots)", q.name,
                      q.unit, all.front().name, all.front().unit));
    }
  }
  return all;
}

std::string curves(const Arguments& a, const trace::Reader& reader) {
  const std::vector<Quantity> all = quantities_of(a, reader.header());
  Plot plot;
  plot.title = reader.header().scene_name;
  plot.x = {"time", "s", false, {}};
  plot.y = {all.size() == 1 ? all.front().name : "", all.front().unit, a.log, {}};
  if (a.quantities.size() == 1 && all.size() > 1) plot.y.label = a.quantities.front();
  for (const Quantity& q : all) plot.series.push_back({q.name, {}, {}});
  trace::Row before, after;
  integrators::StepRecord record;
  for (std::size_t i = 0; i < reader.steps(); ++i) {
    reader.read(i, before, record, after);
    for (std::size_t k = 0; k < all.size(); ++k) {
      plot.series[k].x.push_back(after.t);
      plot.series[k].y.push_back(all[k].value(after, record));
    }
  }
  return line_plot_svg(plot);
}

/// The recorded step whose end is nearest to the time asked for.
std::size_t step_at(const trace::Reader& reader, double time) {
  if (time < 0) return reader.steps() - 1;
  const trace::Reader::Table t = reader.table("/step/t");
  std::size_t best = 0;
  for (std::size_t i = 0; i < t.values.size(); ++i) {
    if (std::abs(t.values[i] - time) < std::abs(t.values[best] - time)) best = i;
  }
  return best;
}

std::string picture(const Arguments& a, const trace::Reader& reader) {
  const model::Model model = model::parse_scene(reader.header().scene_text, a.trace + ":scene");
  trace::Row before, after;
  integrators::StepRecord record;
  reader.read(step_at(reader, a.at), before, record, after);
  const trace::Row& row = a.at == 0 ? before : after;
  Scene scene;
  scene.title = fmt::format("{}, t = {:.4g} s", model.name, row.t);
  for (const model::Shape& shape : model.shapes) {
    Pose X_WS = shape.X_BS;
    if (shape.body != model::world) {
      const auto b = static_cast<std::size_t>(shape.body);
      X_WS.p -= model.bodies[b].com;
      X_WS = Pose{row.x[b], row.R[b]} * X_WS;
    }
    scene.shapes.push_back({shape.geometry, X_WS, shape.body == model::world ? -1 : shape.material});
  }
  if (a.forces) {
    for (const integrators::ContactRecord& c : record.contacts) {
      const Vec3 force = (c.Lambda.x() * c.n + c.Lambda.y() * c.t1 + c.Lambda.z() * c.n.cross(c.t1)) / record.dt;
      if (force.norm() > 0) scene.arrows.push_back({c.point, force});
    }
  }
  const double degree = std::acos(-1.0) / 180;
  scene.camera = make_camera(scene, a.azimuth * degree, a.elevation * degree);
  return scene_svg(scene);
}

int plot(const Arguments& a) {
  const trace::Reader reader(a.trace);
  if (reader.steps() == 0) throw base::InputError({a.trace, 0, 0}, "step", "no recorded step", "at least one");
  const bool snapshot = std::find(a.quantities.begin(), a.quantities.end(), "snapshot") != a.quantities.end();
  if (snapshot && a.quantities.size() > 1) {
    throw base::InputError("plot: found curves beside snapshot, expected one or the other");
  }
  const std::string svg = snapshot ? picture(a, reader) : curves(a, reader);
  std::ofstream file(a.out, std::ios::binary);
  file << svg;
  file.close();
  if (!file) throw base::InputError({a.out, 0, 0}, "--out", "a place that cannot be written", "a file name");
  if (a.json) {
    print_json({{"out", a.out}, {"bytes", svg.size()}, {"steps", reader.steps()}});
  } else {
    fmt::print("{}\n", a.out);
  }
  return good;
}

}  // namespace

Action add_plot(CLI::App& app) {
  auto* command = app.add_subcommand("plot", "draw curves or a snapshot of a trace as SVG");
  auto a = std::make_shared<Arguments>();
  command->add_option("trace", a->trace, "trace file (HDF5)")->required();
  command
      ->add_option("quantities", a->quantities,
                   fmt::format("snapshot, or curves: {}; of a body: NAME.{{{}}}", step_quantities, body_quantities))
      ->required();
  command->add_option("--out", a->out, "picture to write (SVG)")->required();
  command->add_option("--at", a->at, "time of a snapshot, s (default: the end)")->check(number_from_zero(true));
  command->add_option("--azimuth", a->azimuth, "direction to look from, degrees from x")->capture_default_str();
  command->add_option("--elevation", a->elevation, "height to look from, degrees")->capture_default_str();
  command->add_flag("--forces", a->forces, "contact forces in a snapshot");
  command->add_flag("--log", a->log, "logarithmic value axis");
  command->add_flag("--json", a->json, "one JSON object on standard output");
  command->footer(
      "Examples: vinculum plot stack.h5 energy --out energy.svg\n"
      "          vinculum plot stack.h5 'box[9].z' 'box[0].z' --out heights.svg\n"
      "          vinculum plot stack.h5 snapshot --at 0.5 --forces --out stack.svg");
  return [a] { return plot(*a); };
}

}  // namespace vinculum::cli
