// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <vinculum/integrators/integrator.hpp>
#include <vinculum/motion/flow.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace vinculum;

int main() {
  // What the user wrote, checked.
  const model::Model model = model::parse_scene(R"(
    [[contact]]
    mu = 0.6
    [[shape]]
    name = "slope"
    type = "plane"
    rotation = { axis = [0, 1, 0], degrees = 20 }
    [[body]]
    name = "block"
    position = [0, 0, 0.15]
    rotation = { axis = [0, 1, 0], degrees = 20 }
    mass = 2
    shape = { type = "box", size = [0.2, 0.2, 0.1] }
  )",
                                                "falling_block");

  // The machine, its state, and the integrator that moves it.
  const system::System system(model);
  system::State state = make_initial_state(model, system);
  const auto moreau = integrators::find_integrator_type("moreau")->make(
      system, {.dt = 1e-3, .tol = 1e-8, .solver = solvers::find_solver_type("auto")});

  integrators::StepRecord record;
  double worst = 0, work = 0;
  const double start = motion::energy(system, state).total();
  while (state.t < 2) {
    moreau->step(state, record);
    worst = std::max(worst, record.solver.errors.scaled);
    const integrators::Ledger& l = record.ledger;
    work += l.work_forces + l.work_impact + l.work_friction + l.work_bonds + l.scheme;
  }
  const double end = motion::energy(system, state).total();
  std::printf("at rest: %s\n", state.p[0].norm() < 1e-12 ? "yes" : "no");
  std::printf("worst residual of the laws below 1e-8: %s\n", worst <= 1e-8 ? "yes" : "no");
  std::printf("ledger closes: %s\n", std::abs(end - start - work) < 1e-9 * std::abs(start) ? "yes" : "no");
  return 0;
}
