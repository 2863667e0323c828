// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Convex problems: augmented Lagrangian outside, semi-smooth Newton with line search inside. With r_i = κ rows / tr
// G_ii,
//   minimise  φ(η) = ½ ηᵀ G η + Σ (|z_i|² − |z_i − P_i(z_i)|²) / (2 r_i),    z = Λ_k − r (G η + c)
//   ∇φ = G F,  F = η − P(z);      Newton: (1 + D r G) dη = −F,  D a generalised derivative of P
// φ is convex and once differentiable, so that the line search makes Newton converge from anywhere; then Λ_{k+1} =
// P(η). The fixed point is exact for every κ, redundant laws (G singular) included; the error shrinks by 1/(1 + κ λ)
// per outer step for an eigenvalue λ of the scaled G, and κ grows.
//
// Not convex (friction coupled to its normal force): Newton on Λ = P(Λ − ρ ξ) of the proximal problem, Gauss–Seidel
// sweeps where it does not gain.
#include "vinculum/principles/small_problem.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::principles {

namespace {

constexpr int outer_steps = 60;
constexpr int inner_steps = 25;
constexpr int sweeps_between = 8;
constexpr double gain = 0.7;          // a Newton step must reduce |F| by this
constexpr double prox_weight = 1e-6;  // δ of the first attempt; larger where Newton fails
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

/// φ(η) and, in map_ and D_, F and D there.
double SmallSolver::lagrangian(const SmallProblem& problem, const Eigen::VectorXd& eta, double kappa) {
  xi_.noalias() = problem.G * eta;
  double value = 0.5 * eta.dot(xi_);
  xi_ += problem.c;
  Eigen::Index row = 0;
  for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
    const Block& block = problem.blocks[b];
    const double r = kappa * rho_[row];
    Vec3 z = Vec3::Zero();
    for (int i = 0; i < block.rows; ++i) z[i] = centre_[row + i] - r * xi_[row + i];
    const Vec3 P = block.project(z);
    for (int i = 0; i < block.rows; ++i) map_[row + i] = eta[row + i] - P[i];
    value += (P.dot(2 * z - P)) / (2 * r);
    D_[b] = block.derivative(z);
    row += block.rows;
  }
  return value;
}

/// step_ = −(1 + D r G)⁻¹ F.
bool SmallSolver::lagrangian_step(const SmallProblem& problem, double kappa) {
  const Eigen::Index n = problem.rows();
  Eigen::Index row = 0;
  for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
    const int rows = problem.blocks[b].rows;
    const double r = kappa * rho_[row];
    for (int i = 0; i < rows; ++i) {
      for (Eigen::Index j = 0; j < n; ++j) {
        double value = row + i == j ? 1 : 0;
        for (int k = 0; k < rows; ++k) value += D_[b](i, k) * r * problem.G(row + k, j);
        J_(row + i, j) = value;
      }
    }
    row += rows;
  }
  step_ = -map_;
  return eliminate();
}

/// Minimises φ from η = Λ_k; Λ becomes P(η).
void SmallSolver::augmented_step(const SmallProblem& problem, double kappa, Eigen::VectorXd& Lambda,
                                 SmallReport& report) {
  centre_ = Lambda;
  double value = lagrangian(problem, Lambda, kappa);
  for (int k = 0; k < 8 * inner_steps; ++k) {
    if (!lagrangian_step(problem, kappa)) break;
    ++report.newton_steps;
    gradient_.noalias() = problem.G * map_;
    const double slope = gradient_.dot(step_);
    if (!(slope < -1e-17 * std::abs(value))) {  // round-off: one last full step costs nothing
      Lambda += step_;
      break;
    }
    double t = 1, next = 0;
    for (int halving = 0; halving < 40; ++halving, t *= 0.5) {
      trial_ = Lambda + t * step_;
      next = lagrangian(problem, trial_, kappa);
      if (next <= value + 1e-4 * t * slope + 1e-15 * std::abs(value)) break;
    }
    Lambda.swap(trial_);
    const bool same = t == 1 && std::abs(next - value) <= 1e-16 * std::abs(value);
    value = next;
    if (same) break;
  }
  Eigen::Index row = 0;
  for (const Block& block : problem.blocks) {
    Vec3 y = Vec3::Zero();
    y.head(block.rows) = Lambda.segment(row, block.rows);
    Lambda.segment(row, block.rows) = block.project(y).head(block.rows);
    row += block.rows;
  }
}

SmallReport SmallSolver::solve(const SmallProblem& problem, double tol, Eigen::VectorXd& Lambda, Eigen::VectorXd& xi) {
  const Eigen::Index n = problem.rows();
  SmallReport report;
  gradient_.resize(n);
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
  const bool convex = problem.convex();
  double kappa = 1e5;
  int stalled = 0;
  best_ = Lambda;
  for (int outer = 0; convex && outer < outer_steps && map > round_off * scale(); ++outer) {
    augmented_step(problem, kappa, Lambda, report);
    delta_ = 0;
    const double now = natural_map(problem, Lambda);
    if (now < map || outer == 0) {
      best_ = Lambda;
      stalled = now > 0.5 * map ? stalled + 1 : 0;
      map = now;
    } else {
      ++stalled;
    }
    if (stalled > 3 && map <= tol * scale()) break;
    kappa = std::min(30 * kappa, 1e8);
  }
  if (convex && best_.size() == n && map > 0) Lambda = best_;
  for (int outer = 0; !convex && outer < outer_steps && map > round_off * scale(); ++outer) {
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
