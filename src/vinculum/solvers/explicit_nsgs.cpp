// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Nonsmooth Gauss-Seidel in contact space, contacts in index order (explicit_sweep.hpp); the first hundred sweeps are
// accelerated. Ends when both errors meet the tolerance or the budget is out; stick-slip can cycle for ever.
#include "vinculum/solvers/explicit_sweep.hpp"
#include "vinculum/solvers/solver.hpp"

#include <algorithm>

namespace vinculum::solvers {
namespace {

constexpr int kChunk = 20, kAccelerated = 100;

template <int Rows>
class Sweeps {
 public:
  explicit Sweeps(Order order) : order_(order) {}

  void solve(const contact::ExplicitProblem& problem, const Settings& settings, ExplicitSolution& solution) {
    Report& report = solution.report;
    report = {};
    report.method = "warm start";
    space_.build(problem);
    space_.scale(solution.r, r_);
    space_.project(r_);
    space_.velocity(r_, u_);
    best_ = r_;
    double error = space_.errors(r_, u_).steer(settings.tol);
    int best_at = 0;
    if (error > settings.tol) sweeper_.prepare(space_, order_);
    while (error > settings.tol && report.iterations < settings.max_iterations) {
      const int sweeps = std::min(kChunk, settings.max_iterations - report.iterations);
      if (report.iterations < kAccelerated) {
        report.iterations += sweeper_.run_chunk(sweeps, 0.01 * settings.tol, r_);
      } else {
        for (int k = 0; k < sweeps; ++k) sweeper_.sweep(r_);
        report.iterations += sweeps;
      }
      space_.velocity(r_, u_);
      const double now = space_.errors(r_, u_).steer(settings.tol);
      if (now < error) {
        if (now < 0.9 * error) best_at = report.iterations;
        error = now;
        best_ = r_;
        report.method = order_ == Order::coloured ? "nsgs_coloured" : "nsgs";
      }
    }
    space_.unscale(best_, solution.r);
    report.errors = contact::measure(problem, solution.r, solution.u);
    report.status = meets_both(report.errors, settings.tol) ? Status::solved
                    : best_at < report.iterations / 2       ? Status::stalled
                                                            : Status::exhausted;
  }

 private:
  Order order_;
  ContactSpace<Rows> space_;
  ContactSweeper<Rows> sweeper_;
  std::vector<double> r_, u_, best_;
};

class ExplicitNsgs final : public ExplicitSolver {
 public:
  explicit ExplicitNsgs(Order order) : coulomb_(order), rolling_(order) {}
  void solve(const contact::ExplicitProblem& problem, const Settings& settings, ExplicitSolution& solution) override {
    problem.dimension == 5 ? rolling_.solve(problem, settings, solution) : coulomb_.solve(problem, settings, solution);
  }

 private:
  Sweeps<3> coulomb_;
  Sweeps<5> rolling_;
};

}  // namespace

std::unique_ptr<ExplicitSolver> make_explicit_gauss_seidel(Order order) {
  return std::make_unique<ExplicitNsgs>(order);
}
std::unique_ptr<ExplicitSolver> make_explicit_nsgs() { return make_explicit_gauss_seidel(Order::index); }

}  // namespace vinculum::solvers
