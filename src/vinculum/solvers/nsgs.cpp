// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Nonsmooth Gauss-Seidel (Jean, Moreau) with the exact local solver, in body space, blocks in index order or by
// colours.
//   repeat: for every block i: r_i ← the answer of block i with the others held         sweep.hpp
// The first hundred sweeps are accelerated (anderson.hpp). The point is judged by contact::measure after 1, 2, 4, 8,
// ... sweeps; where the errors stop falling (stick-slip can cycle for ever) the best point is returned and says so.
#include "vinculum/solvers/anderson.hpp"
#include "vinculum/solvers/solver.hpp"
#include "vinculum/solvers/sweep.hpp"

#include <algorithm>

namespace vinculum::solvers {
namespace {

constexpr int kAccelerated = 100;  // sweeps with Anderson
constexpr int kFresh = 20;         // sweeps from one recomputation of z to the next: rounding does not accumulate
constexpr int kLongestInterval = 250;

class Nsgs final : public Solver {
 public:
  explicit Nsgs(Order order) : order_(order) {}
  void solve(const ContactProblem& problem, const Settings& settings, Solution& solution) override;

 private:
  bool judge(const ContactProblem& problem, double tol, int sweeps);

  Order order_;
  ScaledProblem scaled_;
  Sweeper sweeper_;
  Anderson anderson_;
  std::vector<Vec3> r_, before_, Lambda_, xi_, best_Lambda_, best_xi_;
  std::vector<double> z_;
  contact::Errors best_;
  int best_at_ = 0;    // sweep at which the best point was found
  int last_gain_ = 0;  // sweep at which the best error last fell by 10 %
  double gained_ = 0;
};

// Measures r; keeps it if it is the best so far. True when the problem is solved.
bool Nsgs::judge(const ContactProblem& problem, double tol, int sweeps) {
  scaled_.unscale(r_, Lambda_);
  const contact::Errors errors = contact::measure(problem, Lambda_, z_, xi_);
  if (best_at_ < 0 || errors.scaled < best_.scaled) {
    best_ = errors;
    best_at_ = sweeps;
    best_Lambda_.swap(Lambda_);
    best_xi_.swap(xi_);
    if (!(errors.scaled > 0.9 * gained_)) {
      gained_ = errors.scaled;
      last_gain_ = sweeps;
    }
  }
  return meets(best_, tol);
}

void Nsgs::solve(const ContactProblem& problem, const Settings& settings, Solution& solution) {
  const std::size_t n = problem.size();
  scaled_.build(problem);
  sweeper_.prepare(scaled_, order_);
  anderson_.reset(3 * n);
  scaled_.scale(solution.Lambda, r_);
  make_admissible(scaled_, r_);
  best_at_ = -1;
  last_gain_ = 0;
  gained_ = std::numeric_limits<double>::infinity();

  Report& report = solution.report;
  report = {};
  report.method = "warm start";
  bool done = judge(problem, settings.tol, 0) && (!settings.polish || best_.scaled == 0);
  bool fixed_point = false;
  int sweeps = 0, next_check = 1;
  while (!done && !fixed_point && sweeps < settings.max_iterations) {
    report.method = order_ == Order::coloured ? "nsgs_coloured" : "nsgs";
    const bool check = ++sweeps == next_check || sweeps == settings.max_iterations;
    if (sweeps % kFresh == 1 || check) sweeper_.start(r_);
    before_ = r_;
    const double change = sweeper_.sweep(r_);
    fixed_point = change <= 1e-32 * squared_norm(r_);
    if (check || fixed_point) {
      done = judge(problem, settings.tol, sweeps);
      next_check = sweeps + std::clamp(sweeps, 1, kLongestInterval);
    } else if (sweeps < kAccelerated) {
      sweeper_.accelerate(anderson_, before_, r_);
    }
  }
  solution.Lambda = best_Lambda_;
  solution.xi = best_xi_;
  report.iterations = sweeps;
  report.errors = best_;
  const bool idle = fixed_point || last_gain_ < sweeps / 2;
  report.status = done ? Status::solved : idle ? Status::stalled : Status::exhausted;
}

}  // namespace

std::unique_ptr<Solver> make_gauss_seidel(Order order) { return std::make_unique<Nsgs>(order); }
std::unique_ptr<Solver> make_nsgs() { return make_gauss_seidel(Order::index); }

}  // namespace vinculum::solvers
