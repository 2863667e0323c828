// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/explicit_sweep.hpp"

#include "vinculum/solvers/explicit_law.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace vinculum::solvers {
namespace {

constexpr int kSlipSteps = 2;      // Newton steps on λ in one sweep, once it is known
constexpr int kRollingSteps = 20;  // Newton steps on one rolling block

}  // namespace

template <int Rows>
void ContactSweeper<Rows>::prepare(const ContactSpace<Rows>& space, Order order) {
  space_ = &space;
  order_ = order;
  if (order == Order::coloured) colouring_.colour_by_entries(space.row, space.column);
  slip_.assign(space.size(), 0.0);
  if constexpr (Rows == 3) {
    coulomb_.resize(space.size());
    for (std::size_t i = 0; i < space.size(); ++i) {
      laws::Mat3 A;
      for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) A(a, b) = space.W_rows(space.diagonal[i])[stride * a + b];
      }
      coulomb_[i] = laws::make_coulomb_block(A);
    }
  }
}

template <int Rows>
inline void ContactSweeper<Rows>::solve_block(std::size_t i, const double* b, double* r) {
  if constexpr (Rows == 3) {
    const algebra::Vec3 free(b[0], b[1], b[2]);
    const double mu = space_->mu(i, 0);
    const algebra::Vec3 next =
        coulomb_[i].round ? laws::solve_round_block(coulomb_[i], free, mu)
                          : laws::solve_coulomb_block(coulomb_[i], free, mu, slip_[i], slip_[i] > 0 ? kSlipSteps : 100);
    for (int k = 0; k < 3; ++k) r[k] = next[k];
  } else {
    solve_rolling(i, b, r);
  }
}

// Newton on F(r) = 0 in the form of explicit_law.hpp with W_ii alone and ρ = 1 (the block has mean diagonal 1). A step
// that does not reduce |F| is replaced by r ← PC(r − u/‖A‖).
template <int Rows>
void ContactSweeper<Rows>::solve_rolling(std::size_t i, const double* b, double* r) const {
  using Block = Eigen::Matrix<double, Rows, Rows, Eigen::RowMajor>;
  using Column = Eigen::Matrix<double, Rows, 1>;
  if (b[0] >= 0) {
    std::fill(r, r + Rows, 0.0);
    return;
  }
  Block A;
  for (int a = 0; a < Rows; ++a) {
    for (int c = 0; c < Rows; ++c) A(a, c) = space_->W_rows(space_->diagonal[i])[stride * a + c];
  }
  const Column free = Eigen::Map<const Column>(b);
  const double* mu = space_->mu_of(i);
  Column x = Eigen::Map<const Column>(r);
  LawPoint<Rows> point;
  Column u = A * x + free;
  double merit = evaluate_law<Rows>(mu, x.data(), u.data(), 1.0, point);
  const double weight = 1 / A.norm();
  for (int step = 0; step < kRollingSteps && merit > 1e-30; ++step) {
    Block P, Q;
    linearise_law<Rows>(mu, 1.0, point, P.data(), Q.data(), Rows);
    const Column dx = (P * A + Q).partialPivLu().solve(Eigen::Map<const Column>(point.F));
    Column next = x - dx;
    bool good = next.allFinite();
    if (good) {
      u = A * next + free;
      LawPoint<Rows> trial;
      const double value = evaluate_law<Rows>(mu, next.data(), u.data(), 1.0, trial);
      good = value < merit;
      if (good) {
        x = next;
        merit = value;
        point = trial;
      }
    }
    if (!good) {
      u = A * x + free;
      x -= weight * u;
      cut_to_law<Rows>(mu, x.data());
      u = A * x + free;
      merit = evaluate_law<Rows>(mu, x.data(), u.data(), 1.0, point);
    }
  }
  cut_to_law<Rows>(mu, x.data());
  for (int k = 0; k < Rows; ++k) r[k] = x[k];
}

// Returns |Δr_i|².
template <int Rows>
inline double ContactSweeper<Rows>::sweep_block(std::size_t i, double* r) {
  const ContactSpace<Rows>& s = *space_;
  double b[stride], next[stride];
  std::copy_n(s.q.data() + stride * i, stride, b);
  s.add_products(s.row[i], s.diagonal[i], r, b);
  s.add_products(s.diagonal[i] + 1, s.row[i + 1], r, b);
  double* at = r + stride * i;
  std::copy_n(at, stride, next);
  solve_block(i, b, next);
  double change = 0;
  for (int k = 0; k < Rows; ++k) {
    change += (next[k] - at[k]) * (next[k] - at[k]);
    at[k] = next[k];
  }
  return change;
}

template <int Rows>
double ContactSweeper<Rows>::sweep(std::vector<double>& r) {
  if (order_ == Order::coloured) {
    return colouring_.sweep([&](std::span<const int> members, double* change) {
      for (std::size_t k = 0; k < members.size(); ++k) {
        change[k] = sweep_block(static_cast<std::size_t>(members[k]), r.data());
      }
    });
  }
  double change = 0;
  for (std::size_t i = 0; i < space_->size(); ++i) change += sweep_block(i, r.data());
  return change;
}

template <int Rows>
int ContactSweeper<Rows>::run_chunk(int sweeps, double still, std::vector<double>& r) {
  for (int k = 1; k <= sweeps; ++k) {
    before_ = r;
    if (sweep(r) <= still * still || space_->size() == 1) return k;  // a single contact is solved at once
    if (k == sweeps) break;
    if (k == 1) anderson_.reset(space_->numbers());
    anderson_.accelerate(before_.data(), r.data());
    space_->project(r);
  }
  return sweeps;
}

template class ContactSweeper<3>;
template class ContactSweeper<5>;

}  // namespace vinculum::solvers
