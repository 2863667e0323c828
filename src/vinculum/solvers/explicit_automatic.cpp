// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// "auto" in contact space (theory/solving-friction.md 6). Stages, each from the best point so far, until both errors
// are within the tolerance:
//   cold: a few sweeps as the problem lies there; warm: start good?  →  chunks of sweeps, as long as they promise to
//   finish soon  →  where a factorisation is worth many sweeps: sweeps with long steps, then in turns with an interior
//   point and a few Newton steps  →  damped Newton, while it gains  →  interior point, handed to proximal Newton when
//   near  →  proximal Newton  →  interior point from far inside, likewise  →  paths, from three centres  →  proximal
//   Newton to the end of the budget
// Impulses that grow without end are asked for a certificate that there is no solution.
// One default for all problems; every constant is a pure number because variables are unit-free.
#include "vinculum/solvers/alart_curnier.hpp"
#include "vinculum/solvers/explicit_certificate.hpp"
#include "vinculum/solvers/explicit_glance.hpp"
#include "vinculum/solvers/explicit_interior.hpp"
#include "vinculum/solvers/explicit_newton.hpp"
#include "vinculum/solvers/explicit_path.hpp"
#include "vinculum/solvers/explicit_prox.hpp"
#include "vinculum/solvers/explicit_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::solvers {
namespace {

constexpr int kGlances = 2;                 // sweeps before anything is set up
constexpr int kChunk = 8;                   // sweeps
constexpr double kPatience = 40;            // further sweeps that may be predicted
constexpr int kNewtonPatience = 15;         // Newton steps without 10 % gain, some 5 sweeps each in cost
constexpr std::size_t kMany = 200;          // contacts
constexpr double kSweepFlops = 40;          // per block of W
constexpr double kBearable = 3e9;           // flops of a factorisation
constexpr double kWorth = 20, kDear = 150;  // sweeps that a factorisation is worth
constexpr int kLeapChunk = 10;              // sweeps
constexpr double kSlowChunk = 0.8;          // a chunk that leaves more of the error than this
constexpr double kFirstLeap = 10;           // factorisations
constexpr int kTurnSteps = 30, kTurnSweeps = 6000;
constexpr int kRounds = 150;  // of chunks and long steps without gain
constexpr int kInteriorSteps = 60;
constexpr int kPathSteps = 1500;
constexpr int kProxSteps = 2000, kFarSteps = 600;  // of proximal Newton, before and after another start
constexpr double kDiverging = 1e8;                 // |r'|² beyond which impulses may be growing without end
constexpr double kHandOver = 1e-5;                 // scaled error at which Newton takes over from the interior point

template <int Rows>
class Stages {
 public:
  void solve(const contact::ExplicitProblem& problem, const Settings& settings, int spent, ExplicitSolution& solution);

 private:
  bool offer(std::vector<double>& r, const typename ContactSpace<Rows>::Errors& errors, const char* method);
  bool sweep();
  bool leap(const std::vector<double>& from, double most);
  bool newton();
  bool interior(bool far, int newton_steps = kFarSteps);
  bool prox(const std::vector<double>& from, typename ContactProx<Rows>::Limits limits);
  bool contradicts() const { return largest_square_ > 0 && least_impulse(run_.space, largest_) >= kNoSolution; }
  double price();
  bool chain_of_sweeps(double price);
  void chain();

