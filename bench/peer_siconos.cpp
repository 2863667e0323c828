// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "peer_siconos.hpp"

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <RollingFrictionContactProblem.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <ctime>

namespace vinculum::bench {
namespace {

// Of this thread: with a limit of CPU time the clock of the process goes by ticks of 4 ms. Libraries of linear algebra
// are told to use one thread.
double cpu_s() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// The matrix in the storage that the solver likes best: with d = 5 blocks are refused and sparse ADMM diverges.
NumericsMatrix* make_matrix(const contact::ExplicitProblem& problem, const SiconosSolver& solver) {
  const int d = problem.dimension, n = d * static_cast<int>(problem.size());
  NumericsMatrix* A = NM_create(d == 3 ? NM_SPARSE : NM_DENSE, n, n);
  if (d == 3) NM_triplet_alloc(A, static_cast<CS_INT>(problem.value.size()));
  for (int i = 0; i < static_cast<int>(problem.size()); ++i) {
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
      for (int a = 0; a < d; ++a) {
        for (int b = 0; b < d; ++b) {
          const double x = problem.block(e)[a * d + b];
          if (x != 0) NM_entry(A, i * d + a, problem.column[e] * d + b, x);
        }
      }
    }
  }
  if (!solver.blocks) return A;
  SparseBlockStructuredMatrix* blocks = SBM_new();
  SBM_from_csparse(d, NM_csc(A), blocks);
  return NM_create_from_data(NM_SPARSE_BLOCK, n, n, blocks);
}

// One call of the driver that fits the dimension; returns its CPU time. What Siconos makes of the problem stays in
// memory: this process ends soon.
double call(const SiconosSolver& solver, const contact::ExplicitProblem& problem, double tol, std::vector<double>& r) {
  std::vector<double> q = problem.q, mu = problem.mu, mu_r = problem.mu_r, u(q.size(), 0.0);
  r.assign(q.size(), 0.0);
  const int contacts = static_cast<int>(problem.size());
  NumericsMatrix* W = make_matrix(problem, solver);
  SolverOptions* options = solver_options_create(solver.id);
  options->dparam[SICONOS_DPARAM_TOL] = tol;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = solver.most_iterations;
  if (problem.dimension == 5) {
    auto* rolling = rollingFrictionContactProblem_new_with_data(5, contacts, W, q.data(), mu.data(), mu_r.data());
    const double begin = cpu_s();
    rolling_fc3d_driver(rolling, r.data(), u.data(), options);
    return cpu_s() - begin;
  }
  FrictionContactProblem* given = frictionContactProblem_new();
  given->dimension = problem.dimension;
  given->numberOfContacts = contacts;
  given->M = W;
  given->q = q.data();
  given->mu = mu.data();
  const double begin = cpu_s();
  problem.dimension == 2 ? fc2d_driver(given, r.data(), u.data(), options)
                         : fc3d_driver(given, r.data(), u.data(), options);
  return cpu_s() - begin;
}

// Runs the solver from zero until it has taken 20 ms, twenty times at most, once if that takes long; best time.
PeerAnswer run_here(const SiconosSolver& solver, const contact::ExplicitProblem& problem, double tol) {
  numerics_set_verbose(0);
  PeerAnswer answer;
  answer.cpu_s = 1e300;
  double total = 0;
  for (int k = 0; k < 20 && (k < 2 || total < 0.02); ++k) {
    if (k == 1 && total > 0.5) break;
    const double took = call(solver, problem, tol, answer.r);
    total += took;
    answer.cpu_s = std::min(answer.cpu_s, took);
  }
  answer.returned = true;
  return answer;
}

void write_all(int to, const void* data, std::size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t n = write(to, at, size);
    if (n <= 0) return;
    at += n;
    size -= static_cast<std::size_t>(n);
  }
}

bool read_all(int from, void* data, std::size_t size) {
  char* at = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t n = read(from, at, size);
    if (n <= 0) return false;
    at += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

}  // namespace

std::vector<SiconosSolver> siconos_solvers() {
  return {{"NSGS", SICONOS_FRICTION_3D_NSGS, 3, true, 100000},
          {"NSN_AC", SICONOS_FRICTION_3D_NSN_AC, 3, false, 10000},
          {"ADMM", SICONOS_FRICTION_3D_ADMM, 3, false, 100000},
          {"PROX", SICONOS_FRICTION_3D_PROX, 3, false, 1000},
          {"NSGS", SICONOS_FRICTION_2D_NSGS, 2, false, 100000},
          {"LEMKE", SICONOS_FRICTION_2D_LEMKE, 2, false, 100000},
          {"NSGS", SICONOS_ROLLING_FRICTION_3D_NSGS, 5, false, 100000},
          {"ADMM", SICONOS_ROLLING_FRICTION_3D_ADMM, 5, false, 100000}};
}

PeerAnswer run_siconos(const SiconosSolver& solver, const contact::ExplicitProblem& problem, double tol,
                       double limit_s) {
  int channel[2];
  if (pipe(channel) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    close(channel[0]);
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    setenv("OMP_NUM_THREADS", "1", 1);
    const auto seconds = static_cast<rlim_t>(limit_s + 1);
    const rlimit limit{seconds, seconds};
    setrlimit(RLIMIT_CPU, &limit);
    const PeerAnswer answer = run_here(solver, problem, tol);
    write_all(channel[1], &answer.cpu_s, sizeof(double));
    write_all(channel[1], answer.r.data(), answer.r.size() * sizeof(double));
    _exit(0);
  }
  close(channel[1]);
  PeerAnswer answer;
  answer.r.resize(problem.q.size());
  answer.returned = read_all(channel[0], &answer.cpu_s, sizeof(double)) &&
                    read_all(channel[0], answer.r.data(), answer.r.size() * sizeof(double));
  close(channel[0]);
  waitpid(child, nullptr, 0);
  return answer;
}

}  // namespace vinculum::bench
