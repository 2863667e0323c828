// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// MuJoCo's humanoids, ours beside MuJoCo's own step: the same MJCF file, the same dt, one thread. One falls and lies
// down, and 22 of them. These fall symmetrically, on both feet; "askew" is the mean of eight starts of the one with all
// hinges turned by up to 0.15 rad and up to 0.2 m higher, the same for both. Phases: falling (to 1 s) and lying (from 2
// s on). CPU time of batches of 20 steps for both engines; the table gives the median of the batches, per step.
//   laws     the natural map of each kind of law over the scale of the step, as contact::measure does it, worst step
//   overlap  deepest contact at the end of a step: ours from the record, MuJoCo's from its contact list
// MuJoCo comes from the Python package (`humanoid_mujoco.py`, run by python3); it is left out where that is missing.
// A second table has the mean over the whole run, ours beside the Python package and `mujoco-testspeed` of the Debian
// package libmujoco-samples (MuJoCo 2.2.2, which does not read all files): wall time, which is what testspeed prints,
// and CPU time, of testspeed the difference of two runs, so that reading the model does not count.
#include "report.hpp"
#include "trial.hpp"

#include "vinculum/base/parallel.hpp"
#include "vinculum/integrators/integrator.hpp"
#include "vinculum/interchange/interchange.hpp"
#include "vinculum/model/multibody.hpp"

#include <fmt/core.h>
#include <sys/resource.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <numeric>
#include <optional>

using namespace vinculum;
using namespace vinculum::bench;

namespace {

struct Phase {
  const char* name;
  double from, to;
};
constexpr Phase kPhases[] = {{"falling", 0, 1}, {"lying", 2, 4}};
constexpr int kBatch = 20;

/// Another start: what is added to the angle of each hinge, and to the height of each free joint.
struct Change {
  std::string joint;
  double by;
};
using Start = std::vector<Change>;

constexpr int kStarts = 8;
constexpr double kMostTurn = 0.15, kMostHeight = 0.2;  // rad, m

Start make_start(const std::string& file, unsigned number) {
  unsigned state = 7919 * number + 7;
  const auto random = [&state] {
    state = 1664525 * state + 1013904223;
    return static_cast<double>(state >> 8) / (1 << 24);
  };
  Start start;
  for (const model::Joint& joint : interchange::read_model(file).joints) {
    if (joint.type == model::JointType::revolute) start.push_back({joint.name, kMostTurn * (2 * random() - 1)});
    if (joint.type == model::JointType::free) start.push_back({joint.name, kMostHeight * random()});
  }
  return start;
}

model::Model read_from(const std::string& file, const Start& start) {
  model::Model model = interchange::read_model(file);
  for (const Change& change : start) {
    for (model::Joint& joint : model.joints) {
      if (joint.name == change.joint) joint.q[joint.type == model::JointType::free ? 2 : 0] += change.by;
    }
  }
  model::place_bodies(model);
  return model;
}

/// Worst natural map of contacts and of limits over a phase, in units of the step's scale.
struct Laws {
  double contact = 0, limit = 0;
};

/// The natural map of each block on unit-free variables (contact/problem.hpp), summed by kind of law.
Laws law_residuals(const contact::ContactProblem& problem, const std::vector<integrators::ContactRecord>& records) {
  std::vector<contact::Vec3> Lambda(problem.size()), xi;
  for (std::size_t i = 0; i < problem.size(); ++i) Lambda[i] = records[i].Lambda;
  std::vector<double> z;
  contact::apply(problem, Lambda, z, xi);
  std::array<double, 2> map{};
  double c = 0, u = 0, r = 0;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const laws::ForceLaw& law = laws::law_of(problem.law[i]);
    double trace = 0;
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) trace += problem.J[e].squaredNorm();
    const double d = std::sqrt(law.rows() / trace);
    map[law.rows() == 1] += law.natural_map(d * xi[i], Lambda[i] / d, problem.mu[i]).squaredNorm();
    c += (d * problem.c[i]).squaredNorm();
    u += (d * xi[i]).squaredNorm();
    r += (Lambda[i] / d).squaredNorm();
  }
  const double size = std::max({c, u, r});
  return size > 0 ? Laws{std::sqrt(map[0] / size), std::sqrt(map[1] / size)} : Laws{};
}