  ContactRun<Rows> run_;
  ContactSweeper<Rows> sweeper_;
  DampedNewton<Rows, AlartCurnier<Rows>> newton_;
  ContactProx<Rows> prox_;
  ContactInterior interior_;
  ContactPath<Rows> path_;
  std::vector<double> start_, r_, swept_, u_, largest_;
  double largest_square_ = 0;
};

// Keeps the point if it is the best, and if it is the largest.
template <int Rows>
bool Stages<Rows>::offer(std::vector<double>& r, const typename ContactSpace<Rows>::Errors& errors,
                         const char* method) {
  const double size = square(r);
  if (size > std::max(kDiverging, largest_square_) && std::isfinite(size)) {
    largest_square_ = size;
    largest_ = r;
  }
  run_.keep(r, errors, method);
  return run_.solved();
}

template <int Rows>
bool Stages<Rows>::sweep() {
  sweeper_.prepare(run_.space);
  r_ = run_.best();
  double last = run_.best_error();
  for (;;) {
    run_.spend(sweeper_.run_chunk(std::min(kChunk, run_.left()), 0.01 * run_.tol(), r_));
    run_.space.velocity(r_, u_);
    const auto errors = run_.space.errors(r_, u_);
    if (offer(r_, errors, "nsgs")) return true;
    const double error = run_.tol() * errors.miss(run_.aim());
    const double rate = std::log(last / error) / kChunk;  // per sweep
    if (run_.left() <= 0 || !(rate > 0) || std::log(error / run_.tol()) > kPatience * rate) return false;
    last = error;
  }
}

// Where factors are dear: sweeps, ten at a time while each ten leave less than 0.8 of the error, then a long step along
// the way they creep (decisions/heaps.md), until so many rounds have not brought the error down by a third.
template <int Rows>
bool Stages<Rows>::leap(const std::vector<double>& from, double most) {
  r_ = from;
  double gained = run_.best_error();
  const double until = run_.iterations() + most;
  auto open = [&] { return run_.iterations() < until && run_.left() > 0; };
  for (int since_gain = 0; since_gain < kRounds && open();) {
    for (double last = std::numeric_limits<double>::infinity(), error = 0; open(); last = error) {
      run_.spend_sweeps(sweeper_.run_chunk(kLeapChunk, 0, r_));
      run_.space.velocity(r_, u_);
      const auto errors = run_.space.errors(r_, u_);
      if (offer(r_, errors, "nsgs")) return true;
      error = errors.scaled;
      if (!(error <= kSlowChunk * last)) break;
    }
    since_gain = run_.best_error() < 0.67 * gained ? 0 : since_gain + 1;
    if (since_gain == 0) gained = run_.best_error();
    sweeper_.drift(kLeapChunk / 2, r_, swept_);
    run_.spend_sweeps(kLeapChunk);
    run_.space.velocity(swept_, u_);
    if (offer(swept_, run_.space.errors(swept_, u_), "nsgs")) return true;
    if (!(square(r_) < kDiverging * kDiverging)) return false;
  }
  return false;
}

// From the start as given. From zero every contact sticks at first, and 10 steps are the rule; from where a few sweeps
// lead it takes 50 or fails (seen on piles of capsules).
template <int Rows>
bool Stages<Rows>::newton() {
  AlartCurnier<Rows> law;
  newton_.start(run_, law, "newton_ac", start_, kNewtonPatience);
  return run_.solved();
}

template <int Rows>
bool Stages<Rows>::prox(const std::vector<double>& from, typename ContactProx<Rows>::Limits limits) {
  r_ = from;
  for (;;) {
    limits.aim = run_.aim();
    const auto outcome = prox_.run(run_.space, run_.matrix(), limits, r_);
    run_.spend(outcome.newton_steps);
    if (outcome.idle) run_.give_up();
    if (offer(r_, outcome.errors, "prox_newton")) return true;
    limits.newton_steps -= outcome.newton_steps;
    limits.alpha = outcome.alpha;
    if (!outcome.reached || limits.newton_steps <= 0) return false;  // else the aim has become sharper
  }
}

// Hands over at 1e-5; where Newton then fails the interior point goes on to 1e-6, 1e-7 ... From the best point, or from
// far inside.
template <int Rows>
bool Stages<Rows>::interior(bool far, int newton_steps) {
  if constexpr (Rows == 3) {
    r_ = run_.best();
    if (far) std::fill(r_.begin(), r_.end(), 0.0);
    interior_.start(run_.space, run_.matrix(), r_, far);
    int steps = kInteriorSteps;
    for (double target = kHandOver; target > 1e-14 && steps > 0 && run_.left() > 0; target *= 0.1) {
      const ContactInterior::Outcome outcome = interior_.run(target, std::min(steps, run_.left()), r_);
      steps -= outcome.steps;
      run_.spend(outcome.steps);
      run_.space.velocity(r_, u_);
      if (offer(r_, run_.space.errors(r_, u_), "interior point")) return true;
      if (!outcome.reached && !far) return false;
      typename ContactProx<Rows>::Limits limits;
      limits.alpha = 1e-3;
      limits.outer = outcome.reached ? 6 : 100;
      limits.failures = outcome.reached ? 2 : 100;
      limits.newton_steps = std::min(run_.left(), newton_steps);
      const std::vector<double> near = r_;
      if (prox(near, limits)) return true;
      if (!outcome.reached) return false;
    }
  }
  return false;
}

template <int Rows>
void Stages<Rows>::chain() {
  if (newton() || interior(false) || contradicts()) return;
  typename ContactProx<Rows>::Limits limits;
  limits.newton_steps = std::min(run_.left(), kProxSteps);
  if (prox(run_.best(), limits) || interior(true)) return;
  path_.follow(run_, kPathSteps);
  if (run_.solved()) return;
  limits.newton_steps = run_.left();
  prox(run_.best(), limits);
}

// How many sweeps a factorisation is worth; 0 in small problems, where it costs nothing, ∞ where there can be none.
template <int Rows>
double Stages<Rows>::price() {
  const double blocks = static_cast<double>(run_.space.column.size());
  return run_.space.size() < kMany ? 0.0 : run_.matrix(kBearable).flops() / (kSweepFlops * blocks);
}

// Wedged bodies in numbers: long steps, from the best point and from far inside (portfolio_factors.cpp, from_inside),
// and a few Newton steps now and then.
template <int Rows>
bool Stages<Rows>::chain_of_sweeps(double price) {
  if (leap(run_.best(), kFirstLeap * price)) return true;
  if (!std::isfinite(price)) return false;
  if (interior(false, kTurnSteps) || contradicts() || interior(true, kTurnSteps)) return true;
  typename ContactProx<Rows>::Limits limits;
  limits.alpha = 1e-2;
  limits.newton_steps = kTurnSteps;
  std::vector<double> from = r_;
  for (int since_gain = 0; since_gain < 3 && run_.left() > 0;) {
    const double last = run_.best_error();
    if (leap(from, kTurnSweeps)) return true;
    from = r_;
    if (prox(run_.best(), limits)) return true;
    if (run_.best_error() < 0.5 * last) from = run_.best();
    since_gain = run_.best_error() < 0.67 * last ? 0 : since_gain + 1;
  }
  return false;
}

template <int Rows>
void Stages<Rows>::solve(const contact::ExplicitProblem& problem, const Settings& settings, int spent,
                         ExplicitSolution& solution) {
  largest_square_ = 0;
  run_.start(problem, settings, solution, spent > 0 ? "nsgs" : "warm start");
  run_.spend(spent);
  start_ = run_.best();
  if (spent > 0) std::fill(start_.begin(), start_.end(), 0.0);
  if (!run_.warm && !sweep()) {
    const double sweeps = price();
    const bool done = sweeps > kWorth && chain_of_sweeps(sweeps);
    if (!done && sweeps < kDear) chain();
  }
  if (!run_.solved() && contradicts()) {
    witness_along<Rows>(largest_, run_.witness);
    run_.give_up();
  }
  run_.finish(settings, solution);
  if (solution.report.status == Status::infeasible) solution.report.method = "certificate";
}

class ExplicitAutomatic final : public ExplicitSolver {
 public:
  void solve(const contact::ExplicitProblem& problem, const Settings& settings, ExplicitSolution& solution) override {
    const bool cold = std::all_of(solution.r.begin(), solution.r.end(), [](double x) { return x == 0; });
    Glance first;
    if (cold) first = glance(problem, std::min(kGlances, settings.max_iterations), 0.1 * settings.tol, solution.r);
    if (first.still && finished(problem, settings, first.sweeps, solution)) return;
    problem.dimension == 5 ? stages(rolling_).solve(problem, settings, first.sweeps, solution)
                           : stages(coulomb_).solve(problem, settings, first.sweeps, solution);
  }

 private:
  static bool finished(const contact::ExplicitProblem& problem, const Settings& settings, int sweeps,
                       ExplicitSolution& solution) {
    Report report;
    report.errors = contact::measure(problem, solution.r, solution.u);
    if (!meets_both(report.errors, settings.tol)) return false;
    const bool zero = std::all_of(solution.r.begin(), solution.r.end(), [](double x) { return x == 0; });
    report.method = zero ? "warm start" : "nsgs";
    report.iterations = zero ? 0 : sweeps;
    solution.report = report;
    return true;
  }

  // Made when first needed: a problem solved at a glance needs none of it.
  template <int Rows>
  static Stages<Rows>& stages(std::unique_ptr<Stages<Rows>>& held) {
    if (!held) held = std::make_unique<Stages<Rows>>();
    return *held;
  }

  std::unique_ptr<Stages<3>> coulomb_;
  std::unique_ptr<Stages<5>> rolling_;
};

}  // namespace

std::unique_ptr<ExplicitSolver> make_explicit_automatic() { return std::make_unique<ExplicitAutomatic>(); }

}  // namespace vinculum::solvers
