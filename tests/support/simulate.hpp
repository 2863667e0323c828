// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Scene text -> a motion one can step through: the flow of the library in one object, for tests.
#pragma once

#include "vinculum/integrators/integrator.hpp"
#include "vinculum/model/model.hpp"
#include "vinculum/motion/flow.hpp"
#include "vinculum/motion/forest.hpp"
#include "vinculum/motion/velocity.hpp"
#include "vinculum/trace/trace.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>

namespace vinculum::test {

using algebra::Mat3;
using algebra::Quat;
using algebra::Vec3;
using integrators::ContactRecord;
using integrators::Mode;
using integrators::StepRecord;

constexpr double pi = 3.14159265358979323846;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// The text of scenes/name.toml.
inline std::string scene_text(const std::string& name) {
  std::ifstream in(fmt::format("{}/scenes/{}.toml", VINCULUM_SOURCE_DIR, name));
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// A number with all its digits, for scene texts.
inline std::string num(double x) { return fmt::format("{:.17g}", x); }
inline std::string vec(const Vec3& x) { return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", x.x(), x.y(), x.z()); }

struct SimulationSettings {
  double dt = 0;   // 0: the scene's
  double tol = 0;  // 0: the scene's
  std::string solver = "auto";
  bool sleep = true;
  system::Controller controller = {};
};

/// A scene in motion. Not copyable: the integrator looks at the system.
struct Simulation {
  model::Model model;
  system::System system;
  system::State state;
  double dt, tol;
  integrators::Settings settings;
  std::unique_ptr<integrators::Integrator> integrator;
  StepRecord record;  // of the last step

  explicit Simulation(const std::string& text, const SimulationSettings& wanted = {})
      : model(model::parse_scene(text, "scene.toml")),
        system(model),
        state(make_initial_state(model, system)),
        dt(wanted.dt > 0 ? wanted.dt : model.run.dt),
        tol(wanted.tol > 0 ? wanted.tol : model.run.tol),
        settings{.dt = dt,
                 .tol = tol,
                 .solver = solvers::find_solver_type(wanted.solver),
                 .sleep = wanted.sleep,
                 .controller = wanted.controller},
        integrator(make(wanted.solver, wanted.sleep)) {}
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  std::unique_ptr<integrators::Integrator> make(const std::string& solver, bool sleep = true) const {
    integrators::Settings own = settings;
    own.solver = solvers::find_solver_type(solver);
    own.sleep = sleep;
    return integrators::find_integrator_type("moreau")->make(system, own);
  }

  void step() { integrator->step(state, record); }
  void run(int steps) {
    for (int i = 0; i < steps; ++i) step();
  }
  /// Calls `look` after every step.
  void run(int steps, const std::function<void()>& look) {
    for (int i = 0; i < steps; ++i) step(), look();
  }
  void run_until(double t) {
    const auto last = static_cast<std::int64_t>(std::llround(t / dt));
    while (state.step < last) step();
  }

  std::size_t body(const std::string& name) const {
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      if (model.bodies[b].name == name) return b;
    }
    throw std::logic_error("no body " + name);
  }
  const Vec3& x(std::size_t b = 0) const { return state.q.x[b]; }
  const Quat& R(std::size_t b = 0) const { return state.q.R[b]; }
  Vec3 v(std::size_t b = 0) const { return state.p[b] / system.bodies.mass[b]; }
  Vec3 w(std::size_t b = 0) const { return motion::angular_velocity(system, b, state.q.R[b], state.l[b]); }
  double energy() const { return motion::energy(system, state).total(); }
  double kinetic() const { return motion::energy(system, state).kinetic; }

  /// Σ p and Σ x × p + l over all bodies.
  Vec3 momentum() const {
    Vec3 sum = Vec3::Zero();
    for (const Vec3& p : state.p) sum += p;
    return sum;
  }
  Vec3 moment_of_momentum() const {
    Vec3 sum = Vec3::Zero();
    for (std::size_t b = 0; b < state.p.size(); ++b) sum += state.q.x[b].cross(state.p[b]) + state.l[b];
    return sum;
  }

  /// Sum of the contact impulses of the last step on a body, world axes.
  Vec3 impulse_on(int body) const {
    Vec3 sum = Vec3::Zero();
    for (const ContactRecord& c : record.contacts) {
      const bool rod = c.shape_a < 0;
      const auto a = static_cast<std::size_t>(c.shape_a), b = static_cast<std::size_t>(c.shape_b);
      Mat3 F;
      F << c.n, c.t1, c.n.cross(c.t1);
      if ((rod ? system.rods[b].b : system.shapes[b].body) == body) sum += F * c.Lambda;
      if ((rod ? system.rods[b].a : system.shapes[a].body) == body) sum -= F * c.Lambda;
    }
    return sum;
  }

  trace::Row row() const { return trace::make_row(system, state); }
  trace::Header header() const { return trace::make_header(model, system, settings); }
};

/// What a step says it did besides moving: everything that changes E = T + V.
inline double works(const integrators::Ledger& l) {
  return l.work_forces + l.work_impact + l.work_friction + l.work_bonds + l.scheme;
}

/// Same bits.
inline bool same(const Vec3& a, const Vec3& b) { return std::memcmp(a.data(), b.data(), 3 * sizeof(double)) == 0; }
inline bool same(const Quat& a, const Quat& b) {
  return std::memcmp(&a.coeffs(), &b.coeffs(), 4 * sizeof(double)) == 0;
}
inline bool same(const system::State& a, const system::State& b) {
  bool equal = a.step == b.step && a.t == b.t;
  for (std::size_t i = 0; i < a.p.size(); ++i) {
    equal =
        equal && same(a.q.x[i], b.q.x[i]) && same(a.q.R[i], b.q.R[i]) && same(a.p[i], b.p[i]) && same(a.l[i], b.l[i]);
  }
  return equal;
}

/// log2 of the ratio of two errors: the order of convergence when the step was halved between them.
inline double order(double coarse, double fine) { return std::log2(coarse / fine); }

/// A folder that disappears with the test.
struct Folder {
  std::filesystem::path path;
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "vinculum_test_XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const std::string& name) const { return (path / name).string(); }
};

}  // namespace vinculum::test