std::filesystem::path humanoids() {
  for (std::filesystem::path folder = VINCULUM_SOURCE_DIR;; folder = folder.parent_path()) {
    const auto found = folder / "shared" / "data" / "mjcf" / "mujoco" / "humanoid";
    if (std::filesystem::is_directory(found)) return found;
    if (folder == folder.parent_path()) return {};
  }
}

struct Figure {
  std::vector<double> batches;  // s per step
  double contacts = 0, overlap = 0, residual = 0;
  Laws laws;
  std::size_t unsolved = 0;
};

/// Means over a whole run, s per step.
struct Whole {
  double wall = 0, cpu = 0, contacts = 0;
};

/// A run to the end of the last phase in batches: begin() before each, after(phase, integrator, record) behind each
/// step and end(phase) behind each batch; outside of the phases `phase` is their number. Returns the number of steps.
template <class Begin, class Step, class End>
std::int64_t follow(const model::Model& model, const Begin& begin, const Step& after, const End& end) {
  const system::System system(model);
  system::State state = make_initial_state(model, system);
  const auto integrator = integrators::find_integrator_type(model.run.integrator)
                              ->make(system, {model.run.dt, 1e-8, solvers::find_solver_type("auto")});
  integrators::StepRecord record;
  while (state.t < kPhases[std::size(kPhases) - 1].to - 1e-9) {
    std::size_t phase = 0;
    while (phase < std::size(kPhases) &&
           !(state.t >= kPhases[phase].from - 1e-9 && state.t < kPhases[phase].to - 1e-9)) {
      ++phase;
    }
    begin();
    for (int k = 0; k < kBatch; ++k) {
      integrator->step(state, record);
      after(phase, *integrator, record);
    }
    end(phase);
  }
  return state.step;
}

std::size_t count_contacts(const integrators::StepRecord& record) {
  return static_cast<std::size_t>(
      std::count_if(record.contacts.begin(), record.contacts.end(),
                    [](const auto& contact) { return contact.shape_a >= 0 && contact.Pi.isZero(0); }));
}

/// Twice the same run: once for the time, with nothing between the steps of a batch, once for the laws.
std::vector<Figure> run_ours(const model::Model& model, Whole& whole) {
  std::vector<Figure> figures(std::size(kPhases));
  std::array<double, std::size(kPhases)> steps{};
  double begin = 0, begin_wall = 0;
  const auto start = [&] { begin = cpu_now(), begin_wall = wall_now(); };
  const auto stop = [&](std::size_t phase) {
    const double cpu = cpu_now() - begin;
    whole.wall += wall_now() - begin_wall;
    whole.cpu += cpu;
    if (phase < figures.size()) figures[phase].batches.push_back(cpu / kBatch);
  };
  const auto count = static_cast<double>(follow(
      model, start, [](auto&&...) {}, stop));
  const auto look = [&](std::size_t phase, const integrators::Integrator& integrator,
                        const integrators::StepRecord& record) {
    whole.contacts += static_cast<double>(count_contacts(record));
    if (phase >= figures.size()) return;
    Figure& figure = figures[phase];
    const Laws laws = law_residuals(*integrator.problem(), record.contacts);
    figure.laws = {std::max(figure.laws.contact, laws.contact), std::max(figure.laws.limit, laws.limit)};
    figure.residual = std::max(figure.residual, record.solver.errors.scaled);
    figure.overlap = std::max(figure.overlap, record.penetration);
    figure.unsolved += record.solver.status != solvers::Status::solved;
    figure.contacts += static_cast<double>(count_contacts(record));
    ++steps[phase];
  };
  follow(
      model, [] {}, look, [](std::size_t) {});
  for (std::size_t p = 0; p < figures.size(); ++p) figures[p].contacts /= steps[p];
  for (double* sum : {&whole.wall, &whole.cpu, &whole.contacts}) *sum /= count;
  return figures;
}

