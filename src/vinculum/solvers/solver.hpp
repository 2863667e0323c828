// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// problem -> Solution. Solvers know prox, not mechanics. Every solver returns the same report, whose errors are
// measured by contact::measure, not by the solver itself.
#pragma once

#include "vinculum/contact/explicit_problem.hpp"
#include "vinculum/contact/problem.hpp"

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace vinculum::solvers {

enum class Status : std::uint8_t {
  solved,        // within tol, see meets()
  stalled,       // no further gain; the best point is returned
  exhausted,     // the iteration budget ran out; the best point is returned
  infeasible,    // there is no solution, and `witness` proves it (contact/certificate.hpp)
  inapplicable,  // the method is not made for this problem; the warm start is returned
};
std::string_view to_string(Status status);

/// What "solved" means: the unit-free error within tol, and the laws hold to 0.1 % of the free velocity. The last keeps
/// contradictory bonds, whose impulses grow without end, from passing because the error is divided by |Λ|. The judged
/// error of FCLIB is reported beside it; it adds N s to m/s, and with light bodies asks for digits that mean nothing.
inline bool meets(const contact::Errors& errors, double tol, double over_c = 1e-3) {
  return errors.scaled <= tol && errors.over_c <= over_c;
}

struct Settings {
  double tol = 1e-8;
  double over_c = 1e-3;        // part of the free velocity to which the laws must hold besides
  int max_iterations = 10000;  // sweeps or Newton steps; a count, so that results do not depend on the clock
  bool same_matrix = false;    // only c and the warm start differ from the problem of the last call
  bool passing = false;        // solved again from this answer: its errors need not be measured
  bool moving = false;         // bodies move against each other: to a rough tolerance a warm start is not looked at
  bool polish = true;          // after reaching tol go on to round-off where that costs only a few factorisations
  bool certify = false;        // where not solved, look for a proof that there is no solution
  bool minimum_norm = false;   // among impulses that give the same velocity, return the one of least norm
};

struct Report {
  Status status = Status::solved;
  int iterations = 0;  // of the method that finished, all kinds added for a portfolio
  int factorisations = 0;
  int solutions = 0;          // found, by methods that look for all of them
  bool minimum_norm = false;  // the impulse is the one of least norm (on request)
  contact::Errors errors;
  // What finished: "warm start", "warm start, polished", "nsgs", "splitting", ... (static text)
  std::string_view method;
};

/// The method of a warm start that was good, but not at rest to round-off, and was brought there.
inline constexpr std::string_view polished_warm_start = "warm start, polished";

struct Solution {
  // In: the warm start (zeros for a cold one), sized by the caller; out: the answer.
  std::vector<contact::Vec3> Lambda;
  std::vector<contact::Vec3> xi;
  std::vector<contact::Vec3> witness;  // where infeasible
  Report report;
};

/// A solver with its scratch memory; no allocation while problems do not grow.
class Solver {
 public:
  virtual ~Solver() = default;
  virtual void solve(const contact::ContactProblem& problem, const Settings& settings, Solution& solution) = 0;
};

/// The answer to a problem written out in contact space.
struct ExplicitSolution {
  std::vector<double> r;  // in: the warm start (zeros for a cold one), sized by the caller; out: the answer
  std::vector<double> u;
  std::vector<double> witness;  // where infeasible
  Report report;
};

/// A solver of problems written out in contact space, W symmetric or not.
class ExplicitSolver {
 public:
  virtual ~ExplicitSolver() = default;
  virtual void solve(const contact::ExplicitProblem& problem, const Settings& settings, ExplicitSolution& solution) = 0;
};

/// For problems as given by others "solved" asks for both errors: FCLIB's own, and the unit-free one, because the
/// former is blind where W is tiny.
inline bool meets_both(const contact::Errors& errors, double tol, double over_c = 1e-3) {
  return errors.judged <= tol && errors.scaled <= tol && errors.over_c <= over_c;
}

struct SolverType {
  std::string_view name;
  std::string_view text;
  std::unique_ptr<Solver> (*make)();                   // problems of bodies, in factors
  std::unique_ptr<ExplicitSolver> (*make_explicit)();  // problems in contact space
  bool in_factors;  // problems of bodies are solved as they are, without allocating; else W is formed for them
};

/// A solver of contact-space problems, put to problems of bodies: W = J Jᵀ is formed, bonds are eliminated.
std::unique_ptr<Solver> adapt(std::unique_ptr<ExplicitSolver> solver);

/// In registry order. The first is the default; its identifier `automatic` is shown to users as "auto".
std::span<const SolverType> solver_types();
const SolverType* find_solver_type(std::string_view name);  // null when there is none

}  // namespace vinculum::solvers
