// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/principles/verdict.hpp"

#include "vinculum/principles/level_problem.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::principles {

using convex::SetPtr;
using potentials::Level;

std::string_view name(Principle principle) {
  constexpr std::string_view names[] = {"A", "J", "G", "Z"};
  return names[static_cast<std::size_t>(principle)];
}

std::string_view unit(Principle principle) {
  constexpr std::string_view units[] = {"J", "W", "W/s", "W/s"};
  return units[static_cast<std::size_t>(principle)];
}

std::string_view to_string(Status status) {
  constexpr std::string_view words[] = {"pass", "fail", "not-applicable", "not-regular", "impact-instant"};
  return words[static_cast<std::size_t>(status)];
}

namespace {

/// The distance of a generalised force R from Σ W_i C_i, C_i = −S_i, in the metric of M⁻¹:
///   min ½ (R − W λ)ᵀ M⁻¹ (R − W λ) over λ_i ∈ C_i.
struct Nearest {
  double distance = 0;
  VectorXd lambda;     // over all rows
  VectorXd direction;  // M⁻¹ (R − W λ), of size 1 in the metric of M
};

Nearest find_nearest(const parts::Lagrangian& part, const Instant& at, const std::vector<SetPtr>& sets,
                     const VectorXd& R, const Tolerances& tolerances) {
  Nearest best;
  const VectorXd no_offset = VectorXd::Zero(part.rows());
  const LevelProblem level = make_level_problem(part, at, sets, -R, no_offset, tolerances);
  VectorXd Lambda = VectorXd::Zero(level.problem.rows()), xi;
  SmallSolver().solve(level.problem, 1e-13, Lambda, xi);
  best.lambda = level.given;
  for (Eigen::Index r = 0; r < Lambda.size(); ++r) best.lambda[level.rows[static_cast<std::size_t>(r)]] = Lambda[r];
  const VectorXd rest = R - at.W * best.lambda, p = at.solve(rest);
  best.distance = std::sqrt(std::max(0.0, rest.dot(p)));
  best.direction = best.distance > 0 ? VectorXd(p / best.distance) : VectorXd(VectorXd::Zero(p.size()));
  return best;
}

/// The set of −λ_i that a principle allows law i.
SetPtr set_at(Principle level, const parts::RowLaw& law, const Instant& at, const VectorXd& gamma_dot,
              const Tolerances& tolerances) {
  const convex::Vec x = rows_of(law, at.x), u = rows_of(law, at.gamma);
  if (level == Principle::dalembert) return law.law->velocity_set(x, tolerances.gap);
  if (level == Principle::jourdain) return law.law->acceleration_set(x, u, tolerances);
  return law.law->reaction_set(x, u, rows_of(law, gamma_dot), tolerances);
}

std::vector<SetPtr> sets_at(Principle level, const parts::Lagrangian& part, const Instant& at,
                            const VectorXd& gamma_dot, const Tolerances& tolerances) {
  std::vector<SetPtr> sets;
  for (const parts::RowLaw& law : part.laws()) sets.push_back(set_at(level, law, at, gamma_dot, tolerances));
  return sets;
}

/// Index of the first law whose set is empty; −1: none.
int first_empty(const std::vector<SetPtr>& sets) {
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (sets[i] && sets[i]->empty()) return static_cast<int>(i);
  }
  return -1;
}

double size_of_forces(const Instant& at, const VectorXd& R) {
  return std::sqrt(std::max({R.dot(at.solve(R)), at.f.dot(at.solve(at.f)), at.h.dot(at.solve(at.h))}));
}

/// Φ_i(γ_i) + λ_i·γ_i summed over the laws, sets of the level above; +inf where γ is off the domain.
double gap_at(const parts::Lagrangian& part, const std::vector<SetPtr>& sets, const VectorXd& lambda,
              const VectorXd& rate, double tol) {
  double gap = 0;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    convex::Vec d = rows_of(part.laws()[i], rate);
    for (double& entry : d) entry = std::abs(entry) <= tol ? 0 : entry;
    const double support = sets[i]->support(d);
    gap += support + rows_of(part.laws()[i], lambda).dot(d);
  }
  return gap;
}

/// What keeps a principle from being asked; an empty text when nothing does.
std::string reason_against(Principle principle, const parts::Lagrangian& part, const Instant& at,
                           const Tolerances& tolerances, Status& status) {
  for (const parts::RowLaw& law : part.laws()) {
    if (!law.law->is_integrable()) {
      status = Status::not_applicable;
      return fmt::format("law \"{}\" has no potential", law.name);
    }
    if (principle == Principle::dalembert && law.law->level() == Level::velocity) {
      status = Status::not_applicable;
      return fmt::format("law \"{}\" lives on velocity level", law.name);
    }
    const auto standing = law.law->standing(rows_of(law, at.x), rows_of(law, at.gamma), tolerances);
    if (principle != Principle::dalembert && standing.state == potentials::State::impact && law.law->is_regular()) {
      status = Status::impact_instant;
      return fmt::format("law \"{}\" is closing: an impact is needed", law.name);
    }
  }
  return "";
}

/// A law that is not regular and has a choice here.
std::string non_regular(const parts::Lagrangian& part, const std::vector<SetPtr>& reservoirs) {
  for (std::size_t i = 0; i < reservoirs.size(); ++i) {
    if (!part.laws()[i].law->is_regular() && !reservoirs[i]->is_point()) {
      return fmt::format("law \"{}\" is not regular here", part.laws()[i].name);
    }
  }
  return "";
}

}  // namespace

