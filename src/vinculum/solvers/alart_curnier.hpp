// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Alart & Curnier's equations (explicit_law.hpp) as a law of DampedNewton. The parameter ρ does not change the
// solutions but the way there: where 20 iterations gain nothing the next of 1, 3, 0.3, 10 is taken.
#pragma once

#include "vinculum/solvers/explicit_law.hpp"

#include <limits>

namespace vinculum::solvers {

template <int Rows>
struct AlartCurnier {
  using Point = LawPoint<Rows>;
  static constexpr double kRho[] = {1, 3, 0.3, 10};
  static constexpr int kPatience = 20;

  double evaluate(const double* mu, const double* r, const double* u, Point& point) const {
    return evaluate_law<Rows>(mu, r, u, kRho[choice], point);
  }
  void linearise(const double* mu, const Point& point, double* P, double* Q, int stride) const {
    linearise_law<Rows>(mu, kRho[choice], point, P, Q, stride);
  }
  bool restart(double merit) {
    if (!(merit > 0.8 * lowest)) {
      lowest = merit;
      since = 0;
    }
    if (++since <= kPatience) return false;
    choice = (choice + 1) % 4;
    since = 0;
    lowest = std::numeric_limits<double>::infinity();
    return true;
  }

  int choice = 0, since = 0;
  double lowest = std::numeric_limits<double>::infinity();
};

}  // namespace vinculum::solvers
