// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// How fast are FCLIB problems solved to 1e-8, from zero, by us and by Siconos' solvers? CPU seconds of one thread, best
// of a few runs, without reading and assembly, with everything else. Global problems are condensed first, for
// everybody. A problem counts as solved when the natural map, recomputed by contact::measure for all alike, is within
// the tolerance. Siconos measures against |q| alone: it is given the tolerance that amounts to ours.
//   bench_fclib FOLDER [--limit S] [--scene TEXT] [--svg FILE] [--json FILE]
#include "vinculum/fclib/fclib.hpp"
#include "peer_siconos.hpp"
#include "performance_profile.hpp"
#include "report.hpp"
#include "vinculum/solvers/solver.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>

using namespace vinculum;
using namespace vinculum::bench;

namespace {

constexpr double kTol = 1e-8;
constexpr double kNever = std::numeric_limits<double>::infinity();

double cpu_s() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Options {
  std::string folder, scene, svg, json;
  double limit = 5;
};

Options parse(int count, char** values) {
  Options o;
  for (int k = 1; k < count; ++k) {
    const std::string word = values[k];
    const bool more = k + 1 < count;
    if (word == "--limit" && more)
      o.limit = std::stod(values[++k]);
    else if (word == "--scene" && more)
      o.scene = values[++k];
    else if (word == "--svg" && more)
      o.svg = values[++k];
    else if (word == "--json" && more)
      o.json = values[++k];
    else
      o.folder = word;
  }
  if (o.folder.empty()) {
    fmt::print(stderr, "bench_fclib FOLDER [--limit S] [--scene TEXT] [--svg FILE] [--json FILE]\n");
    std::exit(2);
  }
  return o;
}

std::vector<std::string> find_files(const Options& o) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(o.folder)) {
    const std::string extension = entry.path().extension();
    if (extension != ".hdf5" && extension != ".dat") continue;
    if (entry.path().filename().string().find(o.scene) != std::string::npos) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

struct Ours {
  double cpu = kNever;
  solvers::ExplicitSolution solution;
};

// A new solver every time: memory and symbolic analysis are part of the price.
Ours run_ours(const contact::ExplicitProblem& problem) {
  Ours out;
  double total = 0;
  for (int k = 0; k < 20 && (k < 3 || total < 0.05); ++k) {
    const double begin = cpu_s();
    const auto solver = solvers::solver_types()[0].make_explicit();
    out.solution.r.assign(problem.q.size(), 0.0);
    solver->solve(problem, {.tol = kTol}, out.solution);
    const double took = cpu_s() - begin;
    total += took;
    out.cpu = std::min(out.cpu, took);
  }
  return out;
}

double norm(const std::vector<double>& x) {
  double sum = 0;
  for (double v : x) sum += v * v;
  return std::sqrt(sum);
}

// Our tolerance, divided by max(|q|, |r|, |u|), in terms of |q| alone.
double siconos_tolerance(const contact::ExplicitProblem& problem, const solvers::ExplicitSolution& ours) {
  const double q = norm(problem.q);
  return q > 0 ? kTol * std::max({q, norm(ours.r), norm(ours.u)}) / q : kTol;
}

std::string ms(double seconds) { return std::isfinite(seconds) ? fmt::format("{:.3g}", 1e3 * seconds) : "-"; }

}  // namespace

int main(int count, char** values) {
  setenv("OPENBLAS_NUM_THREADS", "1", 1);  // before the library starts its threads
  const Options options = parse(count, values);
  print_machine();
  const std::vector<SiconosSolver> peers = siconos_solvers();
  const std::vector<std::string> names = {"NSGS", "NSN_AC", "ADMM", "PROX", "LEMKE"};
  std::vector<Table::Column> columns = {
      {"problem", "problem", 38}, {"contacts", "contacts", 8}, {"ours_ms", "ours ms", 8}, {"judged", "judged", 8},
      {"scaled", "scaled", 8},    {"over_q", "over q", 8},     {"steps", "steps", 6},     {"method", "by", 14}};
  for (const std::string& name : names) columns.push_back({name + "_ms", name + " ms", 9});
  columns.push_back({"ratio", "best/ours", 9});
  Table table(fmt::format("FCLIB problems to {:.0e}: CPU ms from zero; - not solved within {} s", kTol, options.limit),
              columns);
  std::map<std::string, std::vector<double>> times;
  double log_best = 0, log_prox = 0;
  int with_best = 0, with_prox = 0, solved = 0, slower = 0, total = 0;
  for (const std::string& file : find_files(options)) {
    const contact::ExplicitProblem problem = contact::condense(fclib::read_problem(file), file);
    const Ours ours = run_ours(problem);
    const contact::Errors& errors = ours.solution.report.errors;
    const bool good = ours.solution.report.status == solvers::Status::solved;
    ++total;
    solved += good;
    times["vinculum"].push_back(good ? ours.cpu : kNever);
    Table::Row row = {cell(std::filesystem::path(file).stem().string()),
                      cell(problem.size()),
                      cell(1e3 * ours.cpu),
                      cell(errors.judged),
                      cell(errors.scaled),
                      cell(errors.over_c),
                      cell(static_cast<std::size_t>(ours.solution.report.iterations)),
                      cell(std::string(ours.solution.report.method))};
    double best = kNever, prox = kNever;
    for (const std::string& name : names) {
      double time = kNever;
      for (const SiconosSolver& peer : peers) {
        if (peer.name != name || peer.dimension != problem.dimension) continue;
        const PeerAnswer answer = run_siconos(peer, problem, siconos_tolerance(problem, ours.solution), options.limit);
        if (!answer.returned) continue;
        std::vector<double> u;
        if (contact::measure(problem, answer.r, u).judged <= kTol) time = answer.cpu_s;
      }
      times[name].push_back(time);
      row.push_back({ms(time), std::isfinite(time) ? nlohmann::json(1e3 * time) : nlohmann::json(nullptr)});
      best = std::min(best, time);
      if (name == "PROX") prox = time;
    }
    row.push_back(std::isfinite(best) ? cell(best / ours.cpu) : cell("-"));
    table.add(row);
    if (good && std::isfinite(best)) {
      log_best += std::log(best / ours.cpu);
      ++with_best;
      slower += best < ours.cpu;
    }
    if (good && std::isfinite(prox)) {
      log_prox += std::log(prox / ours.cpu);
      ++with_prox;
    }
  }
  fmt::print("solved {} of {}", solved, total);
  for (const std::string& name : names) {
    fmt::print(", {} {}", name,
               std::count_if(times[name].begin(), times[name].end(), [](double t) { return std::isfinite(t); }));
  }
  fmt::print("\n");
  if (with_prox > 0)
    fmt::print("geometric mean of PROX/ours: {:.1f} on {} problems\n", std::exp(log_prox / with_prox), with_prox);
  if (with_best > 0) {
    fmt::print("geometric mean of the best of Siconos/ours: {:.1f} on {} problems; {} of them faster than we are\n",
               std::exp(log_best / with_best), with_best, slower);
  }
  if (!options.svg.empty()) std::ofstream(options.svg) << performance_profile(times);
  Arguments arguments;
  arguments.json = options.json;
  write_json(arguments, "fclib", {&table});
}
