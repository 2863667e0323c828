// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Outer: Λ ← the answer with G + δ R⁻¹ and c − δ R⁻¹ Λ_k, R = diag ρ, ρ_i = rows / tr G_ii. The fixed point is exact for every
// δ; where G is singular (redundant laws) δ makes the inner problem strongly convex. For an eigenvalue λ of R G the
// error shrinks by δ/(λ + δ) per outer step.
// Inner: F(Λ) = Λ − P(Λ − ρ ξ) = 0 by Newton,  J = 1 − D (1 − R (G + δ R⁻¹)),  D a generalised derivative of P.
#include "vinculum/principles/small_problem.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::principles {

namespace {

constexpr int outer_steps = 60;
constexpr int inner_steps = 25;
constexpr int sweeps_between = 8;
constexpr double gain = 0.7;           // a Newton step must reduce |F| by this
constexpr double prox_weight = 1e-6;   // δ of the first attempt; larger where Newton fails
constexpr double prox_largest = 1e-1;

}  // namespace

/// map_ = F(Λ) of the proximal problem; D_ the derivatives. Returns |F| in units of energy^(1/2).
double SmallSolver::natural_map(const SmallProblem& problem, const Eigen::VectorXd& Lambda) {
  xi_.noalias() = problem.G * Lambda;
  xi_ += problem.c;
  double sum = 0;
  Eigen::Index row = 0;
  for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
    const Block& block = problem.blocks[b];
    Vec3 y = Vec3::Zero();
    for (int i = 0; i < block.rows; ++i) {
      const Eigen::Index r = row + i;
      y[i] = Lambda[r] - rho_[r] * xi_[r] - delta_ * (Lambda[r] - centre_[r]);
    }
    const Vec3 P = block.project(y);
    for (int i = 0; i < block.rows; ++i) {
      const Eigen::Index r = row + i;
      map_[r] = Lambda[r] - P[i];
      sum += map_[r] * map_[r] * weight_[r];
    }
    D_[b] = block.derivative(y);
    row += block.rows;
  }
  return std::sqrt(sum);
}

/// Gaussian elimination with row pivoting on [J | step]; false when singular.
bool SmallSolver::eliminate() {
  const Eigen::Index n = step_.size();
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::Index pivot = k;
    for (Eigen::Index i = k + 1; i < n; ++i) {
      if (std::abs(J_(i, k)) > std::abs(J_(pivot, k))) pivot = i;
    }
    if (!(std::abs(J_(pivot, k)) > 1e-300)) return false;
    if (pivot != k) {
      for (Eigen::Index j = k; j < n; ++j) std::swap(J_(k, j), J_(pivot, j));
      std::swap(step_[k], step_[pivot]);
    }
    for (Eigen::Index i = k + 1; i < n; ++i) {
      const double factor = J_(i, k) / J_(k, k);
      if (factor == 0) continue;
      for (Eigen::Index j = k + 1; j < n; ++j) J_(i, j) -= factor * J_(k, j);
      step_[i] -= factor * step_[k];
    }
  }
  for (Eigen::Index k = n - 1; k >= 0; --k) {
    for (Eigen::Index j = k + 1; j < n; ++j) step_[k] -= J_(k, j) * step_[j];
    step_[k] /= J_(k, k);
  }
  return step_.allFinite();
}

/// trial_ = Λ + the Newton step from the last natural_map.
bool SmallSolver::newton_step(const SmallProblem& problem, const Eigen::VectorXd& Lambda) {
  const Eigen::Index n = Lambda.size();
  Eigen::Index row = 0;
  for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
    const int rows = problem.blocks[b].rows;
    for (int i = 0; i < rows; ++i) {
      for (Eigen::Index j = 0; j < n; ++j) {
        double value = row + i == j ? 1 : 0;
        for (int k = 0; k < rows; ++k) {
          const double identity = row + k == j ? 1 - delta_ : 0;
          value -= D_[b](i, k) * (identity - rho_[row + k] * problem.G(row + k, j));
        }
        J_(row + i, j) = value;
      }
    }
    row += rows;
  }
  step_ = -map_;
  if (!eliminate()) return false;
  trial_ = Lambda + step_;
  return true;
}

