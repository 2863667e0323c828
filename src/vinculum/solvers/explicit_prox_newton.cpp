// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The proximal Newton method of explicit_prox.hpp as a solver of its own.
#include "vinculum/solvers/explicit_prox.hpp"
#include "vinculum/solvers/explicit_run.hpp"

#include <algorithm>

namespace vinculum::solvers {
namespace {

template <int Rows>
class Newton {
 public:
  static constexpr std::string_view name = "prox_newton";
  static constexpr bool rolling = true;

  void run(ContactRun<Rows>& run) {
    typename ContactProx<Rows>::Limits limits;
    limits.alpha = std::clamp(run.best_error(), 1e-6, 0.1);
    r_ = run.best();
    bool reached = true;
    while (reached && !run.solved() && run.left() > 0) {  // again where the aim has become sharper
      limits.aim = run.aim();
      limits.newton_steps = run.left();
      const auto outcome = prox_.run(run.space, run.matrix(), limits, r_);
      run.spend(outcome.newton_steps);
      run.keep(r_, outcome.errors, name);
      if (outcome.idle) run.give_up();
      limits.alpha = outcome.alpha;
      reached = outcome.reached;
    }
  }

 private:
  ContactProx<Rows> prox_;
  std::vector<double> r_;
};

}  // namespace

std::unique_ptr<ExplicitSolver> make_explicit_prox_newton() { return std::make_unique<FramedSolver<Newton>>(); }

}  // namespace vinculum::solvers
