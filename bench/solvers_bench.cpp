// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// How long solvers take on generated problems, in CPU time of one thread (best of five), with the error reached. The
// first table is cold (Λ = 0) to 1e-8 and on to rounding, the second the check of a warm start, the third one sweep.
#include "solvers/corpus.hpp"
#include "vinculum/solvers/solver.hpp"
#include "vinculum/solvers/sweep.hpp"

#include <cstdio>
#include <ctime>
#include <string_view>

using namespace vinculum;
using corpus::Vec3;

namespace {

double cpu_ms() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e3 * static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_nsec);
}

template <class Work>
double best_ms(int repeats, Work&& work) {
  double best = 1e300;
  for (int k = 0; k < repeats; ++k) {
    const double start = cpu_ms();
    work();
    best = std::min(best, cpu_ms() - start);
  }
  return best;
}

void bench(const char* name, const contact::ContactProblem& problem, std::string_view solver_name) {
  const auto solver = solvers::find_solver_type(solver_name)->make();
  solvers::Solution solution;
  auto cold = [&] {
    solution.Lambda.assign(problem.size(), Vec3::Zero());
    solver->solve(problem, {}, solution);
  };
  const double cold_ms = best_ms(problem.size() > 5000 ? 2 : 5, cold);
  const solvers::Report report = solution.report;
  const double warm_ms = best_ms(20, [&] { solver->solve(problem, {}, solution); });
  std::printf("%-32s %6zu  %-11s %-9s %6d %5d  %.1e %.1e  %10.3f %9.4f  %s\n", name, problem.size(), solver_name.data(),
              solvers::to_string(report.status).data(), report.iterations, report.factorisations, report.errors.judged,
              report.errors.over_c, cold_ms, warm_ms, report.method.data());
}

void bench_sweep(const char* name, const contact::ContactProblem& problem) {
  solvers::ScaledProblem scaled;
  scaled.build(problem);
  solvers::Sweeper sweeper;
  sweeper.prepare(scaled);
  std::vector<Vec3> r(problem.size(), Vec3::Zero());
  sweeper.start(r);
  for (int k = 0; k < 20; ++k) sweeper.sweep(r);
  const double ms = best_ms(5, [&] {
    for (int k = 0; k < 20; ++k) sweeper.sweep(r);
  });
  std::printf("%-32s %6zu  %.1f ns per block and sweep\n", name, problem.size(),
              1e6 * ms / 20 / static_cast<double>(problem.size()));
}

}  // namespace

int main() {
  const std::vector<corpus::Case> cases = corpus::cases();
  std::printf("%-32s %6s  %-11s %-9s %6s %5s  %7s %7s  %10s %9s  %s\n", "problem", "blocks", "solver", "status",
              "steps", "facts", "judged", "over_c", "cold ms", "warm ms", "by");
  for (const char* solver : {"auto", "prox_newton", "nsgs"}) {
    for (const corpus::Case& c : cases) bench(c.name.c_str(), c.problem, solver);
  }
  bench("pyramid of 50 rows", corpus::pyramid(50, .5), "auto");
  bench("pyramid of 100 rows", corpus::pyramid(100, .5), "auto");
  bench("packing of 1000, dense", corpus::packing(10, .3, 1.1, 1), "auto");
  bench_sweep("pyramid of 20 rows", corpus::pyramid(20, .5));
  bench_sweep("pyramid of 100 rows", corpus::pyramid(100, .5));
  for (const int side : {6, 12, 26, 57}) bench_sweep("dense packing", corpus::packing(side, .3, 1.1, 1));
}
