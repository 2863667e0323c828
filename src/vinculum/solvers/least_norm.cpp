// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/least_norm.hpp"

#include "vinculum/laws/coulomb.hpp"

#include <Eigen/Dense>
#include <cmath>

namespace vinculum::solvers {
namespace {

using contact::Vec3;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kSteps = 50000;
constexpr double kStill = 1e-13;  // relative change at which the iteration ends

struct Set {
  enum class Kind : unsigned char { zero, ray, cone, space } kind = Kind::zero;
  double mu = 0;
  Vec3 direction = Vec3::Zero();  // of the ray, unit

  Vec3 project(const Vec3& x) const {
    switch (kind) {
      case Kind::zero:
        return Vec3::Zero();
      case Kind::ray:
        return std::max(0.0, direction.dot(x)) * direction;
      case Kind::cone:
        return laws::project_cone(x, mu);
      case Kind::space:
        return x;
    }
    return x;
  }
};

// C_i at the velocity u; below `small` it counts as zero.
Set set_at(const Vec3& u, double mu, double small) {
  Set set;
  set.mu = mu;
  if (u[0] > small) return set;
  const double slip = std::hypot(u[1], u[2]);
  if (mu > 0 && slip <= small) {
    set.kind = Set::Kind::cone;
  } else {
    set.kind = Set::Kind::ray;
    set.direction = Vec3(1, 0, 0);
    if (mu > 0) set.direction -= mu / slip * Vec3(0, u[1], u[2]);
    set.direction.normalize();
  }
  return set;
}

// Least norm in { r : Bᵀ r = Bᵀ r* } ∩ Π C_i. Q: an orthonormal basis of the range of B.
VectorXd solve_least_norm(const MatrixXd& B, const VectorXd& r_star, const std::vector<Set>& sets) {
  Eigen::ColPivHouseholderQR<MatrixXd> qr(B);
  qr.setThreshold(1e-11);
  const MatrixXd Q = qr.householderQ() * MatrixXd::Identity(B.rows(), qr.rank());
  const VectorXd kept = Q.transpose() * r_star;
  VectorXd z = r_star, w = VectorXd::Zero(z.size()), r(z.size()), last;
  for (int step = 0; step < kSteps; ++step) {
    // ½|r|² + ½|r − z + w|² in the affine space: half of z − w, with the fixed part put in.
    r = 0.5 * (z - w);
    r += Q * (kept - Q.transpose() * r);
    last = z;
    w += r;
    for (std::size_t i = 0; i < sets.size(); ++i) {
      z.segment<3>(3 * static_cast<long>(i)) = sets[i].project(w.segment<3>(3 * static_cast<long>(i)));
    }
    w -= z;
    const double size = kStill * r_star.norm();
    if ((r - z).norm() <= size && (z - last).norm() <= size) break;
  }
  return z;
}

}  // namespace

void minimise_norm(const contact::ExplicitProblem& problem, const Settings& settings, ExplicitSolution& solution) {
  const std::size_t n = problem.size(), d = static_cast<std::size_t>(problem.dimension);
  if (d == 5 || n == 0 || 3 * n > most_numbers) return;
  MatrixXd B = MatrixXd::Zero(static_cast<long>(3 * n), static_cast<long>(3 * n));
  VectorXd r = VectorXd::Zero(static_cast<long>(3 * n));
  VectorXd scale = VectorXd::Ones(static_cast<long>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < d; ++k) r[static_cast<long>(3 * i + k)] = solution.r[d * i + k];
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
      const auto j = static_cast<std::size_t>(problem.column[e]);
      double trace = 0;
      for (std::size_t a = 0; a < d; ++a) {
        for (std::size_t b = 0; b < d; ++b) {
          B(static_cast<long>(3 * j + b), static_cast<long>(3 * i + a)) = problem.block(e)[a * d + b];
        }
        trace += problem.block(e)[a * d + a];
      }
      if (j == i && trace > 0) scale[static_cast<long>(i)] = std::sqrt(static_cast<double>(d) / trace);
    }
  }
  double size = 0;
  for (std::size_t k = 0; k < n * d; ++k) {
    const double s = scale[static_cast<long>(k / d)];
    size = std::max({size, s * std::abs(problem.q[k]), s * std::abs(solution.u[k]), std::abs(solution.r[k]) / s});
  }
  std::vector<Set> sets(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double s = scale[static_cast<long>(i)];
    const Vec3 u(solution.u[d * i], solution.u[d * i + 1], d == 3 ? solution.u[d * i + 2] : 0.0);
    sets[i] = set_at(s * u, problem.mu[i], 0.1 * settings.tol * size);
  }
  const VectorXd least = solve_least_norm(B, r, sets);
  std::vector<double> candidate(n * d), u;
  for (std::size_t k = 0; k < n * d; ++k) candidate[k] = least[static_cast<long>(3 * (k / d) + k % d)];
  const contact::Errors errors = contact::measure(problem, candidate, u);
  if (!meets_both(errors, settings.tol)) return;
  solution.r = std::move(candidate);
  solution.u = std::move(u);
  solution.report.errors = errors;
  solution.report.minimum_norm = true;
}

void minimise_norm(const contact::ContactProblem& problem, const Settings& settings, Solution& solution) {
  const std::size_t n = problem.size();
  if (n == 0 || 3 * n > most_numbers) return;
  MatrixXd B = MatrixXd::Zero(static_cast<long>(3 * n), 6 * static_cast<long>(problem.nodes));
  VectorXd r(static_cast<long>(3 * n));
  std::vector<double> scale(n, 1.0);
  double size = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double trace = 0;
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
      B.block<3, 6>(static_cast<long>(3 * i), 6 * problem.node[e]) = problem.J[e];
      trace += problem.J[e].squaredNorm();
    }
    r.segment<3>(static_cast<long>(3 * i)) = solution.Lambda[i];
    if (trace > 0) scale[i] = std::sqrt(3 / trace);
    size = std::max(
        {size, scale[i] * problem.c[i].norm(), scale[i] * solution.xi[i].norm(), solution.Lambda[i].norm() / scale[i]});
  }
  std::vector<Set> sets(n);
  for (std::size_t i = 0; i < n; ++i) {
    const bool coulomb = problem.law[i] == laws::Kind::coulomb;
    sets[i] = set_at(scale[i] * solution.xi[i], coulomb ? problem.mu[i] : 0.0, 0.1 * settings.tol * size);
    if (problem.law[i] == laws::Kind::bilateral) sets[i].kind = Set::Kind::space;
  }
  const VectorXd least = solve_least_norm(B, r, sets);
  std::vector<Vec3> candidate(n), xi;
  for (std::size_t i = 0; i < n; ++i) candidate[i] = least.segment<3>(static_cast<long>(3 * i));
  std::vector<double> z;
  const contact::Errors errors = contact::measure(problem, candidate, z, xi);
  if (!meets(errors, settings.tol, settings.over_c)) return;
  solution.Lambda = std::move(candidate);
  solution.xi = std::move(xi);
  solution.report.errors = errors;
  solution.report.minimum_norm = true;
}

}  // namespace vinculum::solvers
