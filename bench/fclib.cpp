// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// How fast are FCLIB problems solved to 1e-8, from zero, by us and by Siconos' solvers? CPU seconds of one thread, best
// of a few runs, without reading and assembly, with everything else. Global problems are condensed first, for
// everybody. A problem counts as solved when the natural map, recomputed by contact::measure for all alike, is within
// the tolerance: for Siconos the judged one alone, for us the scaled one as well. Siconos measures against |q| alone:
// it is given the tolerance that amounts to ours.
#include "vinculum/fclib/fclib.hpp"
#include "peer_siconos.hpp"
#include "performance_profile.hpp"
#include "problem_files.hpp"
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
constexpr double kLongest = 5;  // CPU seconds that a call of Siconos may take
constexpr double kNever = std::numeric_limits<double>::infinity();
const std::vector<std::string> peer_names = {"NSGS", "NSN_AC", "ADMM", "PROX", "LEMKE"};

// Of this thread, as peer_siconos measures: reading the clock takes part of a microsecond, for everybody alike.
double cpu_s() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Ours {
  double cpu = kNever;
  solvers::ExplicitSolution solution;
};

// A new solver every time: memory and symbolic analysis are part of the price.
Ours run_ours(const contact::ExplicitProblem& problem, const solvers::SolverType& type) {
  Ours out;
  double total = 0;
  for (int k = 0; k < 20 && (k < 3 || total < 0.02); ++k) {
    const double begin = cpu_s();
    const auto solver = type.make_explicit();
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

// Seconds to a solution, infinite where there is none.
double run_peer(const std::string& name, const contact::ExplicitProblem& problem, double tol, double limit) {
  for (const SiconosSolver& peer : siconos_solvers()) {
    if (peer.name != name || peer.dimension != problem.dimension) continue;
    const PeerAnswer answer = run_siconos(peer, problem, tol, limit);
    std::vector<double> u;
    if (answer.returned && contact::measure(problem, answer.r, u).judged <= kTol) return answer.cpu_s;
  }
  return kNever;
}

Table::Cell cell_of_time(double seconds) {
  return std::isfinite(seconds) ? cell(1e3 * seconds) : cell(std::numeric_limits<double>::quiet_NaN());
}

// How many times our time others take, over the problems that both solve.
struct Ratios {
  double log_sum = 0;
  int count = 0, below_one = 0;

  void add(double ours, double theirs) {
    if (!std::isfinite(ours) || !std::isfinite(theirs)) return;
    log_sum += std::log(theirs / ours);
    ++count;
    below_one += theirs < ours;
  }
  void print(const char* whose) const {
    if (count == 0) return;
    fmt::print("{}/ours: geometric mean {:.1f} on {} problems; {} faster than we are\n", whose,
               std::exp(log_sum / count), count, below_one);
  }
};

Table make_table(double limit) {
  std::vector<Table::Column> columns = {
      {"problem", "problem", 38}, {"contacts", "contacts", 8}, {"ours_ms", "ours ms", 8}, {"judged", "judged", 8},
      {"scaled", "scaled", 8},    {"over_q", "over q", 8},     {"steps", "steps", 6},     {"method", "by", 14}};
  for (const std::string& name : peer_names) columns.push_back({name + "_ms", name + " ms", 9});
  columns.push_back({"ratio", "best/ours", 9});
  return Table(fmt::format("FCLIB problems to {:.0e}: CPU ms from zero; - not solved within {} s", kTol, limit),
               columns);
}

using Times = std::map<std::string, std::vector<double>>;

Table run_all(const std::vector<std::string>& files, const solvers::SolverType& type, const Arguments& arguments,
              Times& times) {
  const double limit = std::min(arguments.budget, kLongest);
  Table table = make_table(limit);
  for (const std::string& file : files) {
    const contact::ExplicitProblem problem = contact::condense(fclib::read_problem(file), file);
    const Ours ours = run_ours(problem, type);
    const solvers::Report& report = ours.solution.report;
    times["vinculum"].push_back(report.status == solvers::Status::solved ? ours.cpu : kNever);
    Table::Row row = {cell(std::filesystem::path(file).stem().string()),
                      cell(problem.size()),
                      cell(1e3 * ours.cpu),
                      cell(report.errors.judged),
                      cell(report.errors.scaled),
                      cell(report.errors.over_c),
                      cell(static_cast<std::size_t>(report.iterations)),
                      cell(std::string(report.method))};
    double best = kNever;
    for (const std::string& name : peer_names) {
      const bool wanted = name.find(arguments.engine) != std::string::npos;
      const double time = wanted ? run_peer(name, problem, siconos_tolerance(problem, ours.solution), limit) : kNever;
      times[name].push_back(time);
      row.push_back(cell_of_time(time));
      best = std::min(best, time);
    }
    row.push_back(std::isfinite(best) ? cell(best / ours.cpu) : cell("-"));
    table.add(row);
  }
  return table;
}

void print_summary(const Times& times) {
  const std::vector<double>& ours = times.at("vinculum");
  Ratios prox, fastest;
  double total = 0;
  for (std::size_t k = 0; k < ours.size(); ++k) {
    double best = kNever;
    for (const std::string& name : peer_names) best = std::min(best, times.at(name)[k]);
    prox.add(ours[k], times.at("PROX")[k]);
    fastest.add(ours[k], best);
    if (std::isfinite(ours[k])) total += ours[k];
  }
  for (const auto& [name, list] : times) {
    fmt::print("{} solved {} of {}\n", name,
               std::count_if(list.begin(), list.end(), [](double t) { return std::isfinite(t); }), list.size());
  }
  fmt::print("ours in all: {:.4g} ms\n", 1e3 * total);
  prox.print("PROX");
  fastest.print("fastest of Siconos");
}

}  // namespace

int main(int count, char** values) {
  setenv("OPENBLAS_NUM_THREADS", "1", 1);  // before the library starts its threads
  const Arguments arguments = parse_arguments(count, values);
  const solvers::SolverType* type = solvers::find_solver_type(arguments.solver.empty() ? "auto" : arguments.solver);
  const std::vector<std::string> files = find_problem_files(arguments.data, arguments.scene);
  if (!type || files.empty()) {
    fmt::print(stderr, "fclib: found {}; left out\n", type ? "no problems (--data FOLDER)" : "no such solver");
    return type ? 0 : 2;
  }
  print_machine();
  Times times;
  const Table table = run_all(files, *type, arguments, times);
  print_summary(times);
  if (!arguments.plots.empty()) {
    std::filesystem::create_directories(arguments.plots);
    std::ofstream(arguments.plots + "/fclib.svg") << performance_profile(times);
  }
  write_json(arguments, "fclib", {&table});
}