/// One line per phase and one of the whole run from the script: `µs contacts overlap`. Empty where MuJoCo is missing.
std::vector<Figure> run_mujoco(const std::string& file, const Start& start) {
  std::string command = fmt::format("python3 '{}/bench/humanoid_mujoco.py' '{}' {}", VINCULUM_SOURCE_DIR, file, kBatch);
  for (const Change& change : start) command += fmt::format(" {}={:.17g}", change.joint, change.by);
  for (const Phase& phase : kPhases) command += fmt::format(" {} {}", phase.from, phase.to);
  std::vector<Figure> figures;
  FILE* pipe = popen(command.c_str(), "r");
  Figure figure;
  double us = 0;
  while (pipe && std::fscanf(pipe, "%lf %lf %lf", &us, &figure.contacts, &figure.overlap) == 3) {
    figure.batches = {1e-6 * us};
    figures.push_back(figure);
  }
  if (pipe) pclose(pipe);
  return figures;
}

/// CPU time of all processes that were started and have ended, s.
double children_now() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// One run of mujoco-testspeed; the reason where there is none: its first line.
std::optional<Whole> run_testspeed(const std::string& file, int steps, std::string& reason) {
  const double before = children_now();
  reason.clear();
  FILE* pipe = popen(fmt::format("mujoco-testspeed '{}' {} 1 0 2>&1", file, steps).c_str(), "r");
  Whole whole;
  bool found = false;
  std::array<char, 512> line{};
  while (pipe && std::fgets(line.data(), static_cast<int>(line.size()), pipe)) {
    double ms = 0;
    if (std::sscanf(line.data(), " Time per step : %lf", &ms) == 1) found = true, whole.wall = 1e-3 * ms;
    std::sscanf(line.data(), " Contacts per step : %lf", &whole.contacts);
    if (reason.empty() && line[0] != '\n')
      reason = std::string(line.data()).substr(0, std::string(line.data()).find('\n'));
  }
  if (pipe) pclose(pipe);
  whole.cpu = children_now() - before;
  return found ? std::optional(whole) : std::nullopt;
}

/// One scene, and the mean of its starts over the whole run.
struct Comparison {
  std::string name, file;
  std::vector<Start> starts;
  Whole ours;
  std::optional<Whole> package;  // MuJoCo as the Python package has it
};

void compare_whole(const Comparison& scene, const Arguments& arguments, Table& table) {
  const auto& [name, file, starts, ours, package] = scene;
  const int steps =
      static_cast<int>(std::lround(kPhases[std::size(kPhases) - 1].to / interchange::read_model(file).run.dt));
  std::string reason = "not asked for";
  std::optional<Whole> theirs;
  if (starts.size() > 1) {
    reason = "it starts as the file says";
  } else if (std::string("mujoco-testspeed").find(arguments.engine) != std::string::npos) {
    theirs = run_testspeed(file, steps, reason);
  }
  const std::optional<Whole> less = theirs ? run_testspeed(file, 1, reason) : std::nullopt;
  if (less) {
    theirs->cpu = (theirs->cpu - less->cpu) / (steps - 1);
    table.add({cell(name), cell(std::string("testspeed")), cell(1e6 * theirs->wall), cell(1e6 * theirs->cpu),
               cell(theirs->cpu / ours.cpu), cell(theirs->contacts)});
  } else {
    fmt::print("{}: mujoco-testspeed left out ({})\n", name, reason);
  }
  if (package) {
    table.add({cell(name), cell(std::string("MuJoCo")), cell(std::nan("")), cell(1e6 * package->cpu),
               cell(package->cpu / ours.cpu), cell(package->contacts)});
  }
  table.add({cell(name), cell(std::string("vinculum")), cell(1e6 * ours.wall), cell(1e6 * ours.cpu), cell(1.0),
             cell(ours.contacts)});
}

/// The figures of one start, or of the whole run, to those of the others, `part` of each in the mean.
void add(const std::vector<Figure>& own, double part, std::vector<Figure>& all) {
  all.resize(std::max(all.size(), own.size()));
  for (std::size_t p = 0; p < own.size(); ++p) {
    Figure& sum = all[p];
    sum.batches.insert(sum.batches.end(), own[p].batches.begin(), own[p].batches.end());
    sum.contacts += part * own[p].contacts;
    sum.overlap = std::max(sum.overlap, own[p].overlap);
    sum.residual = std::max(sum.residual, own[p].residual);
    sum.laws = {std::max(sum.laws.contact, own[p].laws.contact), std::max(sum.laws.limit, own[p].laws.limit)};
    sum.unsolved += own[p].unsolved;
  }
}

