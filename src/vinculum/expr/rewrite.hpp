// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Expressions to equal expressions.
#pragma once

#include "vinculum/expr/pool.hpp"

namespace vinculum::expr {

struct Replacement {
  Expr symbol, by;
};

/// e with symbols replaced, all at once.
Expr substitute(Pool& pool, Expr e, std::span<const Replacement> replacements);

/// e multiplied out, with sin² + cos² = 1 and the addition theorems
///   cos a cos b ± sin a sin b = cos(a ∓ b),   sin a cos b ± cos a sin b = sin(a ± b)
/// applied wherever they shorten the sum. A kinetic energy from Cartesian velocities becomes what a person writes, and
/// terms that cancel in the equations of motion do cancel. Products that would grow beyond 4096 terms stay.
Expr expand(Pool& pool, Expr e);

/// The outputs in an order of evaluation with fewer operations: common factors taken out of sums, factors that several
/// products have in common multiplied once. For compile; the result is not in normal form.
std::vector<Expr> share(Pool& pool, std::span<const Expr> outputs);

}  // namespace vinculum::expr
