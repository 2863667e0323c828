// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Semi-smooth Newton on Alart & Curnier's equations (alart_curnier.hpp), damped (explicit_newton.hpp).
#include "vinculum/solvers/alart_curnier.hpp"
#include "vinculum/solvers/explicit_newton.hpp"

namespace vinculum::solvers {
namespace {

template <int Rows>
struct NewtonAC {
  static constexpr bool rolling = true;

  void run(ContactRun<Rows>& run) {
    AlartCurnier<Rows> law;
    newton.run(run, law, "newton_ac");
  }

  DampedNewton<Rows, AlartCurnier<Rows>> newton;
};

}  // namespace

std::unique_ptr<ExplicitSolver> make_explicit_newton_ac() { return std::make_unique<FramedSolver<NewtonAC>>(); }

}  // namespace vinculum::solvers
