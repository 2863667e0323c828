// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/explicit_sweep.hpp"

#include "vinculum/solvers/drift.hpp"

#include <algorithm>

namespace vinculum::solvers {
namespace {

constexpr int kSlipSteps = 2;  // Newton steps on λ in one sweep, once it is known

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
  } else {
    // Of a singular block not numbers, or huge ones: no cone holds them, or the error shows it.
    inverse_.resize(space.size());
    for (std::size_t i = 0; i < space.size(); ++i) {
      const double* A = space.W_rows(space.diagonal[i]);
      for (int a = 0; a < Rows; ++a) {
        for (int b = 0; b < Rows; ++b) inverse_[i](a, b) = A[stride * a + b];
      }
      inverse_[i] = RollingBlock<Rows>(inverse_[i].partialPivLu().inverse());
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
    solve_rolling_block<Rows, stride>(space_->W_rows(space_->diagonal[i]), &inverse_[i], b, space_->mu_of(i), r);
  }
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

template <int Rows>
void ContactSweeper<Rows>::drift(int sweeps, std::vector<double>& r, std::vector<double>& swept) {
  half_ = r;
  for (int k = 0; k < sweeps; ++k) sweep(half_);
  swept = half_;
  for (int k = 0; k < sweeps; ++k) sweep(swept);
  double d1_d1 = 0, d1_d2 = 0;
  for (std::size_t k = 0; k < r.size(); ++k) {
    const double d1 = half_[k] - r[k];
    d1_d1 += d1 * d1;
    d1_d2 += d1 * (swept[k] - half_[k]);
  }
  const double tau = drift_length(d1_d1, d1_d2);
  for (std::size_t k = 0; k < r.size(); ++k) r[k] = swept[k] + tau * (swept[k] - half_[k]);
  space_->project(r);
}

template class ContactSweeper<3>;
template class ContactSweeper<5>;

}  // namespace vinculum::solvers
