// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The open ends of theory/solving-friction.md 9: large dense packings and a shaken pyramid, cold from Λ = 0 and warm
// after a change of 0.1 % of g dt in every free velocity, by "auto". CPU seconds of one thread, one run each.
// Draws of the hard kind (8 neighbours) differ much, so eight of them are tried at two sizes.
//   packings_bench [TEXT]     only problems whose name contains TEXT
#include "solvers/corpus.hpp"
#include "vinculum/base/parallel.hpp"
#include "vinculum/solvers/solver.hpp"

#include <fmt/format.h>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>

using namespace vinculum;
using corpus::Vec3;

namespace {

double cpu_s() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Goal {
  std::string name;
  std::function<contact::ContactProblem()> make;
  double tol, cold, warm;      // s that it may take; 0: no goal
  int max_iterations = 10000;  // the default of Settings
};

void print(const Goal& goal, const char* start, const contact::ContactProblem& problem, double seconds, double limit,
           const solvers::Report& report) {
  const bool solved = report.status == solvers::Status::solved;
  std::printf("%-28s %7zu  %.0e  %-5s %9.3f  %-9s %6d %5d  %.1e %.1e %.1e  %-9s %s\n", goal.name.c_str(),
              problem.size(), goal.tol, start, seconds, solvers::to_string(report.status).data(), report.iterations,
              report.factorisations, report.errors.judged, report.errors.scaled, report.errors.over_c,
              limit == 0                   ? "-"
              : solved && seconds <= limit ? "met"
                                           : "missed",
              report.method.data());
  std::fflush(stdout);
}

void run(const Goal& goal) {
  contact::ContactProblem problem = goal.make();
  const auto solver = solvers::find_solver_type("auto")->make();
  solvers::Solution solution;
  solution.Lambda.assign(problem.size(), Vec3::Zero());
  auto solve = [&](const char* start, double limit) {
    const double begin = cpu_s();
    // What counts is the residual asked for: no polish beyond it.
    solver->solve(problem, {.tol = goal.tol, .max_iterations = goal.max_iterations, .polish = false}, solution);
    print(goal, start, problem, cpu_s() - begin, limit, solution.report);
  };
  solve("cold", goal.cold);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> pm(-1, 1);
  // In mass-weighted coordinates, bodies of 1 kg: c stays in the range of J, so that the problem stays solvable.
  std::vector<Eigen::Matrix<double, 6, 1>> dv(problem.nodes);
  for (auto& node : dv)
    node = 1e-3 * corpus::kDrop * Eigen::Matrix<double, 6, 1>::NullaryExpr([&] { return pm(random); });
  for (std::size_t i = 0; i < problem.size(); ++i) {
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
      problem.c[i] += problem.J[static_cast<std::size_t>(e)] *
                      dv[static_cast<std::size_t>(problem.node[static_cast<std::size_t>(e)])];
    }
  }
  solve("warm", goal.warm);
}

// How many neighbours a ball has decides how hard a packing is: about 11 for reach 1.1 (easy: every contact stays
// closed), 9 for 1.05, 8 for 1.03 (hard), 5 for 1.
std::vector<Goal> goals() {
  std::vector<Goal> list;
  for (const double reach : {1.1, 1.05, 1.03, 1.0}) {
    const int neighbours = reach == 1.1 ? 11 : reach == 1.05 ? 9 : reach == 1.03 ? 8 : 5;
    auto add = [&](int side, double tol, double cold, double warm, int max_iterations = 10000, unsigned draw = 1) {
      list.push_back({fmt::format("{} balls, {} neighbours, {}", side * side * side, neighbours, draw),
                      [=] { return corpus::packing(side, .3, reach, draw); }, tol, cold, warm, max_iterations});
    };
    if (neighbours == 8) {  // most of the iterations are sweeps of less than 0.1 ms, so there may be many
      for (unsigned draw = 1; draw <= 8; ++draw) add(5, 1e-8, 2, .1, 10000, draw);
      for (unsigned draw = 2; draw <= 8; ++draw) add(8, 1e-8, 2, .1, 40000, draw);
    }
    add(8, 1e-8, 2, .1, neighbours == 8 ? 40000 : 10000);
    add(17, 1e-6, 60, 0);
    add(28, 1e-4, 3, 0);
  }
  list.push_back({"pyramid of 100 rows", [] { return corpus::pyramid(100, .5); }, 1e-8, 1, 0});
  list.push_back({"same, shaken by .1 g dt", [] { return corpus::pyramid(100, .5, .1); }, 1e-8, 0, 0});
  list.push_back({"same, shaken by g dt", [] { return corpus::pyramid(100, .5, 1); }, 1e-6, 0, 0});
  return list;
}

}  // namespace

int main(int count, char** values) {
  const base::ThreadLimit limit(1);
  const std::string part = count > 1 ? values[1] : "";
  std::printf("%-28s %7s  %5s  %-5s %9s  %-9s %6s %5s  %7s %7s %7s  %-9s %s\n", "problem", "blocks", "tol", "start",
              "CPU s", "status", "steps", "facts", "judged", "scaled", "over c", "goal", "by");
  for (const Goal& goal : goals()) {
    if (goal.name.find(part) != std::string::npos) run(goal);
  }
}
