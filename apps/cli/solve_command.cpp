// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/command.hpp"
#include "cli/numbers.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/contact/certificate.hpp"
#include "vinculum/fclib/fclib.hpp"
#include "vinculum/solvers/solver.hpp"

#include <fmt/core.h>
#include <chrono>
#include <cmath>
#include <memory>

namespace vinculum::cli {

namespace {

struct SolveArguments {
  std::string file, solver = "auto", out;
  double tol = 1e-8;
  int iterations = 40000;  // nobody waits for a next step: longer than in a run
  bool json = false, minimum_norm = false;
};

/// W counts as symmetric when it is so to rounding of its assembly.
constexpr double symmetric_to = 1e-10;

struct Solved {
  contact::FrictionProblem problem;
  solvers::ExplicitSolution answer;
  contact::Recovered recovered;
  double asymmetry = 0, wall_s = 0;
  double least_impulse = 0;  // of any solution, over the free velocity, unit-free: what the witness proves
};

const solvers::SolverType& solver_named(const std::string& name) {
  if (const solvers::SolverType* type = solvers::find_solver_type(name)) return *type;
  std::string names;
  for (const auto& type : solvers::solver_types()) names += (names.empty() ? "" : ", ") + std::string(type.name);
  throw base::InputError(fmt::format("--solver: found \"{}\", expected one of: {}", name, names));
}

Solved solve(const SolveArguments& a) {
  const solvers::SolverType& type = solver_named(a.solver);
  Solved out;
  out.problem = fclib::read_problem(a.file);
  const auto begin = std::chrono::steady_clock::now();
  const contact::ExplicitProblem condensed = contact::condense(out.problem, a.file);
  out.answer.r.assign(condensed.q.size(), 0.0);
  type.make_explicit()->solve(
      condensed, {.tol = a.tol, .max_iterations = a.iterations, .certify = true, .minimum_norm = a.minimum_norm},
      out.answer);
  out.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (out.answer.report.status == solvers::Status::infeasible) {
    out.least_impulse = contact::check_witness(condensed, out.answer.witness);
  }
  out.asymmetry = contact::asymmetry(condensed);
  out.recovered = contact::recover(out.problem, out.answer.r, a.file);
  return out;
}

const char* form_of(const contact::FrictionProblem& p) {
  return p.form == contact::FrictionProblem::Form::local ? "local" : "global";
}

nlohmann::json to_json(const SolveArguments& a, const Solved& s) {
  const solvers::Report& report = s.answer.report;
  return {{"status", to_string(report.status)},
          {"solver", a.solver},
          {"method", report.method},
          {"iterations", report.iterations},
          {"factorisations", report.factorisations},
          {"residual", report.errors.judged},
          {"residual_scaled", report.errors.scaled},
          {"residual_over_q", report.errors.over_c},
          {"tolerance", a.tol},
          {"wall_s", s.wall_s},
          {"contacts", s.problem.contacts()},
          {"dimension", s.problem.dimension},
          {"form", form_of(s.problem)},
          {"symmetric", s.asymmetry <= symmetric_to},
          {"asymmetry", s.asymmetry},
          {"balance", s.recovered.balance},
          {"bonds", s.recovered.bonds},
          {"solutions", report.solutions},
          {"minimum_norm", report.minimum_norm},
          {"witness", s.answer.witness},
          {"out", a.out.empty() ? nlohmann::json(nullptr) : nlohmann::json(a.out)}};
}

void print(const SolveArguments& a, const Solved& s) {
  const solvers::Report& report = s.answer.report;
  fmt::print("{}: {} contacts, dimension {}, {} form\n", a.file, s.problem.contacts(), s.problem.dimension,
             form_of(s.problem));
  if (s.asymmetry > symmetric_to) {
    fmt::print("  W            not symmetric: largest |W - W^T| is {:.1e} of the largest |W|; solved as given\n",
               s.asymmetry);
  }
  fmt::print("  solver       {} by {}, {} iterations, {} factorisations, {:.3g} ms\n", a.solver, report.method,
             report.iterations, report.factorisations, 1e3 * s.wall_s);
  fmt::print("  residual     {:.2e} (FCLIB), {:.2e} unit-free, {:.2e} of |q|; tolerance {:.0e}\n", report.errors.judged,
             report.errors.scaled, report.errors.over_c, a.tol);
  if (s.problem.form == contact::FrictionProblem::Form::global || s.problem.has_bonds()) {
    fmt::print("  equations    balance {:.1e}, bonds {:.1e}\n", s.recovered.balance, s.recovered.bonds);
  }
  if (report.solutions > 0) fmt::print("  solutions    {} found\n", report.solutions);
  if (a.minimum_norm && report.status == solvers::Status::solved) {
    fmt::print("  impulse      {}\n",
               report.minimum_norm ? "of least norm" : "of least norm not found; as the solver left it");
  }
  if (report.status == solvers::Status::infeasible) {
    fmt::print(
        "  no solution  a witness shows that it would need {:.1e} times the impulse the free velocity asks for\n",
        s.least_impulse);
  }
  if (!a.out.empty()) fmt::print("  written      {}\n", a.out);
  fmt::print("status: {}\n", to_string(report.status));
}

int run_solve(const SolveArguments& a) {
  Solved s = solve(a);
  if (!a.out.empty()) {
    s.problem.solution = s.recovered.candidate;
    fclib::write_problem(a.out, s.problem);
  }
  a.json ? print_json(to_json(a, s)) : print(a, s);
  switch (s.answer.report.status) {
    case solvers::Status::solved:
      return good;
    case solvers::Status::infeasible:
      return refused;
    default:
      return undecided;
  }
}

}  // namespace

Action add_solve(CLI::App& app) {
  auto* command = app.add_subcommand("solve", "solve one friction-contact problem (FCLIB file)");
  auto a = std::make_shared<SolveArguments>();
  command->add_option("problem", a->file, "FCLIB file (HDF5), or Siconos' ASCII form (.dat)")->required();
  command->add_option("--solver", a->solver, "name from: vinculum list solvers");
  command->add_option("--tol", a->tol, "tolerance of both errors, relative (default 1e-8)")
      ->check(number_from_zero(false));
  command->add_option("--iterations", a->iterations, "steps of the method before it gives up (default 40000)")
      ->check(count_from_one());
  command->add_option("--out", a->out, "write the problem with its solution (HDF5)");
  command->add_flag("--minimum-norm", a->minimum_norm, "of all impulses with the same velocity, the one of least norm");
  command->add_flag("--json", a->json, "one JSON object on standard output");
  command->footer(
      "Exit status: 0 solved, 1 shown to have no solution, 3 not solved (the best point is reported), 2 bad input.\n"
      "Example: vinculum solve problem.hdf5 --tol 1e-8 --out solved.hdf5");
  return [a] {
    if (!std::isfinite(a->tol)) throw base::InputError("--tol: found no finite number, expected one");
    return run_solve(*a);
  };
}

}  // namespace vinculum::cli
