// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact derivatives. Pool::derivative remembers every ∂e/∂x it has found, so that derivatives of derivatives cost what
// is new in them.
#pragma once

#include "vinculum/expr/pool.hpp"

namespace vinculum::expr {

/// ∂e/∂x_i for each symbol x_i.
std::vector<Expr> gradient(Pool& pool, Expr e, std::span<const Expr> x);

/// de/dt = ∂e/∂t + Σ_i ∂e/∂q_i u_i, along any motion with q̇ = u. e must not hold u unless u̇ is given: then the sum
/// goes on with Σ_i ∂e/∂u_i u̇_i.
Expr time_derivative(Pool& pool, Expr e, Expr t, std::span<const Expr> q, std::span<const Expr> u,
                     std::span<const Expr> udot = {});

}  // namespace vinculum::expr
