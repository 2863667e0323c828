// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// SimBenchmark's scenes of contact (repository leggedrobotics/SimBenchmark) and a grasp, with its measures of error:
//   rolling      mean over the steps of |v_plate − exact|² + |v_ball − exact|²     m²/s²
//   bouncing     mean of (E − E₀)²                                                J²
//   spheres_666  mean of Σ overlap², pairs and floor                              m²
//   elastic_666  mean of (E − E₀)²                                                J²
//   kapla_tower  how far the top wall has moved (and how many steps it stood)     m
//   grasp        how far the capsule has slipped along the fingers                m
// The motion is sampled before each step, as there. Bullet and ODE see contacts of boxes only where they overlap: they
// get rolling as SimBenchmark has it, overlapping by δ = 2e-5 m, and tower and grasp pressed together by a
// ten-thousandth.
#include "report.hpp"
#include "trial.hpp"

#include <fmt/core.h>
#include <cmath>
#include <numeric>

using namespace vinculum;
using namespace vinculum::bench;

namespace {

/// One number per step, and whether to go on. Made anew for each engine.
class Measure {
 public:
  explicit Measure(const model::Model& model) : referee_(model) {}
  virtual ~Measure() = default;
  virtual double error(double t, const Motion& motion) = 0;
  virtual bool goes_on(const Motion&) const { return true; }
  virtual double total(double mean, double /*last*/) const { return mean; }

 protected:
  Referee referee_;
};

class RollingError final : public Measure {
 public:
  using Measure::Measure;
  double error(double t, const Motion& motion) override {
    const Vec3 d(0.5, std::sqrt(0.75), 0);
    const double plate = (150 - 0.4 * 35 * 9.81) / (10 + 25 * 2. / 7);  // m/s²
    return (motion.v[0] - plate * t * d).squaredNorm() + (motion.v[1] - 2. / 7 * plate * t * d).squaredNorm();
  }
};

class EnergyError final : public Measure {
 public:
  using Measure::Measure;
  double error(double t, const Motion& motion) override {
    const double energy = referee_.energy(motion);
    if (t == 0) start_ = energy;
    return (energy - start_) * (energy - start_);
  }

 private:
  double start_ = 0;
};

class OverlapError final : public Measure {
 public:
  using Measure::Measure;
  double error(double, const Motion& motion) override { return referee_.squared_overlaps(motion); }
};

class TowerError final : public Measure {
 public:
  using Measure::Measure;
  double error(double t, const Motion& motion) override {
    if (t == 0) start_ = motion.q.x.back();
    return (motion.q.x.back() - start_).norm();
  }
  bool goes_on(const Motion& motion) const override { return motion.q.x.back().z() >= 1; }  // it started at 1.15 m
  double total(double, double last) const override { return last; }

 private:
  Vec3 start_ = Vec3::Zero();
};

class SlipError final : public Measure {
 public:
  using Measure::Measure;
  double error(double t, const Motion& motion) override {
    const Vec3 between = motion.q.x[0] - 0.5 * (motion.q.x[1] + motion.q.x[2]);
    if (t == 0) start_ = between;
    return (between - start_).norm();
  }
  double total(double, double last) const override { return last; }

 private:
  Vec3 start_ = Vec3::Zero();
};

model::Model sunk(model::Model model) {
  for (model::Body& body : model.bodies) body.X_WB.p.z() -= body.X_WB.p.z() < 1 ? 2e-5 : 6e-5;
  model.allow_penetration = true;
  return model;
}
model::Model pressed(model::Model model) {
  for (model::Body& body : model.bodies) body.X_WB.p.z() *= 1 - 1e-4;
  model.allow_penetration = true;
  return model;
}
model::Model squeezed(model::Model model) {
  for (model::Body& body : model.bodies) body.X_WB.p.x() *= 1 - 1e-4;
  return pressed(model);
}
model::Model as_it_is(model::Model model) { return model; }

template <class M>
std::unique_ptr<Measure> make(const model::Model& model) {
  return std::make_unique<M>(model);
}

struct Case {
  const char* scene;
  std::unique_ptr<Measure> (*measure)(const model::Model& model);
  model::Model (*for_peers)(model::Model model);
};
constexpr Case cases[] = {
    {"rolling", make<RollingError>, sunk},         {"bouncing", make<EnergyError>, as_it_is},
    {"spheres_666", make<OverlapError>, as_it_is}, {"elastic_666", make<EnergyError>, as_it_is},
    {"kapla_tower", make<TowerError>, pressed},    {"grasp", make<SlipError>, squeezed},
};

void run_case(const Case& scene, const Arguments& arguments, Table& table) {
  const model::Model model = load_scene(scene.scene), peer_model = scene.for_peers(model);
  for (const PeerType& type : peer_types()) {
    if (type.name.find(arguments.engine) == std::string::npos || model.bodies.size() > type.bodies_max) continue;
    if (type.threads > 1 || type.name == "vinculum 1e-5") continue;
    const model::Model& start = type.name.starts_with("vinculum") ? model : peer_model;
    const std::unique_ptr<Measure> measure = scene.measure(start);
    double sum = 0, last = 0;
    bool stands = true;
    auto watch = [&](double t, const Motion& motion) {
      last = measure->error(t, motion);
      sum += last;
      stands = measure->goes_on(motion);
      return stands;
    };
    const Trial trial = run_trial(type, start, {.until = model.run.until, .budget = arguments.budget, .watch = watch});
    const auto steps = static_cast<double>(trial.cpu.size());
    const double cpu = std::accumulate(trial.cpu.begin(), trial.cpu.end(), 0.0);
    const double contacts = std::accumulate(trial.contacts.begin(), trial.contacts.end(), 0.0) / steps;
    table.add({cell(scene.scene), cell(type.name), cell(measure->total(sum / steps, last)), cell(cpu),
               cell(1e6 * cpu / steps), cell(1e6 * quartiles(trial.cpu, 5).median), cell(contacts),
               cell(trial.residual_max), cell(static_cast<std::size_t>(trial.unsolved)), cell(trial.end.overlap),
               cell(trial.cpu.size()),
               cell(std::string(!stands       ? "fell"
                                : trial.whole ? "whole"
                                              : "budget"))});
  }
}

}  // namespace

int main(int count, char** values) {
  const Arguments arguments = parse_arguments(count, values);
  print_machine();
  Table table("SimBenchmark and a grasp; CPU time, one thread", {{"scene", "scene", 12},
                                                                 {"engine", "engine", 13},
                                                                 {"error", "error", 9},
                                                                 {"cpu_s", "CPU s", 7},
                                                                 {"mean_us", "us/step", 8},
                                                                 {"median_us", "median us", 9},
                                                                 {"contacts", "contacts", 8},
                                                                 {"residual_max", "residual", 9},
                                                                 {"unsolved", "unsolved", 8},
                                                                 {"overlap", "overlap m", 9},
                                                                 {"steps", "steps", 6},
                                                                 {"run", "run", 6}});
  for (const Case& scene : cases) {
    if (std::string(scene.scene).find(arguments.scene) != std::string::npos) run_case(scene, arguments, table);
  }
  write_json(arguments, "simbench", {&table});
}
