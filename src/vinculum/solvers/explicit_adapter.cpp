// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Problems of bodies for solvers that want W written out: form, eliminate bonds, solve, put back, measure as given.
#include "vinculum/contact/certificate.hpp"
#include "vinculum/contact/friction_problem.hpp"
#include "vinculum/solvers/solver.hpp"

namespace vinculum::solvers {
namespace {

constexpr int kRounds = 5;  // each a tenth of the tolerance before

class Adapted final : public Solver {
 public:
  explicit Adapted(std::unique_ptr<ExplicitSolver> solver) : solver_(std::move(solver)) {}

  void solve(const contact::ContactProblem& problem, const Settings& settings, Solution& solution) override {
    const contact::FrictionProblem given = contact::make_local(problem);
    const contact::ExplicitProblem condensed = contact::condense(given, "contact problem");
    ExplicitSolution answer;
    for (std::size_t i = 0; i < problem.size(); ++i) {
      if (problem.law[i] == laws::Kind::bilateral) continue;
      for (int k = 0; k < 3; ++k) answer.r.push_back(solution.Lambda[i][k]);
    }
    // Errors of bodies also count against |c| alone, which asks for digits where impulses are large beside it.
    Settings part = settings;
    Report& report = solution.report;
    int iterations = 0, factorisations = 0;
    bool good = false;
    for (int round = 0; round < kRounds && !good; ++round, part.tol *= 0.1) {
      solver_->solve(condensed, part, answer);
      put_back(problem, contact::recover(given, answer.r, "contact problem").candidate, solution);
      report = answer.report;
      report.errors = contact::measure(problem, solution.Lambda, z_, solution.xi);
      iterations += report.iterations;
      factorisations += report.factorisations;
      good = meets(report.errors, settings.tol, settings.over_c);
      if (answer.report.status != Status::solved) break;
    }
    report.iterations = iterations;
    report.factorisations = factorisations;
    if (good) report.status = Status::solved;
    if (!good && report.status == Status::solved) report.status = Status::stalled;
    if (report.status == Status::infeasible) keep_witness(problem, answer.witness, solution);
  }

 private:
  // Without bonds the proof is the same; with bonds it lacks their part, and nothing is claimed.
  static void keep_witness(const contact::ContactProblem& problem, const std::vector<double>& y, Solution& solution) {
    solution.witness.assign(problem.size(), contact::Vec3::Zero());
    for (std::size_t i = 0; y.size() == 3 * problem.size() && i < problem.size(); ++i)
      solution.witness[i][0] = y[3 * i];
    if (contact::check_witness(problem, solution.witness) >= contact::unreachable) return;
    solution.witness.clear();
    solution.report.status = Status::stalled;
  }

  // Contacts in order, then the rows of bonds in use, as contact::make_local lays them out.
  static void put_back(const contact::ContactProblem& problem, const contact::Candidate& found, Solution& solution) {
    long at = 0, bond = 0;
    for (std::size_t i = 0; i < problem.size(); ++i) {
      solution.Lambda[i].setZero();
      const bool is_bond = problem.law[i] == laws::Kind::bilateral;
      for (int k = 0; k < 3; ++k) {
        if (!is_bond) {
          solution.Lambda[i][k] = found.r[at++];
        } else if (contact::uses_row(problem, i, k)) {
          solution.Lambda[i][k] = found.l[bond++];
        }
      }
    }
  }

  std::unique_ptr<ExplicitSolver> solver_;
  std::vector<double> z_;
};

}  // namespace

std::unique_ptr<Solver> adapt(std::unique_ptr<ExplicitSolver> solver) {
  return std::make_unique<Adapted>(std::move(solver));
}

}  // namespace vinculum::solvers
