// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What every method in contact space needs around it: unit-free variables, the best point so far, the budget, the
// verdict. A method is a class template
//   template <int Rows> struct Name { static constexpr std::string_view name; static constexpr bool rolling;
//                                     void run(ContactRun<Rows>&); };
// that counts its iterations and offers points to `judge`; FramedSolver makes an ExplicitSolver of it.
#pragma once

#include "vinculum/contact/certificate.hpp"
#include "vinculum/solvers/explicit_space.hpp"
#include "vinculum/solvers/solver.hpp"

#include <limits>
#include <string_view>
#include <type_traits>

namespace vinculum::solvers {

template <int Rows>
class ContactRun {
 public:
  static constexpr int stride = ContactSpace<Rows>::stride;
  using Errors = typename ContactSpace<Rows>::Errors;

  /// Scales the problem and the warm start, and judges the latter.
  void start(const contact::ExplicitProblem& given, const Settings& settings, const ExplicitSolution& solution,
             std::string_view whose = "warm start") {
    problem = &given;
    tol_ = settings.tol;
    budget_ = settings.max_iterations;
    iterations_ = gained_at_ = solutions = 0;
    matrix_ready_ = idle_ = refused_ = false;
    witness.clear();
    space.build(given);
    space.scale(solution.r, best_);
    const bool zero = !(square(best_) > 0);
    if (!zero) space.project(best_);
    zero ? void(u_ = space.q) : space.velocity(best_, u_);
    aim_ = kAim * tol_;
    judged_ = 0;
    best_error_ = gained_ = std::numeric_limits<double>::infinity();
    keep(best_, space.errors(best_, u_), whose);
    warm = solved();
    method_ = whose;
  }

  /// Unit-free error of the point P_K(r); the best point so far is kept. Projects r.
  double judge(std::vector<double>& r, std::string_view method) {
    space.project(r);
    space.velocity(r, u_);
    const Errors errors = space.errors(r, u_);
    keep(r, errors, method);
    return tol_ * errors.miss(kAim * tol_);
  }
  /// The same for an admissible point whose errors are known. The aim is a unit-free error a little below tol, so that
  /// FCLIB's is within tol as well; where it is not (masses far apart), the aim is a tenth from then on.
  void keep(const std::vector<double>& r, const Errors& errors, std::string_view method) {
    const double error = tol_ * errors.miss(aim_);
    if (error < best_error_) {
      best_error_ = error;
      judged_ = errors.judged;
      best_ = r;
      method_ = method;
    }
    for (; best_error_ <= tol_ && judged_ > tol_ && aim_ > kSharpest; aim_ *= 0.1) {
      best_error_ *= 10;
      gained_ *= 10;
    }
    if (best_error_ < 0.9 * gained_) {
      gained_ = best_error_;
      gained_at_ = iterations_;
    }
  }
  /// u = W r + q of the point judged last.
  const std::vector<double>& velocity() const { return u_; }

  /// One more iteration; false when the budget is out.
  bool next() { return iterations_ < budget_ && ++iterations_ > 0; }
  /// Iterations counted by a part of the method.
  void spend(int iterations) { iterations_ += iterations; }
  /// Sweeps where a Newton step is worth hundreds of them: ten count as one against the budget.
  void spend_sweeps(int sweeps) {
    iterations_ += sweeps;
    budget_ += sweeps - (sweeps + 9) / 10;
  }
  int left() const { return budget_ - iterations_; }
  int iterations() const { return iterations_; }
  int since_gain() const { return iterations_ - gained_at_; }  // iterations without 10 % gain
  bool solved() const { return best_error_ <= tol_; }
  double tol() const { return tol_; }
  double aim() const { return aim_; }  // unit-free error
  double best_error() const { return best_error_; }
  const std::vector<double>& best() const { return best_; }

  /// Progress that does not show in the error.
  void note_progress() { gained_at_ = iterations_; }
  /// The method sees no way on from here.
  void give_up() { idle_ = true; }
  /// The method is not made for this problem; `why` is static text.
  void refuse(std::string_view why) {
    refused_ = true;
    method_ = why;
  }

  ContactMatrix<Rows>& matrix(double most_flops = std::numeric_limits<double>::infinity()) {
    if (!matrix_ready_) matrix_.prepare(space, most_flops);
    matrix_ready_ = true;
    return matrix_;
  }

  void finish(const Settings& settings, ExplicitSolution& solution) {
    Report& report = solution.report;
    report = {};
    report.method = method_;
    report.iterations = iterations_;
    report.solutions = solutions;
    report.factorisations = matrix_ready_ ? matrix_.factorisations : 0;
    space.unscale(best_, solution.r);
    report.errors = contact::measure(*problem, solution.r, solution.u);
    report.status = meets_both(report.errors, settings.tol)   ? Status::solved
                    : refused_                                ? Status::inapplicable
                    : idle_ || since_gain() > iterations_ / 2 ? Status::stalled
                                                              : Status::exhausted;
    if (report.status != Status::stalled || witness.empty()) return;
    space.unscale(witness, solution.witness);
    const bool proved = contact::check_witness(*problem, solution.witness) >= contact::unreachable;
    proved ? void(report.status = Status::infeasible) : solution.witness.clear();
  }

  const contact::ExplicitProblem* problem = nullptr;
  ContactSpace<Rows> space;
  bool warm = false;            // the warm start meets the tolerance: nothing to do
  int solutions = 0;            // found, by methods that count them
  std::vector<double> witness;  // a proof that there is no solution, unit-free, by methods that find one

 private:
  static constexpr double kAim = 0.3, kSharpest = 1e-15;

  ContactMatrix<Rows> matrix_;
  std::vector<double> best_, u_;
  double tol_ = 0, aim_ = 0;
  double best_error_ = 0, judged_ = 0, gained_ = 0;  // the first and last in units of aim/tol
  int budget_ = 0, iterations_ = 0, gained_at_ = 0;
  bool matrix_ready_ = false, idle_ = false, refused_ = false;
  std::string_view method_;
};

template <template <int> class Method>
class FramedSolver final : public ExplicitSolver {
 public:
  void solve(const contact::ExplicitProblem& problem, const Settings& settings, ExplicitSolution& solution) override {
    problem.dimension == 5 ? rolling_.solve(problem, settings, solution) : coulomb_.solve(problem, settings, solution);
  }

 private:
  template <int Rows>
  struct Frame {
    ContactRun<Rows> run;
    Method<Rows> method;

    void solve(const contact::ExplicitProblem& problem, const Settings& settings, ExplicitSolution& solution) {
      run.start(problem, settings, solution);
      if (!run.warm) method.run(run);
      run.finish(settings, solution);
    }
  };
  struct NotRolling {
    ContactRun<5> run;
    void solve(const contact::ExplicitProblem& problem, const Settings& settings, ExplicitSolution& solution) {
      run.start(problem, settings, solution);
      if (!run.warm) run.refuse("not made for rolling friction");
      run.finish(settings, solution);
    }
  };

  Frame<3> coulomb_;
  std::conditional_t<Method<3>::rolling, Frame<Method<3>::rolling ? 5 : 3>, NotRolling> rolling_;
};

}  // namespace vinculum::solvers
