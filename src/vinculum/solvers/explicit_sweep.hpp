// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Gauss-Seidel in contact space: for every contact in index order, or by classes of contacts that W does not couple,
//   b = q_i + Σ_{j≠i} W_ij r_j,   r_i ← the exact answer of (W_ii, b)
// Coulomb contacts have a closed form up to one scalar root (laws/coulomb.hpp), rolling ones take Newton
// (rolling_block.hpp).
// `run_chunk` accelerates a number of sweeps by Anderson and ends with a plain one.
#pragma once

#include "vinculum/laws/coulomb.hpp"
#include "vinculum/solvers/anderson.hpp"
#include "vinculum/solvers/colouring.hpp"
#include "vinculum/solvers/explicit_space.hpp"
#include "vinculum/solvers/rolling_block.hpp"

#include <memory>

namespace vinculum::solvers {

template <int Rows>
class ContactSweeper {
 public:
  static constexpr int stride = ContactSpace<Rows>::stride;

  void prepare(const ContactSpace<Rows>& space, Order order = Order::index);

  /// Returns |Δr|².
  double sweep(std::vector<double>& r);

  /// At most `sweeps` sweeps, all but the last one accelerated; ends early when a sweep moves r by less than `still`.
  /// Returns the number of sweeps.
  int run_chunk(int sweeps, double still, std::vector<double>& r);

  /// Twice `sweeps` plain sweeps from r to `swept`, then r a long step beyond (drift.hpp).
  void drift(int sweeps, std::vector<double>& r, std::vector<double>& swept);

 private:
  double sweep_block(std::size_t i, double* r_all);
  void solve_block(std::size_t i, const double* b, double* r);

  const ContactSpace<Rows>* space_ = nullptr;
  Anderson anderson_;
  std::vector<laws::CoulombBlock> coulomb_;
  std::vector<RollingBlock<Rows>> inverse_;  // of the diagonal blocks, with rolling friction
  std::vector<double> slip_, before_, half_;
  Order order_ = Order::index;
  Colouring colouring_;
};

class ExplicitSolver;
/// The solver of explicit_nsgs.cpp, in either order.
std::unique_ptr<ExplicitSolver> make_explicit_gauss_seidel(Order order);

}  // namespace vinculum::solvers
