// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/sweep.hpp"

#include "vinculum/solvers/kernels.hpp"

#include <algorithm>

namespace vinculum::solvers {
namespace {

constexpr int kSlipSteps = 2;  // Newton steps on λ in one sweep, once it is known

}  // namespace

void Sweeper::prepare(const ScaledProblem& scaled, Order order) {
  scaled_ = &scaled;
  order_ = order;
  if (order == Order::coloured) colouring_.colour_by_nodes(*scaled.problem);
  const std::size_t n = scaled.size();
  A_.resize(n);
  coulomb_.resize(n);
  slip_.resize(n);
  std::fill(slip_.begin(), slip_.end(), 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    A_[i].setZero();
    for (int e = scaled.begin(i); e < scaled.end(i); ++e) {
      const Eigen::Map<const contact::JBlock> J(scaled.J_entry(e));
      A_[i].noalias() += J.lazyProduct(J.transpose());
    }
    if (scaled.problem->law[i] == laws::Kind::coulomb) coulomb_[i] = laws::make_coulomb_block(A_[i]);
  }
}

void Sweeper::start(std::vector<Vec3>& r) { scaled_->impulse_to_nodes(r, z_); }

// Coulomb blocks, the bulk of every problem, skip the virtual call and keep their λ.
inline Vec3 Sweeper::solve_block(std::size_t i, const Vec3& b, const Vec3& guess) {
  const double mu = scaled_->mu[i];
  if (scaled_->problem->law[i] == laws::Kind::coulomb) {
    if (coulomb_[i].round) return laws::solve_round_block(coulomb_[i], b, mu);
    return laws::solve_coulomb_block(coulomb_[i], b, mu, slip_[i], slip_[i] > 0 ? kSlipSteps : 100);
  }
  return scaled_->law[i]->solve_local(A_[i], b, mu, guess);
}

// Λ ← max(0, Λ − ξ/A): one row, nothing else is read. Returns ΔΛ².
double Sweeper::sweep_unilateral(std::size_t i, double& Lambda) {
  const int begin = scaled_->begin(i), end = scaled_->end(i);
  const double A = A_[i](0, 0);
  if (!(A > 0)) {
    Lambda = 0;  // it cannot move and takes no impulse
    return 0;
  }
  RowSums sums;
  for (int e = begin; e < end; ++e) sums.add_row(scaled_->J_entry(e), z_.data() + 6 * scaled_->node(e));
  const double b = scaled_->c[i][0] + sums.row0() - A * Lambda;
  const double next = b < 0 ? -b / A : 0.0, step = next - Lambda;
  if (step == 0) return 0;
  for (int e = begin; e < end; ++e) {
    add_transposed_row(scaled_->J_entry(e), step, z_.data() + 6 * scaled_->node(e));
  }
  Lambda = next;
  return step * step;
}

// Returns |Δr_i|².
inline double Sweeper::sweep_block(std::size_t i, Vec3& r) {
  if (scaled_->problem->law[i] == laws::Kind::unilateral) return sweep_unilateral(i, r[0]);
  const int begin = scaled_->begin(i), end = scaled_->end(i);
  RowSums sums;
  for (int e = begin; e < end; ++e) sums.add(scaled_->J_entry(e), z_.data() + 6 * scaled_->node(e));
  const Vec3& c = scaled_->c[i];
  const laws::Mat3& A = A_[i];
  const Vec3 b(c[0] + sums.row0() - (A(0, 0) * r[0] + A(0, 1) * r[1] + A(0, 2) * r[2]),
               c[1] + sums.row1() - (A(1, 0) * r[0] + A(1, 1) * r[1] + A(1, 2) * r[2]),
               c[2] + sums.row2() - (A(2, 0) * r[0] + A(2, 1) * r[1] + A(2, 2) * r[2]));
  const Vec3 next = solve_block(i, b, r);
  const Vec3 step = next - r;
  if (step[0] == 0 && step[1] == 0 && step[2] == 0) return 0;
  for (int e = begin; e < end; ++e) {
    add_transposed(scaled_->J_entry(e), step[0], step[1], step[2], z_.data() + 6 * scaled_->node(e));
  }
  r = next;
  return step.squaredNorm();
}

double Sweeper::sweep(std::vector<Vec3>& r) {
  if (order_ == Order::coloured) {
    return colouring_.sweep([&](std::size_t i) { return sweep_block(i, r[i]); });
  }
  double change = 0;
  for (std::size_t i = 0; i < r.size(); ++i) change += sweep_block(i, r[i]);
  return change;
}

void Sweeper::accelerate(Anderson& anderson, const std::vector<Vec3>& before, std::vector<Vec3>& r) {
  anderson.accelerate(before, r, z_);
  for (std::size_t i = 0; i < r.size(); ++i) {
    const double mu = scaled_->mu[i], radius = mu * r[i][0];
    const bool inside = r[i][0] >= 0 && r[i][1] * r[i][1] + r[i][2] * r[i][2] <= radius * radius;
    if (inside && scaled_->problem->law[i] == laws::Kind::coulomb) continue;  // most of them
    const Vec3 next = scaled_->law[i]->project(r[i], mu), step = next - r[i];
    r[i] = next;
    if (step[0] == 0 && step[1] == 0 && step[2] == 0) continue;
    for (int e = scaled_->begin(i); e < scaled_->end(i); ++e) {
      add_transposed(scaled_->J_entry(e), step[0], step[1], step[2], z_.data() + 6 * scaled_->node(e));
    }
  }
}

}  // namespace vinculum::solvers
