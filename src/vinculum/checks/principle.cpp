// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/checks/principle.hpp"

#include <fmt/core.h>
#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace vinculum::checks {

using potentials::Level;

namespace {

std::string direction_text(const VectorXd& p) {
  const double size = p.norm();
  std::string text = "(";
  for (Eigen::Index i = 0; i < p.size(); ++i)
    text += fmt::format("{}{:.3g}", i ? ", " : "", size > 0 ? p[i] / size : 0);
  return text + ")";
}

/// Drift and directions at (q, u), and how much they change over the step.
struct Turning {
  VectorXd w;
  MatrixXd W;
  double slack = 0;  // of G and Z, an acceleration of the rows
};

Turning turning_of(const Coordinates& at) {
  Turning turning;
  VectorXd w_k, w_1;
  MatrixXd W_k, W_1;
  parts::Point point = at.part.make_point();
  auto look = [&](double t, const VectorXd& q, const VectorXd& u, VectorXd& w, MatrixXd& W) {
    at.part.set(t, q, u, point);
    at.part.drift(point, w);
    at.part.directions(point, W);
  };
  look(at.t, at.q_k, at.u_k, w_k, W_k);
  look(at.t + at.dt, at.q_1, at.u_1, w_1, W_1);
  look(at.t + 0.5 * at.dt, 0.5 * (at.q_k + at.q_1), at.u_mean, turning.w, turning.W);
  const double turn = (W_1 - W_k).norm() / std::max(W_k.norm(), 1e-300);
  const double a = (at.u_1 - at.u_k).norm() / at.dt * W_k.norm();
  turning.slack = (w_1 - w_k).norm() + turn * turn * (turning.w.norm() + a);
  return turning;
}

}  // namespace

PrincipleCheck::PrincipleCheck(Principle principle) : principle_(principle) {
  outcome.unit = principle == Principle::dalembert  ? "of the forces (work)"
                 : principle == Principle::jourdain ? "of the forces (power)"
                                                    : "of the accelerations (power/time)";
  outcome.why_not = "the scene has no Lagrangian part, or one that carries frames";
}

void PrincipleCheck::look(const Replay& step) {
  if (!step.coordinates) return;
  const Coordinates& at = *step.coordinates;
  if (!is_decided(outcome.status) && impacts_ == 0) outcome.why_not = "no law acted that has a choice";
  for (const parts::RowLaw& law : at.part.laws()) {
    if (principle_ == Principle::dalembert && law.law->level() == Level::velocity) {
      outcome.why_not = fmt::format("law \"{}\" lives on velocity level", law.name);
      return;
    }
    if (!law.law->is_integrable() && principle_ == Principle::least_constraint) {
      outcome.why_not = fmt::format("law \"{}\" has no potential", law.name);
      return;
    }
    if (!law.law->is_regular()) {
      outcome.status = Status::not_regular;
      outcome.why_not = fmt::format("law \"{}\" is not regular", law.name);
      return;
    }
  }
  const bool impact = std::any_of(at.laws.begin(), at.laws.end(), [](const LawView& view) {
    return view.law->role == parts::Role::contact && !view.closed;
  });
  if (impact) {
    ++impacts_;
    if (!is_decided(outcome.status)) {
      outcome.status = Status::impact_instant;
      outcome.why_not = "the laws acted at impact instants only";
    }
    return;
  }
  const Turning turning = turning_of(at);
  const Eigen::Index n = at.part.size();
  const VectorXd free = at.M.llt().solve(at.forces.head(n) + at.forces.segment(n, n) + at.forces.tail(n));
  const double acceleration = std::max(free.norm(), (at.u_1 - at.u_k).norm() / at.dt);
  largest_ = std::max({largest_, turning.W.norm() * acceleration, turning.w.norm()});
  for (const LawView& view : at.laws) look_at(at, view, turning.w, turning.W, turning.slack);
}

void PrincipleCheck::look_at(const Coordinates& at, const LawView& view, const VectorXd& w, const MatrixXd& W,
                             double slack) {
  const parts::RowLaw& law = *view.law;
  const Eigen::LLT<MatrixXd> factor(at.M);
  const VectorXd direction = factor.solve(at.W.col(law.first));
  const std::string where = fmt::format("{}, virtual direction {}", view.name, direction_text(direction));
  if (principle_ == Principle::dalembert) {
    double residual = view.distance / at.scale;
    if (law.role == parts::Role::contact && view.Lambda[0] > at.tol * at.scale * view.weight) {
      // A force needs a closed gap: how far the node is from it, in units of what counts as closed.
      residual = std::max(residual, at.tol * std::max(0.0, at.x_1[law.first]) / (view.closed_gap + at.tol * at.length));
    }
    note(residual, at.tol, at.t, where);
    return;
  }
  if (principle_ == Principle::jourdain) {
    note(view.defect.norm() / at.scale, at.tol, at.t, where);
    return;
  }
  // G and Z: laws that were free to choose. A given force has no choice; friction that slides has none left.
  const bool bond = law.role == parts::Role::bond;
  if (!bond && !view.closed && !view.sticks) return;
  const VectorXd a = (at.u_1 - at.u_k) / at.dt;
  const VectorXd gamma_dot = W.transpose() * a + w;
  const double scale = std::max(largest_, 1e-300);  // of the motion so far: a system at rest has none of its own
  double worst = 0, power = 0;
  for (int k = 0; k < law.rows; ++k) {
    const double g = gamma_dot[law.first + k], lambda = view.Lambda[k] / at.dt;
    const bool presses = bond || view.sticks || view.Lambda[0] > at.tol * at.scale * view.weight;
    worst = std::max(worst, presses ? std::abs(g) : std::max(0.0, -g));
    power += std::abs(lambda * g);
  }
  const double force = view.Lambda.norm() / at.dt;
  const double tolerance = 10 * at.tol + slack / scale;
  if (principle_ == Principle::gauss) {
    note(worst / scale, tolerance, at.t, where);
  } else {
    note(force > 0 ? power / (force * scale) : 0, tolerance, at.t, where);
  }
}

}  // namespace vinculum::checks
