// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Nonsmooth Gauss-Seidel in contact space, contacts in index order or by colours (explicit_sweep.hpp); the first
// hundred sweeps are accelerated. Ends when both errors meet the tolerance or the budget is out; stick-slip can cycle
// for ever.
#include "vinculum/solvers/explicit_run.hpp"
#include "vinculum/solvers/explicit_sweep.hpp"

#include <algorithm>

namespace vinculum::solvers {
namespace {

constexpr int kChunk = 20, kAccelerated = 100;

template <int Rows, Order order>
class Sweeps {
 public:
  static constexpr std::string_view name = order == Order::coloured ? "nsgs_coloured" : "nsgs";
  static constexpr bool rolling = true;

  void run(ContactRun<Rows>& run) {
    sweeper_.prepare(run.space, order);
    r_ = run.best();
    while (!run.solved() && run.left() > 0) {
      const int sweeps = std::min(kChunk, run.left());
      if (run.iterations() < kAccelerated) {
        run.spend(sweeper_.run_chunk(sweeps, 0.01 * run.tol(), r_));
      } else {
        for (int k = 0; k < sweeps; ++k) sweeper_.sweep(r_);
        run.spend(sweeps);
      }
      run.judge(r_, name);
    }
  }

 private:
  ContactSweeper<Rows> sweeper_;
  std::vector<double> r_;
};

template <int Rows>
using InOrder = Sweeps<Rows, Order::index>;
template <int Rows>
using ByColours = Sweeps<Rows, Order::coloured>;

}  // namespace

std::unique_ptr<ExplicitSolver> make_explicit_gauss_seidel(Order order) {
  if (order == Order::coloured) return std::make_unique<FramedSolver<ByColours>>();
  return std::make_unique<FramedSolver<InOrder>>();
}
std::unique_ptr<ExplicitSolver> make_explicit_nsgs() { return make_explicit_gauss_seidel(Order::index); }

}  // namespace vinculum::solvers
