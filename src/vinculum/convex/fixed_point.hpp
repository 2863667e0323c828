// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The fixed point of a piecewise smooth map T by Newton with differences.
//
// Where Newton does not halve |T(x) − x| the plain step x ← T(x) is taken, so that it converges wherever T does; the
// answer is exact to the rounding of T, since differences only choose the step.
#pragma once

#include <Eigen/Core>

#include <functional>

namespace vinculum::convex {

using Map = std::function<Eigen::VectorXd(const Eigen::VectorXd&)>;

Eigen::VectorXd find_fixed_point(const Map& T, const Eigen::VectorXd& start);

/// argmin |z − y|_M over a convex set with Euclidean projection P:  z = P(z − ρ M(z − y)), ρ = 1/|M|.
Eigen::VectorXd project_in_metric(const Map& P, const Eigen::MatrixXd& M, const Eigen::VectorXd& y);

}  // namespace vinculum::convex