void compare(Comparison& scene, const Arguments& arguments, Table& table) {
  const std::string& name = scene.name;
  std::vector<Figure> ours, theirs;
  const double part = 1 / static_cast<double>(scene.starts.size());
  for (const Start& start : scene.starts) {
    if (std::string("mujoco").find(arguments.engine) != std::string::npos) {
      add(run_mujoco(scene.file, start), part, theirs);
    }
    if (std::string("vinculum").find(arguments.engine) == std::string::npos) continue;
    Whole whole;
    add(run_ours(read_from(scene.file, start), whole), part, ours);
    scene.ours.wall += part * whole.wall, scene.ours.cpu += part * whole.cpu;
    scene.ours.contacts += part * whole.contacts;
  }
  if (theirs.size() > std::size(kPhases)) {
    const std::vector<double>& means = theirs.back().batches;
    scene.package = Whole{0, std::accumulate(means.begin(), means.end(), 0.0) / static_cast<double>(means.size()),
                          theirs.back().contacts};
  }
  for (std::size_t p = 0; p < std::size(kPhases); ++p) {
    const double mujoco = p < theirs.size() ? quartiles(theirs[p].batches).median : std::nan("");
    if (p < theirs.size()) {
      table.add({cell(name), cell(std::string(kPhases[p].name)), cell(std::string("MuJoCo")), cell(1e6 * mujoco),
                 cell(1.0), cell(theirs[p].contacts), cell(std::nan("")), cell(std::nan("")), cell(std::nan("")),
                 cell(theirs[p].overlap), cell(std::nan(""))});
    }
    if (p >= ours.size()) continue;
    const Figure& f = ours[p];
    const double median = quartiles(f.batches).median;
    table.add({cell(name), cell(std::string(kPhases[p].name)), cell(std::string("vinculum")), cell(1e6 * median),
               cell(median / mujoco), cell(f.contacts), cell(f.laws.contact), cell(f.laws.limit), cell(f.residual),
               cell(f.overlap), cell(f.unsolved)});
  }
}

}  // namespace

int main(int count, char** values) {
  const Arguments arguments = parse_arguments(count, values);
  print_machine();
  const std::filesystem::path folder = humanoids();
  if (folder.empty()) {
    fmt::print("no folder shared/data/mjcf/mujoco/humanoid above the checkout: left out\n");
    write_json(arguments, "humanoid", {});
    return 0;
  }
  const base::ThreadLimit limit(1);
  Table table("MuJoCo's humanoid, dt 5 ms, 1 thread, CPU time", {{"scene", "scene", 14},
                                                                 {"phase", "phase", 8},
                                                                 {"engine", "engine", 9},
                                                                 {"us", "us/step", 8},
                                                                 {"ratio", "/ MuJoCo", 8},
                                                                 {"contacts", "contacts", 8},
                                                                 {"law_contact", "contact law", 11},
                                                                 {"law_limit", "limit law", 10},
                                                                 {"residual", "residual", 9},
                                                                 {"overlap", "overlap m", 9},
                                                                 {"unsolved", "unsolved", 8}});
  std::vector<Comparison> scenes;
  const std::string one = (folder / "humanoid.xml").string();
  std::vector<Start> askew;
  for (unsigned number = 0; number < kStarts; ++number) askew.push_back(make_start(one, number));
  const Comparison all[] = {{"humanoid", one, {{}}, {}, {}},
                            {"askew", one, askew, {}, {}},
                            {"22 humanoids", (folder / "22_humanoids.xml").string(), {{}}, {}, {}}};
  for (const Comparison& scene : all) {
    if (scene.name.find(arguments.scene) == std::string::npos) continue;
    compare(scenes.emplace_back(scene), arguments, table);
  }
  if (std::string("vinculum").find(arguments.engine) == std::string::npos) {
    return write_json(arguments, "humanoid", {&table}), 0;
  }
  Table whole_table("The whole run, 0 to 4 s, mean per step; testspeed is MuJoCo 2.2.2, ratio: to our CPU time",
                    {{"scene", "scene", 14},
                     {"engine", "engine", 9},
                     {"wall", "us wall", 8},
                     {"cpu", "us CPU", 8},
                     {"ratio", "ratio", 8},
                     {"contacts", "contacts", 8}});
  for (const Comparison& scene : scenes) compare_whole(scene, arguments, whole_table);
  write_json(arguments, "humanoid", {&table, &whole_table});
}
