// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the slope of a potential of one row jumps.
#pragma once

#include "vinculum/potentials/superpotential.hpp"

#include <optional>

namespace vinculum::potentials {

struct Kink {
  double x = 0;
  double slope_before = 0, slope_after = 0;
};

/// The largest jump of V' in [low, high], found by halving towards the half with the greater change of slope.
std::optional<Kink> find_kink(const Superpotential& law, double low, double high);

}  // namespace vinculum::potentials