Verdict check(Principle principle, const parts::Lagrangian& part, const Instant& at, const VectorXd& a,
              const Tolerances& tolerances, double relative) {
  Verdict verdict;
  verdict.principle = principle;
  verdict.direction = VectorXd::Zero(part.size());
  verdict.why = reason_against(principle, part, at, tolerances, verdict.status);
  if (!verdict.why.empty()) return verdict;

  const VectorXd R = at.M * a - at.h - at.f;  // what the laws must supply
  const VectorXd gamma_dot = at.W.transpose() * a + at.w;
  verdict.tolerance = relative * std::max(size_of_forces(at, R), 1e-300);
  const auto reservoirs = sets_at(Principle::dalembert, part, at, gamma_dot, tolerances);
  const Principle level = principle == Principle::least_constraint ? Principle::gauss : principle;
  const auto sets = sets_at(level, part, at, gamma_dot, tolerances);
  const int empty = first_empty(sets);
  if (empty >= 0) {
    verdict.residual = std::numeric_limits<double>::infinity();
    verdict.why = fmt::format("law \"{}\": no force is possible", part.laws()[static_cast<std::size_t>(empty)].name);
  } else {
    const Nearest nearest = find_nearest(part, at, sets, R, tolerances);
    verdict.residual = nearest.distance;
    verdict.direction = nearest.direction;
    verdict.holds = verdict.residual <= verdict.tolerance;
  }
  const Principle before = level == Principle::gauss ? Principle::jourdain : Principle::dalembert;
  const auto sets_before = sets_at(before, part, at, gamma_dot, tolerances);
  if (level != Principle::dalembert && first_empty(sets_before) < 0) {
    const VectorXd lambda = find_nearest(part, at, sets_before, R, tolerances).lambda;
    const bool gauss = level == Principle::gauss;
    verdict.fenchel_gap = gap_at(part, sets_before, lambda, gauss ? gamma_dot : at.gamma,
                                 gauss ? tolerances.acceleration : tolerances.rate);
  }
  if (principle == Principle::least_constraint && verdict.why.empty()) {
    const Accelerations best = least_constraint(part, at, tolerances);
    const VectorXd nothing = VectorXd::Zero(part.rows());
    const double Psi = gap_at(part, sets_before, nothing, gamma_dot, tolerances.acceleration);
    verdict.residual = std::max(0.0, 0.5 * a.dot(at.M * a) - (at.h + at.f).dot(a) + Psi - best.cost);
    verdict.direction = best.a - a;
    verdict.tolerance = relative * std::max(1e-300, std::abs(best.cost) + 0.5 * a.dot(at.M * a));
    verdict.holds = verdict.residual <= verdict.tolerance;
  }
  const std::string irregular = non_regular(part, reservoirs);
  verdict.status = !irregular.empty() ? Status::not_regular : verdict.holds ? Status::pass : Status::fail;
  if (!irregular.empty()) verdict.why = irregular;
  return verdict;
}

namespace {

Verdict check_rest(Principle level, const parts::Lagrangian& part, const Instant& at, double relative) {
  Verdict verdict;
  verdict.principle = level;
  const Tolerances tolerances = tolerances_of(at);
  verdict.direction = VectorXd::Zero(part.size());
  for (const parts::RowLaw& law : part.laws()) {
    if (law.law->is_integrable()) continue;
    verdict.why = fmt::format("law \"{}\" has no potential", law.name);
    return verdict;  // not applicable
  }
  const VectorXd nothing = VectorXd::Zero(part.rows());
  const auto sets = sets_at(level, part, at, nothing, tolerances);
  const VectorXd R = -(at.h + at.f);  // M a with a = 0
  verdict.tolerance = relative * std::max(size_of_forces(at, R), 1e-300);
  const Nearest nearest = find_nearest(part, at, sets, R, tolerances);
  verdict.residual = first_empty(sets) >= 0 ? std::numeric_limits<double>::infinity() : nearest.distance;
  verdict.direction = nearest.direction;
  verdict.holds = verdict.residual <= verdict.tolerance;
  verdict.status = verdict.holds ? Status::pass : Status::fail;
  return verdict;
}

}  // namespace

Verdict check_equilibrium(const parts::Lagrangian& part, double t, const VectorXd& q, double relative) {
  return check_rest(Principle::dalembert, part, make_instant(part, t, q, VectorXd::Zero(part.size())), relative);
}

Verdict check_steady(const parts::Lagrangian& part, double t, const VectorXd& q, const VectorXd& u, double relative) {
  return check_rest(Principle::jourdain, part, make_instant(part, t, q, u), relative);
}

bool check_equivalence(const potentials::Superpotential& law, const convex::Vec& x, const convex::Vec& u,
                       const convex::Vec& e) {
  const double here = law.derivative(x, e);
  const double at_u = law.acceleration_set(x, u)->support(e);
  double limit = -std::numeric_limits<double>::infinity();
  for (double t = 1e-6; t > 1e-9; t *= 0.5) limit = std::max(limit, law.derivative(convex::Vec(x + t * u), e));
  const double slack = 1e-5 * std::max(1.0, std::abs(at_u));
  return limit <= at_u + slack && at_u <= here + slack;
}

}  // namespace vinculum::principles
