// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/principles/instant.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>

namespace vinculum::principles {

namespace {

std::string list(const VectorXd& x) {
  std::string text = "(";
  for (Eigen::Index i = 0; i < x.size(); ++i) text += fmt::format("{}{:.6g}", i ? ", " : "", x[i]);
  return text + ")";
}

void demand_finite(const VectorXd& x, const char* what, double t) {
  if (x.allFinite()) return;
  throw base::InputError(
      fmt::format("lagrangian: found {} = {} at t = {:.6g} s, expected finite numbers", what, list(x), t));
}

double largest(const VectorXd& x) {
  double most = 0;
  for (const double value : x) {
    if (std::abs(value) > most) most = std::abs(value);  // rows without gap hold NaN
  }
  return most;
}

}  // namespace

// What elimination leaves of a diagonal entry is compared with the entry: units and unequal masses do not matter.
bool is_definite(const Eigen::LLT<MatrixXd>& factor, const MatrixXd& M) {
  if (factor.info() != Eigen::Success) return false;
  for (Eigen::Index i = 0; i < M.rows(); ++i) {
    const double pivot = factor.matrixLLT()(i, i);
    if (!(pivot * pivot > 1e-14 * M(i, i))) return false;
  }
  return true;
}

Instant make_instant(const parts::Lagrangian& part, double t, const VectorXd& q, const VectorXd& u) {
  Instant at;
  at.t = t, at.q = q, at.u = u;
  demand_finite(q, "q", t);
  demand_finite(u, "u", t);
  parts::Point point = part.make_point();
  part.set(t, q, u, point);
  part.mass(point, at.M);
  if (at.M.allFinite()) at.factor.compute(at.M);
  const double skew = (at.M - at.M.transpose()).norm();
  if (!at.M.allFinite() || skew > 1e-12 * at.M.norm() || !is_definite(at.factor, at.M)) {
    throw base::InputError(fmt::format(
        "lagrangian: found a mass matrix that is not symmetric positive definite at t = {:.6g} s, q = {}, expected one "
        "that is",
        t, list(q)));
  }
  VectorXd forces;
  part.forces(point, forces);
  demand_finite(forces, "h, -dU/dq, F", t);
  at.h = forces.head(part.size());
  at.f = forces.segment(part.size(), part.size()) + forces.tail(part.size());
  part.gaps(point, at.x);
  part.rates(point, at.gamma);
  part.directions(point, at.W);
  part.drift(point, at.w);
  demand_finite(at.gamma, "rates", t);
  demand_finite(at.w, "drift", t);
  return at;
}

Tolerances tolerances_of(const Instant& at, double relative) {
  const VectorXd free = at.solve(at.h + at.f);
  const double length = std::max({1.0, largest(at.q), largest(at.x)});
  const double rate = std::max(1.0, largest(at.u));
  const double acceleration = std::max({1.0, largest(free), largest(at.w)});
  return {relative * length, relative * rate, relative * acceleration};
}

convex::Vec rows_of(const parts::RowLaw& law, const VectorXd& all) { return all.segment(law.first, law.rows); }

ActiveSets find_active_sets(const parts::Lagrangian& part, const Instant& at, const Tolerances& tolerances) {
  ActiveSets sets;
  sets.tolerances = tolerances;
  for (std::size_t i = 0; i < part.laws().size(); ++i) {
    const parts::RowLaw& law = part.laws()[i];
    const auto standing = law.law->is_integrable()
                              ? law.law->standing(rows_of(law, at.x), rows_of(law, at.gamma), tolerances)
                              : potentials::Standing{potentials::State::active, nullptr};
    sets.standing.push_back(standing);
    const bool displacement = law.law->level() == potentials::Level::displacement;
    using potentials::State;
    if (displacement && standing.state != State::open && standing.state != State::penetration) {
      sets.I0.push_back(static_cast<int>(i));
      if (standing.state == State::active) sets.I1.push_back(static_cast<int>(i));
    }
  }
  return sets;
}

}  // namespace vinculum::principles