/// Λ_i ← P(Λ_i − ρ_i ξ_i / rows), block after block.
void SmallSolver::sweep(const SmallProblem& problem, Eigen::VectorXd& Lambda) {
  Eigen::Index row = 0;
  for (const Block& block : problem.blocks) {
    Vec3 y = Vec3::Zero();
    for (int i = 0; i < block.rows; ++i) {
      const Eigen::Index r = row + i;
      const double xi = problem.G.row(r).dot(Lambda) + problem.c[r];
      y[i] = Lambda[r] - (rho_[r] * xi + delta_ * (Lambda[r] - centre_[r])) / block.rows;
    }
    Lambda.segment(row, block.rows) = block.project(y).head(block.rows);
    row += block.rows;
  }
}

SmallReport SmallSolver::solve(const SmallProblem& problem, double tol, Eigen::VectorXd& Lambda, Eigen::VectorXd& xi) {
  const Eigen::Index n = problem.rows();
  SmallReport report;
  rho_.resize(n), weight_.resize(n), xi_.resize(n), map_.resize(n), step_.resize(n), trial_.resize(n), J_.resize(n, n);
  D_.resize(problem.blocks.size());
  Eigen::Index row = 0;
  double free = 0;
  for (const Block& block : problem.blocks) {
    double stiffness = 0;
    for (int i = 0; i < block.rows; ++i) stiffness += problem.G(row + i, row + i) / block.rows;
    for (int i = 0; i < block.rows; ++i) {
      rho_[row + i] = stiffness > 0 ? 1 / stiffness : 1;
      weight_[row + i] = stiffness > 0 ? stiffness : 1;
      free += problem.c[row + i] * problem.c[row + i] * rho_[row + i];
    }
    row += block.rows;
  }
  delta_ = 0;
  centre_ = Lambda;
  double map = natural_map(problem, Lambda);
  double delta = prox_weight;
  auto scale = [&] {
    double sum = 0;
    for (Eigen::Index r = 0; r < n; ++r) sum += Lambda[r] * Lambda[r] * weight_[r];
    return std::max({std::sqrt(free), std::sqrt(sum), 1e-300});
  };
  constexpr double round_off = 4e-16;
  for (int outer = 0; outer < outer_steps && map > round_off * scale(); ++outer) {
    const double before = map;
    centre_ = Lambda;
    delta_ = delta;
    double inner = natural_map(problem, Lambda);
    bool newton_failed = false;
    for (int k = 0; k < inner_steps && inner > round_off * scale(); ++k) {
      bool gained = false;
      if (newton_step(problem, Lambda)) {
        ++report.newton_steps;
        const double next = natural_map(problem, trial_);
        if (next <= gain * inner) {
          Lambda.swap(trial_);
          inner = next;
          gained = true;
        } else if (inner <= 1e-13 * scale()) {
          break;  // round-off reached
        }
      }
      if (gained) continue;
      newton_failed = true;
      for (int s = 0; s < sweeps_between; ++s) sweep(problem, Lambda);
      report.sweeps += sweeps_between;
      inner = natural_map(problem, Lambda);
    }
    delta_ = 0;
    map = natural_map(problem, Lambda);
    if (newton_failed) delta = std::min(10 * delta, prox_largest);
    if (map <= std::min(tol, 1e-13) * scale() && map > 0.5 * before) break;
    if (outer > 20 && map <= tol * scale()) break;
  }
  xi.noalias() = problem.G * Lambda;
  xi += problem.c;
  report.residual = map / scale();
  report.solved = report.residual <= tol;
  return report;
}

}  // namespace vinculum::principles
